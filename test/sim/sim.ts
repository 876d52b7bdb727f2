// The simulated world: a whole service on real SQLite, its people, one virtual clock, and senders that fail, delay and
// duplicate. It can be closed and opened again on the same data at any moment.
import { createECDH, createPrivateKey } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MovableClock } from '../../actors/clock.ts';
import { SEND } from '../../actors/dispatcher.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import type { Log } from '../../src/log.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import type { Sms } from '../../src/outbound/sms/sms.ts';
import { weighWords } from '../../src/steps/listing/weigh.ts';
import { createSenderDouble, type SenderDouble, type Whim } from '../support/sender-double.ts';
import { takingProcessor } from '../support/taking-processor.ts';
import { openTestService, START_MS, type TestParts, type TestService } from '../support/testbed.ts';
import { withToolDoors } from '../support/tools.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { createZone, type Zone } from '../support/zone.ts';
import { flakyEmbedder } from './flaky-embedder.ts';
import { Inspector } from './inspector.ts';
import { Person } from './person.ts';
import { idMaker, Random } from './random.ts';
import { ANSWERS, createReceivers, type Receivers } from './receivers.ts';
import { PROVIDER, SITES } from './sites.ts';
import { Trace } from './trace.ts';

/** The attempts of a troubled sender; mostly it delivers. */
const WHIMS: readonly Whim[] = [
  ...Array.from({ length: 20 }, () => 'deliver' as const),
  'duplicate',
  'delay',
  'lose_answer',
  'refuse_for_now',
  'refuse_for_good',
];

/** A memory disk where there is one: what a crash leaves behind is another test's to show. */
const MEMORY_DISK = '/dev/shm';
/** DER of an Ed25519 private key up to its 32 bytes (RFC 8410). */
const ED25519_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Turns of the event loop in which everything that waits for nobody outside comes to its end. */
const TICKS = 4;

