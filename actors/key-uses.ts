// When keys were last used: a lossy fact, gathered in memory and written down every half minute, so that it costs a
// request nothing but a map entry.
import { apply, insert } from '../db/effects.ts';
import { keyById } from '../db/queries/identity.ts';
import type { Store } from '../db/store.ts';

/** Keys in one turn: more would keep others from their commits. */
const SLICE = 250;

export class KeyUses {
  readonly #store: Pick<Store, 'turn'>;
  /** The unwritten uses. */
  readonly #fresh = new Map<string, number>();

  constructor(store: Pick<Store, 'turn'>) {
    this.#store = store;
  }

  /** A key was taken as a credential. */
  note(key_id: string, now_ms: number): void {
    this.#fresh.set(key_id, now_ms);
  }

  /** The last use that is not yet written down, or null. */
  unwritten(key_id: string): number | null {
    return this.#fresh.get(key_id) ?? null;
  }

  /** Writes down what was gathered. */
  async flush(): Promise<void> {
    const due = [...this.#fresh];
    for (let at = 0; at < due.length; at += SLICE) await this.#write(due.slice(at, at + SLICE));
  }

  async #write(slice: readonly [id: string, last_used_at: number][]): Promise<void> {
    await this.#store.turn({
      attempt: async (read) => {
        // The commit checks the keys again: the use of an erased key must not be written after it.
        const keys = await Promise.all(slice.map(([id]) => read(keyById, { id })));
        const stand = slice.filter((_, at) => keys[at]);
        return {
          reply: null,
          effects: stand.flatMap(([id, last_used_at]) => [
            insert('key_uses', { id, last_used_at }, 'ignore'),
            apply('key_uses', id, () => ({ last_used_at })),
          ]),
        };
      },
    });
    // Entries go only once they are on disk, and only if no newer use came meanwhile.
    for (const [id, last_used_at] of slice) if (this.#fresh.get(id) === last_used_at) this.#fresh.delete(id);
  }
}
