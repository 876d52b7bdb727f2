// Sends the mail and SMS that turns queued. The rows are durable: a crash before the row is removed sends it again under the
// same id, so that a receiver can detect the duplicate.

import { patch, remove } from '../db/effects.ts';
import { amongIds, SENDS_AMONG, sendsAmong } from '../db/queries/reminder.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import { HOUR_MS } from '../src/domain/time.ts';
import { type BackgroundTasks, waitForAbort } from './background-tasks.ts';
import type { Clock } from './clock.ts';
import { PER_HOST } from './host-slots.ts';
import { type Held, NOTHING_HELD } from './restore-watch.ts';

/** The outcome of one attempt. `refused` is final: the receiver will never accept it. */
export type Delivery = 'sent' | 'later' | 'refused';

export type Deliver = (row: Row<'outbound'>, gone: AbortSignal) => Promise<Delivery>;

type Channel = Row<'outbound'>['channel'];

const CHANNELS = ['mail', 'sms'] as const satisfies readonly Channel[];
/** For one attempt; the channels' own deadlines are shorter. */
const DEADLINE_MS = 75_000;
const BITE = 100;
/** The prefix of these tasks' keys. */
export const SEND = 'send';
/** The pause after a failed attempt doubles from here up to an hour; after this many attempts the row is given up. */
const RETRY_MS = 5_000;
const RETRY_MS_MAX = HOUR_MS;
const ATTEMPTS_MAX = 20;
/** The interval of the search for rows whose retry is due. */
const LOOK_MS = 5_000;

export class Dispatcher {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #deliver: Deliver;
  readonly #tasks: BackgroundTasks;
  readonly #gaveUp: (row: Row<'outbound'>) => void;
  readonly #failed: (error: unknown) => void;
  readonly #held: Held;
  /** Rows that wait to be read, in their order. */
  readonly #queue = new Set<string>();
  /** Rows of a channel whose slots were full when they were read. */
  readonly #lines: Readonly<Record<Channel, Set<string>>> = { mail: new Set(), sms: new Set() };
  readonly #running: Readonly<Record<Channel, Set<string>>> = { mail: new Set(), sms: new Set() };
  /** Rows that are being read. */
  #asked: ReadonlySet<string> = new Set();
  /** The callers that wait for the first attempt of a row. */
  readonly #waited = new Map<string, PromiseWithResolvers<void>>();
  /** Claimed rows with the time written into them: a row with another time was tried meanwhile. */
  readonly #claimed = new Map<string, number>();
  #reading: Promise<void> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #stopped = false;

  /** `failed` is called when the store could not be read or written; the rows are searched for again. */
  constructor(
    store: Store,
    clock: Clock,
    deliver: Deliver,
    tasks: BackgroundTasks,
    gaveUp: (row: Row<'outbound'>) => void,
    failed: (error: unknown) => void,
    held: Held = NOTHING_HELD,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#deliver = deliver;
    this.#tasks = tasks;
    this.#gaveUp = gaveUp;
    this.#failed = failed;
    this.#held = held;
    store.onCommit(({ sends }) => {
      for (const id of sends) this.#queue.add(id);
      if (sends.length > 0) this.#pump();
    });
  }

  /** Sends what an earlier process left, and retries from now on. */
  async start(): Promise<void> {
    await this.redrive();
    this.#timer = setInterval(() => void this.redrive().catch(this.#failed), LOOK_MS);
    this.#timer.unref();
  }

