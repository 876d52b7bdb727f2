// Counts views of profiles and listings: gathered in memory and written every half minute, so that a view costs a read only a map
// entry; a crash may lose the latest.
import { apply, insert } from '../db/effects.ts';
import { agentById } from '../db/queries/agent.ts';
import type { Read, Store } from '../db/store.ts';
import { hasLeft } from '../src/domain/identity/handle.ts';
import { dayOf } from '../src/domain/text/day.ts';

/** Pages kept until the next write; views of further pages are not counted, so that a crawler cannot fill the memory. */
const PAGES_MAX = 20_000;
/** Rows in one turn: more would keep others from their commits. */
const SLICE = 250;

/** The viewed page: an agent's profile, or a listing of it. */
export interface Viewed {
  readonly agent_id: string;
  readonly account_id: string;
  readonly listing_id: string | null;
}

/** Who viewed, and when; the account is empty for an anonymous caller. */
export interface Viewer {
  readonly account_id: string;
  readonly now_ms: number;
}

interface Gathered {
  readonly agent_id: string;
  readonly listing_id: string | null;
  readonly day: string;
  n: number;
  /** The latest viewer: repeated requests of one account count once. */
  by: string;
}

/** The agents whose account was deleted: its erasure may be past their views. The commit checks again that the others stand. */
async function whoLeft(read: Read, agent_ids: ReadonlySet<string>): Promise<Set<string>> {
  const agents = await Promise.all([...agent_ids].map((id) => read(agentById, { id })));
  return new Set(agents.flatMap((agent) => (agent && hasLeft(agent) ? [agent.id] : [])));
}

export class Views {
  readonly #store: Store;
  /** Views not written yet, by the id of their row. */
  #fresh = new Map<string, Gathered>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Counts a view of a page, except by its owner. */
  note({ agent_id, account_id, listing_id }: Viewed, by: Viewer): void {
    if (by.account_id === account_id) return;
    const day = dayOf(by.now_ms);
    const id = `${day}:${listing_id ?? agent_id}`;
    const known = this.#fresh.get(id);
    if (known) {
      if (by.account_id === '' || by.account_id !== known.by) known.n += 1;
      known.by = by.account_id;
    } else if (this.#fresh.size < PAGES_MAX) {
      this.#fresh.set(id, { agent_id, listing_id, day, n: 1, by: by.account_id });
    }
  }

  /** Writes the gathered views. */
  async flush(): Promise<void> {
    // Views during the write are gathered in a new map.
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
      attempt: async (read) => {
        const left = await whoLeft(read, new Set(slice.map(([, { agent_id }]) => agent_id)));
        const counted = slice.filter(([, { agent_id }]) => !left.has(agent_id));
        return {
          reply: null,
          effects: counted.flatMap(([id, { agent_id, listing_id, day, n }]) => [
            insert('views', { id, agent_id, listing_id, day, n: 0 }, 'ignore'),
            // Other nodes count the same pages.
            apply('views', id, (row) => ({ n: row.n + n })),
          ]),
        };
      },
    });
  }

  /** Adds unwritten views back to those gathered since. */
  #takeBack(unwritten: readonly [id: string, Gathered][]): void {
    for (const [id, gathered] of unwritten) {
      const known = this.#fresh.get(id);
      if (known) known.n += gathered.n;
      else if (this.#fresh.size < PAGES_MAX) this.#fresh.set(id, gathered);
    }
  }
}
