// The supervisor runs durable reminders when they are due: it calls internal operations, as any caller would. Three
// small loops, not one: make due, rescue what failed (with growing pauses), prune what expired.
import { apply, type Effect } from '../db/effects.ts';
import { nextReminder, reminderById } from '../db/queries/reminder.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import type { Clock } from './clock.ts';

export type Reminder = Row<'reminders'>;

/** Runs one reminder's operation to its end; the operation's own turn removes the row. Throws when it could not. */
export type RunReminder = (reminder: Reminder) => Promise<void>;

/** Told of what went wrong; `null` when it was the looking itself. */
type Failed = (reminder: Reminder | null, error: unknown) => void;

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
  readonly #failed: Failed;
  readonly #settled: () => Promise<void>;
  readonly #running = new Map<string, Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stopped = true;

  /** `settled` resolves when what the reminders have set off outside is over: time that is moved by hand waits for it. */
  constructor(
    store: Store,
    clock: Clock,
    run: RunReminder,
    failed: Failed,
    settled: () => Promise<void> = async () => {},
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#run = run;
    this.#failed = failed;
    this.#settled = settled;
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

  /** Runs a reminder right away if it still stands. A run in progress is waited for and, if the reminder was asked for anew
   * since that began, followed by another. */
  async runNow(id: string): Promise<void> {
    try {
      await this.#runIf(id, () => true);
    } catch (error) {
      // What asked for it is committed, and has a reply to give; the reminder stands, and the loop comes to it.
      this.#failed(null, error);
      this.#sleep(RETRY_MS);
    }
  }

  async #runIf(id: string, wanted: (reminder: Reminder) => boolean): Promise<void> {
    await this.#running.get(id);
    const reminder = await this.#store.read(reminderById, { id });
    if (!reminder || !wanted(reminder)) return;
    // Somebody else who waited as well has begun it in the meantime.
    if (this.#running.has(id)) await this.#runIf(id, wanted);
    else await this.#one(reminder);
  }

  /** Runs everything that is due; answers how many ran. */
  async runDue(): Promise<number> {
    let ran = 0;
    for (;;) {
      const due = await this.#store.claimReminders(this.#clock.now(), BITE);
      const fresh = due.filter((reminder) => !this.#running.has(reminder.id));
      if (fresh.length === 0) return ran;
      // Each is read again when its turn comes: meanwhile it may have run, been moved or been taken back.
      for (const { id, at: claimed } of fresh) {
        await this.#runIf(id, ({ at }) => at === claimed || at <= this.#clock.now());
      }
      ran += fresh.length;
    }
  }

  /** Moves a clock forward through every due instant in order, running what is due at each. */
  async advance(clock: { moveTo(at_ms: number): void | Promise<void> }, to_ms: number): Promise<void> {
    await this.#runAll();
    for (;;) {
      const next = await this.#store.read(nextReminder, {});
      if (!next || next.at > to_ms) break;
      await clock.moveTo(next.at);
      await this.#runAll();
    }
    await clock.moveTo(to_ms);
    await this.#runAll();
    while ((await this.#store.prune(to_ms)) > 0);
  }

  async #runAll(): Promise<void> {
    do await this.#settled();
    while ((await this.runDue()) > 0);
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
      await this.#postpone(reminder);
    }
  }

  /** Puts a failed reminder off; one that was taken back while it failed is nobody's any more. */
  async #postpone({ id, attempts }: Reminder): Promise<void> {
    const at = this.#clock.now() + Math.min(RETRY_MS * 2 ** attempts, RETRY_MS_MAX);
    await this.#store.turn({
      attempt: async (read) => {
        const row = await read(reminderById, { id });
        const effects: Effect<never>[] = row ? [apply('reminders', id, () => ({ at, attempts: attempts + 1 }))] : [];
        return { reply: null, effects };
      },
    });
  }

  #sleep(wait_ms: number): void {
    if (this.#stopped) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), wait_ms);
    this.#timer.unref();
  }

  /** A store that cannot be written for a while (a full disk, a lock from outside) must not end the loop, or the process. */
  async #look(): Promise<void> {
    try {
      await this.#wake();
    } catch (error) {
      this.#failed(null, error);
      this.#sleep(RETRY_MS);
    }
  }

  #lastPrune = 0;

  /** Slice after slice until nothing expired is left: what one slice a minute takes away, a busy minute outdoes. */
  async #prune(now_ms: number): Promise<void> {
    while (!this.#stopped && (await this.#store.prune(now_ms)) > 0) await new Promise((next) => setImmediate(next));
  }

  async #wake(): Promise<void> {
    this.#timer = null;
    await this.runDue();
    const now_ms = this.#clock.now();
    if (now_ms - this.#lastPrune >= PRUNE_MS) {
      this.#lastPrune = now_ms;
      await this.#prune(now_ms);
    }
    const next = await this.#store.read(nextReminder, {});
    if (this.#timer === null)
      this.#sleep(Math.min(Math.max((next?.at ?? Infinity) - this.#clock.now(), 10), LOOK_MS_MAX));
  }
}
