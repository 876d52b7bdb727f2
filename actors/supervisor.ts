// The supervisor runs durable reminders when they are due: it calls internal operations, as any caller would. Three
// small loops, not one: make due, rescue what failed (with growing pauses), prune what expired.
import { apply } from '../db/effects.ts';
import { dueReminders, nextReminder, reminderById } from '../db/queries/reminder.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import type { Clock, MovableClock } from './clock.ts';

export type Reminder = Row<'reminders'>;

/** Runs one reminder's operation to its end; the operation's own turn removes the row. Throws when it could not. */
export type RunReminder = (reminder: Reminder) => Promise<void>;

/** How many due reminders are taken at a time: a backlog is worked off in bites. */
const BITE = 100;
/** The longest sleep between looks, so that a reminder that was missed waits a minute at most. */
const LOOK_MS_MAX = 60_000;
/** The pause before a failed reminder is tried again doubles from here up to an hour. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 3_600_000;
/** Expired rows are deleted this often. */
const PRUNE_MS = 60_000;

export class Supervisor {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #run: RunReminder;
  readonly #failed: (reminder: Reminder, error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = true;

  constructor(store: Store, clock: Clock, run: RunReminder, failed: (reminder: Reminder, error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#run = run;
    this.#failed = failed;
    store.onCommit((notice) => {
      if (notice.reminders.some((reminder) => !reminder.now)) this.#sleep(0);
    });
  }

  /** Starts the loop on the wall clock's timer. */
  start(): void {
    this.#stopped = false;
    this.#sleep(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await Promise.allSettled(this.#running.values());
  }

  /** Runs a reminder right away if it still stands; joins a run in progress. */
  async runNow(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running) return running;
    const reminder = await this.#store.read(reminderById, { id });
    if (reminder) await this.#one(reminder);
  }

  /** Runs everything that is due; answers how many ran. */
  async runDue(): Promise<number> {
    let ran = 0;
    for (;;) {
      const due = await this.#store.read(dueReminders, { now_ms: this.#clock.now(), limit: BITE });
      const fresh = due.filter((reminder) => !this.#running.has(reminder.id));
      if (fresh.length === 0) return ran;
      for (const reminder of fresh) await this.#one(reminder);
      ran += fresh.length;
    }
  }

  /** Moves a clock forward through every due instant in order, running what is due at each. */
  async advance(clock: MovableClock, to_ms: number): Promise<void> {
    await this.runDue();
    for (;;) {
      const next = await this.#store.read(nextReminder, {});
      if (!next || next.at > to_ms) break;
      clock.moveTo(next.at);
      await this.runDue();
    }
    clock.moveTo(to_ms);
    await this.runDue();
    while ((await this.#store.prune(to_ms)) > 0);
  }

  async #one(reminder: Reminder): Promise<void> {
    const run = this.#attempt(reminder);
    this.#running.set(reminder.id, run);
    try {
      await run;
    } finally {
      this.#running.delete(reminder.id);
    }
  }

  async #attempt(reminder: Reminder): Promise<void> {
    try {
      await this.#run(reminder);
    } catch (error) {
      this.#failed(reminder, error);
      const pause_ms = Math.min(RETRY_MS * 2 ** reminder.attempts, RETRY_MS_MAX);
      const at = this.#clock.now() + pause_ms;
      await this.#store.turn({
        attempt: async () => ({
          reply: null,
          effects: [apply('reminders', reminder.id, (row) => ({ at, attempts: row.attempts + 1 }))],
        }),
      });
    }
  }

  #sleep(wait_ms: number): void {
    if (this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#wake(), wait_ms);
    this.#timer.unref();
  }

  #lastPrune = 0;

  async #wake(): Promise<void> {
    this.#timer = null;
    await this.runDue();
    const now_ms = this.#clock.now();
    if (now_ms - this.#lastPrune >= PRUNE_MS) {
      this.#lastPrune = now_ms;
      await this.#store.prune(now_ms);
    }
    const next = await this.#store.read(nextReminder, {});
    if (this.#timer === null)
      this.#sleep(Math.min(Math.max((next?.at ?? Infinity) - this.#clock.now(), 10), LOOK_MS_MAX));
  }
}
