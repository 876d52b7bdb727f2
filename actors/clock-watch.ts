// Decides whether to trust the clock for expiring rows and sealing days. A clock that jumped, or differs from the last commit, may be
// wrong: nothing is deleted or sealed by it until it has run for an hour since, has returned to its old time, or an operator
// accepts it. On PostgreSQL it is the database's clock, which all nodes share: the machine's is corrected by it, and a node whose
// machine differs by more than a second runs no timers.

import { apply, type Effect, insert } from '../db/effects.ts';
import { newestJournal } from '../db/queries/ledger.ts';
import { noteById } from '../db/queries/turn.ts';
import type { Store } from '../db/store.ts';
import { HOUR_MS } from '../src/domain/time.ts';
import type { MovableClock } from './clock.ts';

/** The smallest jumps of the clock forward and back. Time daemons slew or step by less. */
const FORWARD_MS = HOUR_MS;
const BACK_MS = 60_000;
/** How long a clock must run after a jump forward before it is trusted. */
const WAIT_MS = HOUR_MS;
/** How often the clocks are compared; a database's costs a statement. */
const LOOK_MS = 1_000;
const LOOK_SHARED_MS = 10_000;
/** A machine's clock may differ from the database's by so much. */
const APART_MS_MAX = 1_000;
/** The interval of storing the newest commit's time. */
const NOTE_MS = 60_000;
const NOTE = 'clock';

/** The stored note: the last commit, the last commit by a trusted clock, and how often a clock was accepted. */
interface Noted {
  readonly newest_ms: number;
  readonly believed_ms: number;
  readonly accepted: number;
}

/** Why the clock is not believed. */
export type Doubt = 'jumped_forward' | 'jumped_back' | 'started_late' | 'started_early';

/** The state of the clock. */
export interface ClockState {
  readonly now_ms: number;
  readonly doubt: Doubt | null;
  /** When it will be believed if nothing else happens; null while it is. */
  readonly until_ms: number | null;
  /** How far this machine's clock is ahead of the database's, if by more than a second; null otherwise. */
  readonly apart_ms: number | null;
}

export interface ClockHooks {
  /** The clock is in doubt from now on; it is off by so much. */
  doubted(doubt: Doubt, by_ms: number): void;
  /** It is believed again. */
  believed(): void;
  /** This machine's clock is ahead of the database's by so much; null: they agree again. */
  apart(by_ms: number | null): void;
}

type Change = Parameters<typeof apply<'service_notes'>>[2];

function notedOf(value: Record<string, unknown>): Noted {
  const { newest_ms = 0, believed_ms = 0, accepted = 0 } = value as Partial<Noted>;
  return { newest_ms, believed_ms, accepted };
}

export class ClockWatch {
  readonly #store: Pick<Store, 'read' | 'turn' | 'onCommit'>;
  readonly #clock: MovableClock;
  /** The clock of the database, in service time; null when it is this machine's. */
  readonly #shared: (() => Promise<number>) | null;
  readonly #hooks: ClockHooks;
  #opened = false;
  /** Service time less running time, which is constant unless the clock jumps: of the database's clock, and of this machine's. */
  #base_ms = 0;
  #own_base_ms = 0;
  #newest_ms = 0;
  /** When the newest commit was written down, in running time, and which it was. */
  #noted_at = Number.NEGATIVE_INFINITY;
  #noted_ms = 0;
  #accepted = 0;
  #doubt: Doubt | null = null;
  #until_running_ms = Number.NEGATIVE_INFINITY;
  #until_time_ms = Number.NEGATIVE_INFINITY;
  #apart_ms: number | null = null;
  #looking: Promise<ClockState> | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(
    store: Pick<Store, 'read' | 'turn' | 'onCommit'>,
    clock: MovableClock,
    shared: (() => Promise<number>) | null,
    hooks: ClockHooks,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#shared = shared;
    this.#hooks = hooks;
    store.onCommit(({ turns }) => {
      if (turns > 0 && this.#opened) this.#noteCommit();
    });
  }

