// How often profiles and listings are looked at: a lossy fact, gathered in memory and written down every half minute, so that it costs
// a read nothing but a map entry.
import { apply, insert } from '../db/effects.ts';
import type { Store } from '../db/store.ts';

/** Pages kept until the next writing; what else is looked at meanwhile is not counted. Whoever reads through all there is must not
 * fill the memory. */
const PAGES_MAX = 20_000;
/** Rows in one turn: more would keep others from their commits. */
const SLICE = 250;

/** What was looked at: an agent's profile, or a listing of it. */
export interface Viewed {
  readonly agent_id: string;
  readonly account_id: string;
  readonly listing_id: string | null;
}

/** Who looked, and when; an empty account is anybody. */
export interface Viewer {
  readonly account_id: string;
  readonly now_ms: number;
}

interface Gathered {
  readonly agent_id: string;
  readonly listing_id: string | null;
  readonly day: string;
  n: number;
  /** Who looked last: a page that asks for the same twice was looked at once. */
  by: string;
}

export class Views {
  readonly #store: Store;
  /** What the table does not know yet, by the id of its row. */
  #fresh = new Map<string, Gathered>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Somebody looked at a page; its owner is nobody who counts. */
  note({ agent_id, account_id, listing_id }: Viewed, by: Viewer): void {
    if (by.account_id === account_id) return;
    const day = new Date(by.now_ms).toISOString().slice(0, 10);
    const id = `${day}:${listing_id ?? agent_id}`;
    const known = this.#fresh.get(id);
    if (known) {
      if (by.account_id === '' || by.account_id !== known.by) known.n += 1;
      known.by = by.account_id;
    } else if (this.#fresh.size < PAGES_MAX) {
      this.#fresh.set(id, { agent_id, listing_id, day, n: 1, by: by.account_id });
    }
  }

  /** Writes down what was gathered; losing the last half minute of it is fine. */
  async flush(): Promise<void> {
    // What is looked at while this is written is gathered anew.
    const due = [...this.#fresh];
    this.#fresh = new Map();
    for (let at = 0; at < due.length; at += SLICE) {
      try {
        await this.#write(due.slice(at, at + SLICE));
      } catch (error) {
        this.#takeBack(due.slice(at));
        throw error;
      }
    }
  }

  async #write(slice: readonly [id: string, Gathered][]): Promise<void> {
    await this.#store.turn({
      attempt: async () => ({
        reply: null,
        effects: slice.flatMap(([id, { agent_id, listing_id, day, n }]) => [
          insert('views', { id, agent_id, listing_id, day, n: 0 }, 'ignore'),
          // Other nodes count the same pages.
          apply('views', id, (row) => ({ n: row.n + n })),
        ]),
      }),
    });
  }

  /** Puts what could not be written to what was gathered since. */
  #takeBack(unwritten: readonly [id: string, Gathered][]): void {
    for (const [id, gathered] of unwritten) {
      const known = this.#fresh.get(id);
      if (known) known.n += gathered.n;
      else if (this.#fresh.size < PAGES_MAX) this.#fresh.set(id, gathered);
    }
  }
}
