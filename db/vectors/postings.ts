// Which listings carry a label, for one side: finding those that share labels reads their lists only.

/** A listing in the lists, with what a count in progress needs so that no map is built for it. */
export interface Posted {
  readonly id: string;
  labels: readonly string[];
  /** The last count that met this listing, and what it had come to. */
  round: number;
  weight: number;
}

export class Postings {
  /** Arrays, which are filled five times as fast as sets; a removal looks through one, some microseconds. */
  readonly #lists = new Map<string, Posted[]>();
  #round = 0;

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

  /** Up to `limit` ids that share a label, most telling first: a shared label counts more the fewer carry it. */
  nearestByLabels(labels: readonly string[], total: number, limit: number): string[] {
    this.#round += 1;
    const found: Posted[] = [];
    for (const label of new Set(labels)) {
      const list = this.#lists.get(label);
      if (!list) continue;
      const rarity = Math.log(1 + total / list.length);
      for (const posted of list) {
        if (posted.round !== this.#round) {
          posted.round = this.#round;
          posted.weight = 0;
          found.push(posted);
        }
        posted.weight += rarity;
      }
    }
    return found
      .sort((a, b) => b.weight - a.weight)
      .slice(0, limit)
      .map(({ id }) => id);
  }
}