/** The data directory's secrets, out of the seed, so that every token of a run is the same in the next. */
function writeSecrets(data_dir: string, random: Random): void {
  const file = (name: string, text: string): void => writeFileSync(join(data_dir, name), text, { mode: 0o600 });
  for (const name of ['session-key.json', 'card-key.json', 'document-key.json']) {
    const der = Buffer.concat([ED25519_DER, random.bytes(32)]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    file(name, JSON.stringify({ keys: [key.export({ format: 'jwk' })] }));
  }
  for (const name of ['internal-token', 'seal-key']) file(name, Buffer.from(random.bytes(32)).toString('base64url'));
  // The scalar itself is random enough: hardly any 32 bytes are none.
  const push = createECDH('prime256v1');
  push.setPrivateKey(random.bytes(32));
  const [x, y] = [push.getPublicKey().subarray(1, 33), push.getPublicKey().subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  file('push-key.json', JSON.stringify({ kty: 'EC', crv: 'P-256', x, y, d: push.getPrivateKey('base64url') }));
}

export class Sim {
  readonly seed: number;
  readonly clock: MovableClock = virtualClock(START_MS);
  readonly choose: Random;
  readonly trace: Trace;
  readonly people: readonly Person[];
  readonly mailer: SenderDouble<Mail>;
  readonly sms: SenderDouble<Sms>;
  readonly receivers: Receivers;
  /** The DNS, which outlives the service. */
  readonly zone: Zone = createZone();
  /** What the service logged as an error of its own. */
  readonly errors: string[] = [];
  /** How often each internal operation was asked for. */
  readonly internal = new Map<string, number>();
  /** Whether mail is said to rest in the outbox, where its reader waits for it: then no sender delays. */
  readonly outbox: boolean;
  readonly rate_limits: boolean;
  readonly #parts: TestParts & { readonly data_dir: string };
  /** While true, senders deliver at once. */
  #calm = false;
  #opened: { readonly t: TestService; readonly db: Inspector } | null = null;

  constructor(seed: number, whole_trace: boolean) {
    this.seed = seed;
    this.choose = new Random(seed, 'choices');
    this.trace = new Trace(whole_trace);
    this.outbox = seed % 3 === 0;
    this.rate_limits = seed % 5 === 0;
    this.people = Array.from({ length: 6 + this.choose.below(4) }, (_, at) => new Person(at));
    const whims = new Random(seed, 'whims');
    const whim = (): Whim => {
      const drawn = this.#calm ? 'deliver' : whims.pick(WHIMS);
      return drawn === 'delay' && this.outbox ? 'deliver' : drawn;
    };
    this.mailer = createSenderDouble<Mail>(whim);
    this.sms = createSenderDouble<Sms>(whim);
    this.receivers = createReceivers((what) => (this.#calm ? 200 : new Random(seed, what).pick(ANSWERS)));
    const draws = new Random(seed, 'service');
    const data_dir = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'meshwork-sim-'));
    writeSecrets(data_dir, draws);
    this.#parts = {
      data_dir,
      clock: this.clock,
      mailer: this.mailer,
      sms: this.sms,
      http: this.receivers,
      zone: this.zone,
      processor: takingProcessor(),
      hosts: () => SITES,
      identity: () => PROVIDER,
      log: this.#log(),
      id: idMaker(draws, this.clock),
      random: (bytes) => draws.bytes(bytes),
      // An outside embedder in some of the worlds, which fails in a tenth of its calls.
      ...(seed % 4 === 2 && { embedder: flakyEmbedder(() => !this.#calm && whims.chance(0.1)) }),
    };
  }

  get t(): TestService {
    if (!this.#opened) throw new Error('the world is closed');
    return this.#opened.t;
  }

  get db(): Inspector {
    if (!this.#opened) throw new Error('the world is closed');
    return this.#opened.db;
  }

  get operations(): readonly AnyOperation[] {
    return withToolDoors(this.t.service.operations);
  }

  async open(): Promise<void> {
    const settings = { outbox: this.outbox, rate_limits: this.rate_limits };
    const t = await openTestService(settings, 'memory', this.#parts);
    t.service.world.store.onCommit(({ reminders }) => {
      for (const { operation } of reminders) this.internal.set(operation, (this.internal.get(operation) ?? 0) + 1);
    });
    this.#opened = { t, db: Inspector.of(this.#parts.data_dir) };
    // As every start does; no network here is large enough to ask for it by itself.
    const weigh = weighWords(this.clock.now());
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: weigh }) });
  }

  /** Stops the service as a signal would; what a sender still delays comes through meanwhile. */
  async close(): Promise<void> {
    const { t, db } = { t: this.t, db: this.db };
    this.#opened = null;
    await db.close();
    await this.calmly(async () => {
      await this.quiet(t);
      await t.close();
    });
  }

  /** Does something while every sender delivers at once, what it had delayed first. */
  async calmly<T>(work: () => Promise<T>): Promise<T> {
    this.#calm = true;
    this.release();
    try {
      return await work();
    } finally {
      this.#calm = false;
    }
  }

  remove(): void {
    rmSync(this.#parts.data_dir, { recursive: true, force: true });
  }

  /** Lets delayed mail and text messages arrive. */
  release(): void {
    this.mailer.release();
    this.sms.release();
  }

  /** Lets what goes on in the background come to rest, save for what a sender delays. */
  async quiet(t = this.t): Promise<void> {
    // event delivery asks for letters, which the supervisor's loop would have made at once.
    do {
      await t.service.world.tasks.idle(SEND);
      await t.service.delivery.idle();
    } while ((await t.service.supervisor.runDue()) > 0);
    if (this.mailer.waiting() + this.sms.waiting() === 0) await t.service.dispatcher.idle();
    else for (let n = 0; n < TICKS; n++) await tick();
  }

  /** Everything that is to be sent arrives, however long its pauses are. */
  settle(): Promise<void> {
    return this.calmly(async () => {
      for (;;) {
        await this.quiet();
        const next_at = this.db.number('SELECT min(next_at) FROM outbound');
        if (next_at === 0) return;
        await this.t.advance(Math.max(0, next_at - this.clock.now()));
        await this.t.service.dispatcher.redrive();
      }
    });
  }

  #log(): Log {
    const quiet = (): void => {};
    return {
      debug: quiet,
      info: quiet,
      warn: quiet,
      // Giving a delivery up is what a sender that refuses for good asks for.
      error: (sentence, fields) => {
        if (sentence !== 'a delivery was given up') this.errors.push(`${sentence} ${JSON.stringify(fields)}`);
      },
    };
  }
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
