// Wakes the followers of one row after each commit that changed it, on this node or another; they then read the numbered rows
// under it, such as a task's updates. Only tables whose changes are announced can be watched (schema/told.ts).
import { nameOf, type Told } from '../db/schema/told.ts';
import type { CommitNotice, Store } from '../db/store.ts';

export class RowWatch {
  readonly #woken = new Map<string, Set<() => void>>();

  constructor(store: Pick<Store, 'onCommit'>) {
    store.onCommit((notice) => this.#wake(notice));
  }

  /** Calls `woken` after each commit that changed the row; returns the function that ends it. */
  watch(row: Told, woken: () => void): () => void {
    const name = nameOf(row);
    const watching = this.#woken.get(name) ?? new Set();
    this.#woken.set(name, watching.add(woken));
    return () => {
      watching.delete(woken);
      if (watching.size === 0 && this.#woken.get(name) === watching) this.#woken.delete(name);
    };
  }

  #wake({ changed }: CommitNotice): void {
    if (this.#woken.size === 0) return;
    for (const row of changed) for (const woken of this.#woken.get(nameOf(row)) ?? []) woken();
  }
}
