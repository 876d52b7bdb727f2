// The unwritten state of event delivery: results of pushes, and each inbox's position. One turn writes the results of many agents;
// a crash before it repeats their pushes, under the same ids.
import { apply, type Effect } from '../db/effects.ts';
import type { Row } from '../db/schema/tables.ts';
import type { Read, Store } from '../db/store.ts';

/** The effects of results; with `read`, only on rows that still exist. */
export type Settle<O> = (results: readonly O[], read: Read | null) => Promise<Effect<never>[]>;

/** Results that go in one turn: enough to share a commit, little enough not to hold up others' turns. */
const BITE = 100;
/** Positions without a push are written in batches of this size. */
const PASSED_BITE = 250;

export class DeliveryCursor<O> {
  readonly #store: Store;
  readonly #settle: Settle<O>;
  #results: O[] = [];
  /** Delivered up to here, together with the results. */
  readonly #come = new Map<string, number>();
  /** The same where nothing was pushed: that can wait. */
  readonly #passed = new Map<string, number>();
  #writing: Promise<void> | null = null;

  constructor(store: Store, settle: Settle<O>) {
    this.#store = store;
    this.#settle = settle;
  }

  /** Whether anything is not on disk yet. */
  get hasUnwritten(): boolean {
    return this.#writing !== null || this.#results.length + this.#come.size + this.#passed.size > 0;
  }

  moveTo(agent_id: string, seq: number): void {
    this.#come.set(agent_id, seq);
  }

  pass(agent_id: string, seq: number): void {
    if (seq > (this.#passed.get(agent_id) ?? 0)) this.#passed.set(agent_id, seq);
  }

  add(result: O): void {
    this.#results.push(result);
  }

  /** How far an agent has come that is not written yet; 0 when all is. */
  unwrittenOf(agent_id: string): number {
    return Math.max(this.#come.get(agent_id) ?? 0, this.#passed.get(agent_id) ?? 0);
  }

  /** Writes results and positions, after a running write; `all` includes positions without a push. */
  async write(all: boolean): Promise<void> {
    while (this.#writing) await this.#writing.catch(() => {});
    const writing = this.#write(all).finally(() => {
      this.#writing = null;
    });
    this.#writing = writing;
    await writing;
  }

  async #write(all: boolean): Promise<void> {
    while (this.#results.length + this.#come.size > 0) {
      const results = this.#results.splice(0, BITE);
      // A position may be written before a result of a later bite, never the other way round: all of them go with the last.
      const positions = this.#results.length === 0 ? [...this.#come] : [];
      try {
        await this.#turn(results, positions);
      } catch (error) {
        this.#results.unshift(...results);
        throw error;
      }
      forgetWritten(this.#come, positions);
    }
    while (all && this.#passed.size > 0) {
      const positions = [...this.#passed].slice(0, PASSED_BITE);
      await this.#turn([], positions);
      forgetWritten(this.#passed, positions);
    }
  }

  async #turn(results: readonly O[], positions: readonly (readonly [string, number])[]): Promise<void> {
    let tries = 0;
    await this.#store.turn({
      attempt: async (read) => {
        tries += 1;
        // Deleted rows make the turn decide again; then it reads which still exist.
        const effects = await this.#settle(results, tries > 1 ? read : null);
        const moved = positions.map(([id, seq]) => apply('inboxes', id, (inbox) => deliveredTo(inbox, seq)));
        return { reply: null, effects: [...effects, ...moved] };
      },
    });
  }
}

/** The position in an inbox only advances; an event appended in the same commit raises `behind` again. */
function deliveredTo(inbox: Row<'inboxes'>, seq: number): Partial<Row<'inboxes'>> {
  const delivered_seq = Math.max(inbox.delivered_seq, seq);
  return { delivered_seq, behind: delivered_seq < inbox.last_seq ? 1 : 0 };
}

/** Drops written positions, except those that advanced meanwhile. */
function forgetWritten(map: Map<string, number>, positions: readonly (readonly [string, number])[]): void {
  for (const [id, seq] of positions) if (map.get(id) === seq) map.delete(id);
}