  /** Compares the clock with what was committed last. Asked before anything is committed by this process. */
  async open(): Promise<void> {
    const now_ms = await this.#measure();
    const row = await this.#store.read(noteById, { id: NOTE });
    const journal = row ? null : await this.#store.read(newestJournal, {});
    const newest_ms = journal?.created_at ?? now_ms;
    const noted = row ? notedOf(row.value) : { newest_ms, believed_ms: newest_ms, accepted: 0 };
    this.#accepted = noted.accepted;
    this.#newest_ms = noted.newest_ms;
    if (now_ms < noted.newest_ms) this.#begin('started_early', now_ms - noted.newest_ms);
    else if (now_ms - noted.believed_ms > FORWARD_MS) this.#begin('started_late', now_ms - noted.believed_ms);
    this.#opened = true;
  }

  start(): void {
    const look_ms = this.#shared ? LOOK_SHARED_MS : LOOK_MS;
    this.#timer ??= setInterval(() => void this.look().catch(() => {}), look_ms).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Why the clock is not trusted, by the last check; null when it is. */
  get doubt(): Doubt | null {
    return this.#doubt;
  }

  /** How far this machine's clock was ahead of the database's at the last check, if by more than a second; null otherwise. */
  get apart_ms(): number | null {
    return this.#apart_ms;
  }

  /** The time by which what was kept for a repeated request counts as over: none while a clock is in doubt, this machine's included. */
  expiryTime(now_ms: number): number {
    const by_ms = now_ms - this.#clock.correction_ms - this.#clock.running_ms() - this.#own_base_ms;
    if (this.#doubt !== null || by_ms > FORWARD_MS || by_ms < -BACK_MS) return 0;
    return this.#shared ? Math.min(now_ms, this.#base_ms + this.#clock.running_ms()) : now_ms;
  }

  /** Compares the clocks now. */
  look(): Promise<ClockState> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<ClockState> {
    const [base_ms, own_base_ms] = [this.#base_ms, this.#own_base_ms];
    const now_ms = await this.#measure();
    const by_ms = [this.#base_ms - base_ms, this.#own_base_ms - own_base_ms];
    const forward_ms = Math.max(...by_ms);
    const back_ms = Math.min(...by_ms);
    if (forward_ms > FORWARD_MS) this.#begin('jumped_forward', forward_ms);
    if (back_ms < -BACK_MS) this.#begin('jumped_back', back_ms);
    if (this.#doubt !== null) await this.#lookOver(now_ms);
    return this.#state(now_ms);
  }

  /** Measures the service time of the relevant clock, and stores the base of both. */
  async #measure(): Promise<number> {
    const asked_ms = this.#clock.running_ms();
    const own_ms = this.#clock.now() - this.#clock.correction_ms;
    this.#own_base_ms = own_ms - asked_ms;
    if (!this.#shared) {
      this.#base_ms = this.#own_base_ms;
      return own_ms;
    }
    const now_ms = await this.#shared();
    // The answer was made somewhere between the question and now.
    const running_ms = this.#clock.running_ms();
    const half_ms = (running_ms - asked_ms) / 2;
    if (half_ms < BACK_MS / 4) this.#base_ms = now_ms - asked_ms - half_ms;
    this.#compare(own_ms + half_ms - now_ms, half_ms);
    return now_ms;
  }

  /** Corrects this machine's clock, which is ahead of the database's by so much, as far as that is certain. */
  #compare(ahead_ms: number, uncertain_ms: number): void {
    const { correction_ms } = this.#clock;
    const nearest = Math.min(Math.max(correction_ms, -ahead_ms - uncertain_ms), -ahead_ms + uncertain_ms);
    this.#clock.correct(Math.round(nearest));
    const was_ms = this.#apart_ms;
    const least_ms = Math.abs(ahead_ms) - uncertain_ms;
    // A slow answer neither begins nor ends it.
    if (least_ms > APART_MS_MAX) this.#apart_ms = ahead_ms;
    else if (Math.abs(ahead_ms) + uncertain_ms <= APART_MS_MAX) this.#apart_ms = null;
    if ((was_ms === null) !== (this.#apart_ms === null)) this.#hooks.apart(this.#apart_ms);
  }

  #begin(doubt: Doubt, by_ms: number): void {
    this.#doubt = doubt;
    if (doubt === 'jumped_forward' || doubt === 'started_late') {
      this.#until_running_ms = this.#clock.running_ms() + WAIT_MS;
    } else {
      this.#until_time_ms = this.#newest_ms;
    }
    this.#hooks.doubted(doubt, by_ms);
  }

  /** Whether the wait is over, here or since an operator accepted the clock on another node. */
  async #lookOver(now_ms: number): Promise<void> {
    const waited = this.#clock.running_ms() >= this.#until_running_ms && now_ms >= this.#until_time_ms;
    if (waited) return this.#end();
    const row = await this.#store.read(noteById, { id: NOTE });
    const noted = row && notedOf(row.value);
    if (!noted || noted.accepted === this.#accepted) return;
    this.#accepted = noted.accepted;
    this.#newest_ms = noted.newest_ms;
    this.#end();
  }

  #end(): void {
    this.#doubt = null;
    this.#until_running_ms = Number.NEGATIVE_INFINITY;
    this.#until_time_ms = Number.NEGATIVE_INFINITY;
    this.#noted_at = Number.NEGATIVE_INFINITY;
    this.#hooks.believed();
  }

  #state(now_ms: number): ClockState {
    const apart_ms = this.#apart_ms;
    if (this.#doubt === null) return { now_ms, doubt: null, until_ms: null, apart_ms };
    const left_ms = Math.max(0, this.#until_running_ms - this.#clock.running_ms(), this.#until_time_ms - now_ms);
    return { now_ms, doubt: this.#doubt, until_ms: now_ms + left_ms, apart_ms };
  }

  /** Ends the wait on all nodes: the clock is right as it is. */
  async accept(): Promise<ClockState> {
    const { now_ms } = await this.look();
    this.#newest_ms = now_ms;
    await this.#write(({ value }) => {
      const accepted = notedOf(value).accepted + 1;
      return { value: { newest_ms: now_ms, believed_ms: now_ms, accepted } };
    });
    return this.look();
  }

  #noteCommit(): void {
    const running_ms = this.#clock.running_ms();
    const at_ms = this.#shared ? this.#base_ms + running_ms : this.#clock.now();
    this.#newest_ms = Math.max(this.#newest_ms, Math.round(at_ms));
    if (running_ms - this.#noted_at < NOTE_MS && this.#newest_ms - this.#noted_ms < NOTE_MS) return;
    this.#noted_at = running_ms;
    this.#noted_ms = this.#newest_ms;
    const [newest, believed] = [this.#newest_ms, this.#doubt === null];
    const later: Change = ({ value }) => {
      const noted = notedOf(value);
      const newest_ms = Math.max(noted.newest_ms, newest);
      return { value: { ...noted, newest_ms, believed_ms: believed ? newest_ms : noted.believed_ms } };
    };
    // The next commit tries again.
    void this.#write(later).catch(() => {
      this.#noted_at = Number.NEGATIVE_INFINITY;
    });
  }

  async #write(change: Change): Promise<void> {
    const fresh = { id: NOTE, value: { newest_ms: this.#newest_ms, believed_ms: this.#newest_ms, accepted: 0 } };
    const effects: Effect<never>[] = [insert('service_notes', fresh, 'ignore'), apply('service_notes', NOTE, change)];
    await this.#store.turn({ attempt: async () => ({ reply: null, effects }) });
  }
}