  /** Aborted attempts are sent again after the next start. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#stopped = true;
    await this.#reading;
    await this.#tasks.stop();
    for (const id of [...this.#waited.keys()]) this.#end(id);
  }

  /** Queues every row whose time has come. */
  async redrive(): Promise<void> {
    const due = await this.#store.claimSends(this.#clock.now(), BITE, this.#held.held_before ?? 0);
    for (const { id, next_at } of due) {
      if (this.#asked.has(id) || this.#start(id)) continue;
      this.#claimed.set(id, next_at);
      this.#queue.add(id);
    }
    this.#pump();
  }

  /** Resolves when every first attempt so far has ended. */
  async idle(): Promise<void> {
    for (;;) {
      const ids = [
        ...this.#queue,
        ...this.#asked,
        ...CHANNELS.flatMap((c) => [...this.#lines[c], ...this.#running[c]]),
      ];
      if (ids.length === 0 || this.#stopped) return;
      await this.waitForAttempts(ids);
    }
  }

  /** Resolves when the first attempts of these rows have ended. */
  async waitForAttempts(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#attempt(id)));
  }

  #attempt(id: string): Promise<void> | undefined {
    if (this.#stopped || !(this.#queue.has(id) || this.#asked.has(id) || this.#start(id))) return undefined;
    const waited = this.#waited.get(id) ?? Promise.withResolvers<void>();
    this.#waited.set(id, waited);
    return waited.promise;
  }

  /** Whether a row was read, and its attempt has not ended. */
  #start(id: string): boolean {
    return CHANNELS.some((channel) => this.#running[channel].has(id) || this.#lines[channel].has(id));
  }

  #end(id: string): void {
    this.#waited.get(id)?.resolve();
    this.#waited.delete(id);
  }

  #pump(): void {
    if (this.#reading || this.#stopped) return;
    const ids = this.#next();
    if (ids.length === 0) return;
    this.#asked = new Set(ids);
    this.#reading = this.#read(ids)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#reading = null;
        this.#asked = new Set();
        // Rows that could not be read are sent at the next search; no caller waits for that.
        for (const id of ids) if (!this.#start(id)) this.#end(id);
        this.#pump();
      });
  }

  /** The rows to read next: those that waited for a channel with room again, then new ones. */
  #next(): string[] {
    const free = CHANNELS.filter((channel) => this.#running[channel].size < PER_HOST);
    const ids = free.flatMap((channel) => takeFirst(this.#lines[channel], PER_HOST - this.#running[channel].size));
    return free.length > 0 ? [...ids, ...takeFirst(this.#queue, SENDS_AMONG - ids.length)] : ids;
  }

  async #read(ids: readonly string[]): Promise<void> {
    const rows = new Map((await this.#store.read(sendsAmong, amongIds(ids))).map((row) => [row.id, row]));
    for (const id of ids) {
      const row = rows.get(id);
      if (row && this.#running[row.channel].size >= PER_HOST) this.#lines[row.channel].add(id);
      else this.#begin(id, row);
    }
  }

  #begin(id: string, row: Row<'outbound'> | undefined): void {
    const claimed_until = this.#claimed.get(id);
    this.#claimed.delete(id);
    if (!row || (row.next_at > this.#clock.now() && row.next_at !== claimed_until)) return;
    const { channel } = row;
    const ended = (): void => {
      this.#running[channel].delete(id);
      this.#end(id);
      this.#pump();
    };
    this.#running[channel].add(id);
    let begun = false;
    const work = (gone: AbortSignal): Promise<void> => {
      begun = true;
      return this.#deliverOne(row, gone).finally(ended);
    };
    this.#tasks.run(keyOf(id), { hosts: [channel], deadline_ms: DEADLINE_MS, work });
    // A task that is refused, or dropped before it starts, frees its place too: a later search finds the row.
    void this.#tasks.waitForEnd(keyOf(id)).then(() => begun || ended());
  }

  /** One attempt, and what became of it. */
  async #deliverOne(row: Row<'outbound'>, gone: AbortSignal): Promise<void> {
    const cut = waitForAbort(gone);
    const late = cut.promise.then((): Delivery => 'later');
    const delivery = await Promise.race([this.#deliver(row, gone), late]).catch((): Delivery => 'later');
    cut.leave();
    // A row that could not be marked stays, and is sent again under its id at the next look.
    if (!(this.#stopped && gone.aborted)) await this.#mark(row, delivery).catch(this.#failed);
  }

  async #mark(row: Row<'outbound'>, delivery: Delivery): Promise<void> {
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

const keyOf = (id: string): string => `${SEND}:${id}`;

/** Takes the first few out of a set. */
function takeFirst(ids: Set<string>, count: number): string[] {
  const taken = [...ids.values().take(Math.max(count, 0))];
  for (const id of taken) ids.delete(id);
  return taken;
}
