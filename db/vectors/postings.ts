// Which listings carry a label, for one side: finding those that share labels reads their lists only.

export interface Posted {
  readonly id: string;
  labels: readonly string[];
  /** Its place in the matrix and among the words. */
  row: number;
}

export class Postings {
  /** Arrays, which are filled five times as fast as sets; a removal looks through one, some microseconds. */
  readonly #lists = new Map<string, Posted[]>();

  add(posted: Posted): void {
    for (const label of posted.labels) {
      const list = this.#lists.get(label);
      if (!list) this.#lists.set(label, [posted]);
      // A label that a listing names twice counts once.
      else if (list[list.length - 1] !== posted) list.push(posted);
    }
  }

  remove(posted: Posted): void {
    for (const label of posted.labels) {
      const list = this.#lists.get(label);
      const at = list?.indexOf(posted) ?? -1;
      if (!list || at < 0) continue;
      const last = list.pop();
      if (last && last !== posted) list[at] = last;
      if (list.length === 0) this.#lists.delete(label);
    }
  }

  /** Every listing that carries a label, in no order. */
  withLabel(label: string): Iterable<Posted> {
    return this.#lists.get(label) ?? [];
  }

  /** Adds to each row that carries a label how telling that is. */
  gather(label: string, telling: number, sums: Float32Array): void {
    const list = this.#lists.get(label);
    if (!list) return;
    for (const { row } of list) sums[row] = (sums[row] ?? 0) + telling;
  }
}
