// The supervisor runs durable reminders when they are due, by calling internal operations. It has three loops: run due
// reminders, retry failed ones (with growing pauses), delete expired rows.

import { apply, type Effect } from '../db/effects.ts';
import { nextReminder, reminderById } from '../db/queries/reminder.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import { HOUR_MS } from '../src/domain/time.ts';
import type { Clock } from './clock.ts';
import { type CleanUp, NOTHING_ELSE, Pruner } from './pruner.ts';
import { type Held, NOTHING_HELD } from './restore-watch.ts';

export type Reminder = Row<'reminders'>;

/** Runs one reminder's operation to its end; the operation's own turn removes the row. Throws when that failed. */
export type RunReminder = (reminder: Reminder) => Promise<void>;

/** Called with a failure; `null` when the search itself failed. */
type Failed = (reminder: Reminder | null, error: unknown) => void;

/** Due reminders that run at the same time. Each mostly waits for commits, and those that wait together share one; a slow
 * one occupies only its own place. */
const SIDE_BY_SIDE = 16;
/** The longest sleep between searches by default, so that a missed reminder waits a minute at most. */
const LOOK_MS_MAX = 60_000;
/** The pause before a retry doubles from here up to an hour. */
const RETRY_MS = 1_000;
const RETRY_MS_MAX = HOUR_MS;

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export class Supervisor {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #run: RunReminder;
  readonly #failed: Failed;
  readonly #settled: () => Promise<void>;
  readonly #held: Held;
  /** By id: one reminder has one run at a time. */
  readonly #running = new Map<string, Promise<void>>();
  /** The runs of them that were found due and hold a place; none of these promises rejects. */
  readonly #placed = new Set<Promise<void>>();
  /** Reminders that were set again for now while they run. */
  readonly #anew = new Set<string>();
  /** The due times of those that were set again for later while they run: no search finds one during its run. */
  readonly #later = new Map<string, number>();
  #claiming: Promise<number> | null = null;
  /** Whether the last claim filled all places, so that more may be due. */
  #more = false;
  /** The error after which a reminder was neither run nor postponed. */
  #trouble: { readonly error: unknown } | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** When the timer fires, and when the next known reminder is due, in service time. */
  #wakes_at = Number.POSITIVE_INFINITY;
  #next_at = 0;
  #looking = false;
  #asked = false;
  readonly #look_ms: number;
  readonly #pruner: Pruner;
  #started = false;
  #stopped = false;

  /** `settled` resolves when the outside work of the reminders has ended: time that is moved by hand waits for it. `believed`
   * returns the time by which rows may be deleted, `held` what a restore delays; `clean_up` deletes more than expired rows;
   * `look_ms` is the longest sleep between searches. */
  constructor(
    store: Store,
    clock: Clock,
    run: RunReminder,
    failed: Failed,
    settled: () => Promise<void> = async () => {},
    believed: () => Promise<number | null> = async () => clock.now(),
    held: Held = NOTHING_HELD,
    clean_up: CleanUp = NOTHING_ELSE,
    look_ms: number = LOOK_MS_MAX,
  ) {
    this.#look_ms = look_ms;
    this.#store = store;
    this.#clock = clock;
    this.#run = run;
    this.#failed = failed;
    this.#settled = settled;
    this.#held = held;
    this.#pruner = new Pruner(store, believed, (error) => failed(null, error), clean_up);
    // The timer runs on the wall clock for an instant of service time: when that time moves, it is set again.
    clock.onMove(() => {
      this.#wakes_at = Number.POSITIVE_INFINITY;
      this.#next_at = 0;
      this.#sleepUntil(0);
    });
    store.onCommit(({ reminders }) => {
      for (const { id, at, now } of reminders) {
        if (this.#running.has(id)) {
          if (now) this.#anew.add(id);
          else this.#later.set(id, at);
        }
        if (!now) this.#sleepUntil(at);
      }
    });
  }

  /** Starts the loop on the wall clock's timer. */
  start(): void {
    this.#started = true;
    this.#sleepUntil(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await Promise.allSettled([this.#claiming, this.#pruner.stop()]);
    await Promise.allSettled(this.#running.values());
  }

  /** Runs a reminder now if it still exists. Waits for a run in progress, which also runs what was set again since it
   * began. */
  async runNow(id: string): Promise<void> {
    try {
      await this.#runStanding(id);
    } catch (error) {
      // The commit that set it has succeeded and has a reply to send; the loop runs the reminder later.
      this.#failed(null, error);
      this.#sleepUntil(this.#clock.now() + RETRY_MS);
    }
  }

  async #runStanding(id: string): Promise<void> {
    await this.#running.get(id);
    const reminder = await this.#store.read(reminderById, { id });
    if (!reminder) return;
    // Another waiting caller may have started it meanwhile.
    if (this.#running.has(id)) await this.#runStanding(id);
    else await this.#runOne(reminder);
  }

  /** Runs everything that is due, once for each time that it is found due; returns the number of runs. */
  async runDue(): Promise<number> {
    this.#trouble = null;
    for (let ran = 0; ; ) {
      const begun = await this.#begin();
      ran += begun;
      if (begun === 0 && this.#placed.size === 0) return ran;
      if (this.#placed.size > 0) await Promise.race(this.#placed);
      // Runs that shared a commit end together, and one claim fills their places.
      await tick();
      this.#tellTrouble();
    }
  }

  /** Moves a clock forward through every due instant in order: the runs of one end before the next. */
  async advance(clock: { moveTo(at_ms: number): void | Promise<void> }, to_ms: number): Promise<void> {
    await this.#runAll();
    for (;;) {
      const next = await this.#store.read(nextReminder, { after: this.#clock.now() });
      if (!next || next.at > to_ms) break;
      await clock.moveTo(next.at);
      await this.#runAll();
    }
    await clock.moveTo(to_ms);
    await this.#runAll();
    await this.#pruner.pruneAll();
  }

  async #runAll(): Promise<void> {
    do await this.#settled();
    while ((await this.runDue()) > 0);
  }

  /** Claims as many as can start, and starts them; returns the number. Concurrent callers share one claim. */
  #begin(): Promise<number> {
    this.#claiming ??= this.#claim().finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  async #claim(): Promise<number> {
    const room = SIDE_BY_SIDE - this.#placed.size;
    if (room === 0 || this.#stopped) return 0;
    this.#more = false;
    // A claimed reminder starts at once, so its row need not be read again.
    const from_ms = this.#held.held_before ?? 0;
    const due = await this.#store.claimReminders(this.#clock.now(), room, new Set(this.#running.keys()), from_ms);
    this.#more = due.length === room;
    const fresh = this.#stopped ? [] : due.filter(({ id }) => !this.#running.has(id));
    for (const reminder of fresh) this.#place(reminder);
    return fresh.length;
  }

  #place(reminder: Reminder): void {
    const placed = this.#runOne(reminder)
      .catch((error: unknown) => {
        this.#trouble = { error };
        this.#failed(null, error);
      })
      .finally(() => {
        this.#placed.delete(placed);
        // Pause after a failure of the store.
        if (this.#trouble) this.#sleepUntil(this.#clock.now() + RETRY_MS);
        else if (this.#more) this.#sleepUntil(0);
      });
    this.#placed.add(placed);
  }

  /** Throws the error after which a reminder was neither run nor postponed. */
  #tellTrouble(): void {
    if (this.#trouble) throw this.#trouble.error;
  }

  async #runOne(reminder: Reminder): Promise<void> {
    const run = this.#runInTurn(reminder);
    this.#running.set(reminder.id, run);
    try {
      await run;
    } finally {
      const { id } = reminder;
      this.#running.delete(id);
      this.#anew.delete(id);
      const at = this.#later.get(id);
      if (this.#later.delete(id) && at !== undefined) this.#sleepUntil(at);
    }
  }

  /** Runs a reminder, and again while it was set again for now during the run. */
  async #runInTurn(first: Reminder): Promise<void> {
    const { id } = first;
    for (let reminder: Reminder | null = first; reminder !== null; ) {
      this.#anew.delete(id);
      await this.#attempt(reminder);
      reminder = this.#anew.has(id) ? await this.#store.read(reminderById, { id }) : null;
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

  /** Postpones a failed reminder. A reminder that was cancelled meanwhile is left alone. */
  async #postpone({ id, attempts }: Reminder): Promise<void> {
    const at = this.#clock.now() + Math.min(RETRY_MS * 2 ** attempts, RETRY_MS_MAX);
    await this.#store.turn({
      attempt: async (read) => {
        const row = await read(reminderById, { id });
        const effects: Effect<never>[] = row ? [apply('reminders', id, () => ({ at, attempts: attempts + 1 }))] : [];
        return { reply: null, effects };
      },
    });
    this.#sleepUntil(at);
  }

  /** Sets the next search for an instant of service time, or at once when it has passed. */
  #sleepUntil(at: number): void {
    if (!this.#started || this.#stopped) return;
    const now_ms = this.#clock.now();
    if (at > now_ms) this.#next_at = Math.min(this.#next_at, at);
    if (this.#timer !== null && this.#wakes_at <= at) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#wakes_at = at;
    this.#timer = setTimeout(() => void this.#look(), Math.min(Math.max(at - now_ms, 0), this.#look_ms));
    this.#timer.unref();
  }

  /** One search at a time; a request during it causes another. A store that cannot be read for a while (locked from outside)
   * must not end the loop or the process. */
  async #look(): Promise<void> {
    this.#timer = null;
    this.#asked = true;
    if (this.#looking) return;
    this.#looking = true;
    this.#trouble = null;
    try {
      while (this.#asked || (this.#more && this.#placed.size < SIDE_BY_SIDE && !this.#trouble)) {
        this.#asked = false;
        await this.#begin();
      }
      await this.#plan();
    } catch (error) {
      this.#failed(null, error);
      this.#sleepUntil(this.#clock.now() + RETRY_MS);
    } finally {
      this.#looking = false;
    }
    if (this.#asked) this.#sleepUntil(0);
  }

  /** Sets the timer. The next due time is read only when the known one has passed: commits announce new ones, except those of
   * other nodes, which run their own searches. */
  async #plan(): Promise<void> {
    const now_ms = this.#clock.now();
    this.#pruner.begin(now_ms);
    if (this.#next_at <= now_ms) {
      this.#next_at = now_ms + this.#look_ms;
      const next = await this.#store.read(nextReminder, { after: now_ms });
      if (next) this.#next_at = Math.min(this.#next_at, next.at);
    }
    this.#sleepUntil(this.#next_at);
  }
}
