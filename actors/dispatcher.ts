// Carries what turns asked to send (mail, SMS) out of the house. The rows are durable: a crash before the row is removed
// sends it again under the same id, so that a receiver can tell the repetition.

import { patch, remove } from '../db/effects.ts';
import { sendById } from '../db/queries/reminder.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import type { Clock } from './clock.ts';

/** What became of one attempt. `refused` is final: the receiver will never take it. */
export type Delivery = 'sent' | 'later' | 'refused';

export type Deliver = (row: Row<'outbound'>) => Promise<Delivery>;

/** Sends that go on side by side; a slow mail server must not hold up the next. */
const SIDE_BY_SIDE = 16;
const BITE = 100;
/** The pause after a failed attempt doubles from here up to an hour; after this many attempts the row is given up. */
const RETRY_MS = 5_000;
const RETRY_MS_MAX = 3_600_000;
const ATTEMPTS_MAX = 20;
/** How often rows that wait for a later attempt are looked for. */
const LOOK_MS = 5_000;

export class Dispatcher {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #deliver: Deliver;
  readonly #gaveUp: (row: Row<'outbound'>) => void;
  readonly #failed: (error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #queue: string[] = [];
  /** What was claimed, with the time that its row was given: a row with another was tried meanwhile. */
  readonly #claimed = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `failed` is told of a store that could not be read or written; what was to be sent is looked for again. */
  constructor(
    store: Store,
    clock: Clock,
    deliver: Deliver,
    gaveUp: (row: Row<'outbound'>) => void,
    failed: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#deliver = deliver;
    this.#gaveUp = gaveUp;
    this.#failed = failed;
    store.onCommit((notice) => {
      this.#queue.push(...notice.sends);
      this.#pump();
    });
  }

  /** Takes up what an earlier process left, and looks for later attempts from now on. */
  async start(): Promise<void> {
    await this.redrive();
    this.#timer = setInterval(() => void this.redrive().catch(this.#failed), LOOK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.idle();
  }

  /** Queues every row whose time has come. */
  async redrive(): Promise<void> {
    const due = await this.#store.claimSends(this.#clock.now(), BITE);
    for (const { id, next_at } of due) {
      if (this.#running.has(id) || this.#queue.includes(id)) continue;
      this.#claimed.set(id, next_at);
      this.#queue.push(id);
    }
    this.#pump();
  }

  /** Resolves when every first attempt so far has ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  #pump(): void {
    while (this.#running.size < SIDE_BY_SIDE) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      // A row that could not be marked stays, and is sent again under its id at the next look.
      const run = this.#one(id)
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          this.#running.delete(id);
          this.#pump();
        });
      this.#running.set(id, run);
    }
  }

  async #one(id: string): Promise<void> {
    const row = await this.#store.read(sendById, { id });
    const claimed_until = this.#claimed.get(id);
    this.#claimed.delete(id);
    if (!row || (row.next_at > this.#clock.now() && row.next_at !== claimed_until)) return;
    const delivery = await this.#deliver(row).catch((): Delivery => 'later');
    const over = delivery !== 'sent' && (delivery === 'refused' || row.attempts + 1 >= ATTEMPTS_MAX);
    if (over) this.#gaveUp(row);
    const next_at = this.#clock.now() + Math.min(RETRY_MS * 2 ** row.attempts, RETRY_MS_MAX);
    const effect =
      delivery === 'sent' || over
        ? remove('outbound', row)
        : patch('outbound', row, { attempts: row.attempts + 1, next_at });
    await this.#store.turn({ attempt: async () => ({ reply: null, effects: [effect] }) });
  }
}
