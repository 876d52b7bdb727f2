// What event delivery has yet to write down: outcomes of pushes, and how far each inbox was delivered. Many agents' results go
// in one turn; a crash before it costs repetitions of what it held, under the same ids.
import { apply, type Effect, insert } from '../db/effects.ts';
import type { Read, Store } from '../db/store.ts';

/** What to commit of outcomes; with `read`, only about what is still there. */
export type Settle<O> = (outcomes: readonly O[], read: Read | null) => Promise<Effect<never>[]>;

/** Outcomes that go in one turn: enough to share a commit, little enough not to hold up others' turns. */
const BITE = 100;
/** Where nothing was pushed, places are written so many at a time. */
const PASSED_BITE = 250;

export class DeliveryCursor<O> {
  readonly #store: Store;
  readonly #settle: Settle<O>;
  #outcomes: O[] = [];
  /** Delivered up to here, together with the outcomes. */
  readonly #come = new Map<string, number>();
  /** The same where nothing was pushed: that can wait. */
  readonly #passed = new Map<string, number>();
  #writing: Promise<void> | null = null;

  constructor(store: Store, settle: Settle<O>) {
    this.#store = store;
    this.#settle = settle;
  }

  /** Whether anything is not on disk yet. */
  get pending(): boolean {
    return this.#writing !== null || this.#outcomes.length + this.#come.size + this.#passed.size > 0;
  }

  came(agent_id: string, seq: number): void {
    this.#come.set(agent_id, seq);
  }

  passed(agent_id: string, seq: number): void {
    if (seq > (this.#passed.get(agent_id) ?? 0)) this.#passed.set(agent_id, seq);
  }

  add(outcome: O): void {
    this.#outcomes.push(outcome);
  }

  /** How far an agent has come that is not written yet; 0 when all is. */
  unwritten(agent_id: string): number {
    return Math.max(this.#come.get(agent_id) ?? 0, this.#passed.get(agent_id) ?? 0);
  }

  /** Writes outcomes and places, after what is being written already; `all` includes what can wait. */
  async write(all: boolean): Promise<void> {
    while (this.#writing) await this.#writing.catch(() => {});
    const writing = this.#write(all).finally(() => {
      this.#writing = null;
    });
    this.#writing = writing;
    await writing;
  }

  async #write(all: boolean): Promise<void> {
    while (this.#outcomes.length + this.#come.size > 0) {
      const outcomes = this.#outcomes.splice(0, BITE);
      // A place may be written before an outcome of a later bite, never the other way round: all of them go with the last.
      const places = this.#outcomes.length === 0 ? [...this.#come] : [];
      try {
        await this.#turn(outcomes, places);
      } catch (error) {
        this.#outcomes.unshift(...outcomes);
        throw error;
      }
      done(this.#come, places);
    }
    while (all && this.#passed.size > 0) {
      const places = [...this.#passed].slice(0, PASSED_BITE);
      await this.#turn([], places);
      done(this.#passed, places);
    }
  }

  async #turn(outcomes: readonly O[], places: readonly (readonly [string, number])[]): Promise<void> {
    let tries = 0;
    await this.#store.turn({
      attempt: async (read) => {
        tries += 1;
        // Rows that are gone make the turn decide again: then it looks what is still there.
        const again = tries > 1;
        const effects = await this.#settle(outcomes, again ? read : null);
        const missing = again ? places.map(([id]) => insert('delivery_cursors', { id, seq: 0 }, 'ignore')) : [];
        const moved = places.map(([id, seq]) =>
          apply('delivery_cursors', id, (row) => ({ seq: Math.max(row.seq, seq) })),
        );
        return { reply: null, effects: [...effects, ...missing, ...moved] };
      },
    });
  }
}

/** Forgets what was written, save for what moved on meanwhile. */
function done(map: Map<string, number>, places: readonly (readonly [string, number])[]): void {
  for (const [id, seq] of places) if (map.get(id) === seq) map.delete(id);
}
