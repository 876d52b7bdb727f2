// How far TEST_CLOCK has moved service time, stored in the database for restarts and other nodes. A node that shares its
// database reads it before each call, so a call that begins after /internal/clock has answered, on any node, decides with at
// least that time. A call that was running meanwhile decides with its starting time, or later.
import { apply, type Effect, insert } from '../db/effects.ts';
import { movedTimeById } from '../db/queries/turn.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Store } from '../db/store.ts';
import type { MovableClock } from './clock.ts';

/** There is one row. */
const ID = 'service';
/** How often a node that is moving time renews its claim. */
const RENEW_MS = 3_000;
/** How long a claim lasts from then on: a node that died in between holds the others up for no longer. */
const MOVING_MS = 5 * RENEW_MS;
/** The pause before a node that waits for another one's moving asks again. */
const PAUSE_MS = 50;

/** Moves time for all nodes. */
export interface SharedMove {
  moveTo(at_ms: number): Promise<void>;
}

type Change = Parameters<typeof apply<'service_time'>>[2];

export class MovedTime {
  readonly #store: Store;
  readonly #clock: MovableClock;
  readonly #mover = crypto.randomUUID();
  #moving: Promise<void> = Promise.resolve();

  constructor(store: Store, clock: MovableClock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** At start: restores the moved time. A single node also ends a move during which its last process died. */
  async resume(): Promise<void> {
    if (!this.#store.shared) await this.#write(() => ({ mover: null, moving_until: 0 }));
    await this.takeOver();
  }

  /** Takes over how far time was moved by other nodes, or before a restart. */
  async takeOver(): Promise<void> {
    const row = await this.#read();
    const ahead_ms = (row?.offset_ms ?? 0) - this.#clock.offset_ms;
    if (ahead_ms > 0) this.#clock.moveTo(this.#clock.now() + ahead_ms);
  }

  /** Moves time forward; `walk` passes all due instants on the way. Concurrent moves, here or on another node, begin where this one
   * ends. */
  advance(by_ms: number, walk: (move: SharedMove, to_ms: number) => Promise<void>): Promise<void> {
    const moved = this.#moving.then(() => this.#advance(by_ms, walk));
    this.#moving = moved.catch(() => {});
    return moved;
  }

  async #advance(by_ms: number, walk: (move: SharedMove, to_ms: number) => Promise<void>): Promise<void> {
    while (!(await this.#claim())) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const renewal = setInterval(() => void this.#renew().catch(() => {}), RENEW_MS);
    try {
      await this.takeOver();
      await walk({ moveTo: (at_ms) => this.#moveTo(at_ms) }, this.#clock.now() + by_ms);
    } finally {
      clearInterval(renewal);
      await this.#write((row) => (row.mover === this.#mover ? { mover: null, moving_until: 0 } : {}));
    }
  }

  /** Whether it is this node's to move time now. */
  async #claim(): Promise<boolean> {
    const now_ms = Date.now();
    await this.#write((row) => {
      const free = row.mover === null || row.moving_until < now_ms;
      return free ? { mover: this.#mover, moving_until: now_ms + MOVING_MS } : {};
    });
    return (await this.#read())?.mover === this.#mover;
  }

  #renew(): Promise<void> {
    return this.#write((row) => (row.mover === this.#mover ? { moving_until: Date.now() + MOVING_MS } : {}));
  }

  /** Written down before anything is decided by it: a node that dies in between has not been ahead of the rest. */
  async #moveTo(at_ms: number): Promise<void> {
    const offset_ms = this.#clock.offset_ms + Math.max(0, at_ms - this.#clock.now());
    await this.#write((row) => ({ offset_ms: Math.max(row.offset_ms, offset_ms) }));
    this.#clock.moveTo(at_ms);
  }

  #read(): Promise<Row<'service_time'> | null> {
    return this.#store.read(movedTimeById, { id: ID });
  }

  async #write(change: Change): Promise<void> {
    const fresh = { id: ID, offset_ms: 0, mover: null, moving_until: 0 };
    const effects: Effect<never>[] = [insert('service_time', fresh, 'ignore'), apply('service_time', ID, change)];
    await this.#store.turn({ attempt: async () => ({ reply: null, effects }) });
  }
}
