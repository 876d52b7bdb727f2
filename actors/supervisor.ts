// The supervisor runs durable reminders when they are due: it calls internal operations, as any caller would. Three
// small loops, not one: make due, rescue what failed (with growing pauses), prune what expired.

import { apply, type Effect } from '../db/effects.ts';
import { nextReminder, reminderById } from '../db/queries/reminder.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import { HOUR_MS } from '../src/domain/time.ts';
import type { Clock } from './clock.ts';
import { type CleanUp, NOTHING_ELSE, Pruner } from './pruner.ts';
import { type Held, NOTHING_HELD } from './restore-watch.ts';

export type Reminder = Row<'reminders'>;

/** Runs one reminder's operation to its end; the operation's own turn removes the row. Throws when it could not. */
export type RunReminder = (reminder: Reminder) => Promise<void>;

/** Told of what went wrong; `null` when it was the looking itself. */
type Failed = (reminder: Reminder | null, error: unknown) => void;

/** Due reminders that run side by side. Each waits for commits most of the time, and those that wait together share one;
 * of a slow one only its own place is lost. */
const SIDE_BY_SIDE = 16;
/** The longest sleep between looks, so that a reminder that was missed waits a minute at most. */
const LOOK_MS_MAX = 60_000;
/** The pause before a failed reminder is tried again doubles from here up to an hour. */
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
  /** Those of them that were found due, and hold one of the places; none of these promises rejects. */
  readonly #placed = new Set<Promise<void>>();
  /** Reminders that were asked for anew while they run, to be run at once. */
  readonly #anew = new Set<string>();
  /** When such are due that were asked for later while they ran: no look finds one as long as its run goes on. */
  readonly #later = new Map<string, number>();
  #claiming: Promise<number> | null = null;
  /** Whether the last claim took all the room there was: more may be due. */
  #more = false;
  /** What kept a reminder from being run and from being put off. */
  #trouble: { readonly error: unknown } | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** When the timer goes off, and when the next reminder after now is due as far as is known, in service time. */
  #wakes_at = Number.POSITIVE_INFINITY;
  #next_at = 0;
  #looking = false;
  #asked = false;
  readonly #pruner: Pruner;
  #started = false;
  #stopped = false;

  /** `settled` resolves when what the reminders have set off outside is over: time that is moved by hand waits for it.
   * `believed` tells the time by which rows may be deleted, `held` what a restore keeps waiting, `clean_up` what goes beside what expires. */
  constructor(
    store: Store,
    clock: Clock,
    run: RunReminder,
    failed: Failed,
    settled: () => Promise<void> = async () => {},
    believed: () => Promise<number | null> = async () => clock.now(),
    held: Held = NOTHING_HELD,
    clean_up: CleanUp = NOTHING_ELSE,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#run = run;
    this.#failed = failed;
    this.#settled = settled;
    this.#held = held;
    this.#pruner = new Pruner(store, believed, (error) => failed(null, error), clean_up);
    // A timer is set on the wall clock for an instant of service time: when that time moves, it is set anew.
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

  /** Runs a reminder right away if it still stands. A run in progress is waited for: it ends when what was asked for anew
   * since it began has been run as well. */
  async runNow(id: string): Promise<void> {
    try {
      await this.#runStanding(id);
    } catch (error) {
      // What asked for it is committed, and has a reply to give; the reminder stands, and the loop comes to it.
      this.#failed(null, error);
      this.#sleepUntil(this.#clock.now() + RETRY_MS);
    }
  }

  async #runStanding(id: string): Promise<void> {
    await this.#running.get(id);
    const reminder = await this.#store.read(reminderById, { id });
    if (!reminder) return;
    // Somebody else who waited as well has begun it in the meantime.
    if (this.#running.has(id)) await this.#runStanding(id);
    else await this.#runOne(reminder);
  }

  /** Runs everything that is due, each once for each time that it is found due; answers how many runs were begun. */
  async runDue(): Promise<number> {
    this.#trouble = null;
    for (let ran = 0; ; ) {
      const begun = await this.#begin();
      ran += begun;
      if (begun === 0 && this.#placed.size === 0) return ran;
      if (this.#placed.size > 0) await Promise.race(this.#placed);
      // Those that shared a commit end together, and their places are filled by one claim.
      await tick();
      this.#tellTrouble();
    }
  }

  /** Moves a clock forward through every due instant in order: what is due at one has ended before the next. */
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

  /** Claims as many as can start, and starts them; answers how many. Who comes while that is under way gets its answer. */
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
    // A claimed reminder starts in the same breath, so its row need not be read again.
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
        // A store that takes nothing is left alone for a moment.
        if (this.#trouble) this.#sleepUntil(this.#clock.now() + RETRY_MS);
        else if (this.#more) this.#sleepUntil(0);
      });
    this.#placed.add(placed);
  }

  /** Throws what kept a reminder from being run and from being put off. */
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

  /** Runs a reminder, and again for as long as it was asked for anew meanwhile, by its own run or by somebody else. */
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
    this.#sleepUntil(at);
  }

  /** Looks at a time of the service's clock, or at once when it has passed. */
  #sleepUntil(at: number): void {
    if (!this.#started || this.#stopped) return;
    const now_ms = this.#clock.now();
    if (at > now_ms) this.#next_at = Math.min(this.#next_at, at);
    if (this.#timer !== null && this.#wakes_at <= at) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#wakes_at = at;
    this.#timer = setTimeout(() => void this.#look(), Math.min(Math.max(at - now_ms, 0), LOOK_MS_MAX));
    this.#timer.unref();
  }

  /** One look at a time; who asks meanwhile is answered by another. A store that cannot be read for a while (a lock from
   * outside) must not end the loop, or the process. */
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

  /** Sets the timer. What is due next is only read when what was known of it has passed: commits tell of the rest, save for
   * those of other nodes, which look for themselves. */
  async #plan(): Promise<void> {
    const now_ms = this.#clock.now();
    this.#pruner.begin(now_ms);
    if (this.#next_at <= now_ms) {
      this.#next_at = now_ms + LOOK_MS_MAX;
      const next = await this.#store.read(nextReminder, { after: now_ms });
      if (next) this.#next_at = Math.min(this.#next_at, next.at);
    }
    this.#sleepUntil(this.#next_at);
  }
}
