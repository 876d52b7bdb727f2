// When keys were last used: a lossy fact, gathered in memory and written down every half minute, so that it costs a
// request nothing but a map entry.
import type { Store } from '../db/store.ts';

export class KeyUses {
  readonly #store: Store;
  /** What the table does not know yet. */
  #fresh = new Map<string, number>();

  constructor(store: Store) {
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

  /** Writes down what was gathered; losing the last half minute of it is fine. */
  async flush(): Promise<void> {
    if (this.#fresh.size === 0) return;
    const rows = [...this.#fresh].map(([id, last_used_at]) => ({ id, last_used_at }));
    await this.#store.turn({
      attempt: async () => ({
        reply: null,
        effects: rows.flatMap((row) => [
          { do: 'insert' as const, table: 'key_uses' as const, row, onConflict: 'ignore' as const },
          { do: 'apply' as const, table: 'key_uses' as const, id: row.id, change: () => row },
        ]),
      }),
    });
    // Entries go only once they are on disk, and only if no newer use came meanwhile.
    for (const { id, last_used_at } of rows) if (this.#fresh.get(id) === last_used_at) this.#fresh.delete(id);
  }
}
