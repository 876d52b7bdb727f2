// Tells whoever follows one row of each commit that changed it, on this node or on another: what is followed by a number of its
// own, as a task's updates are, is then read again. Only tables whose changes are told can be watched (schema/told.ts).
import { nameOf, type Told } from '../db/schema/told.ts';
import type { CommitNotice, Store } from '../db/store.ts';

export class RowWatch {
  readonly #woken = new Map<string, Set<() => void>>();

  constructor(store: Pick<Store, 'onCommit'>) {
    store.onCommit((notice) => this.#wake(notice));
  }

  /** Calls `woken` after each commit that changed the row; answers what ends it. */
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
