// Two halves of the real listings that share no document: weights are chosen on one, what is reported is measured on the
// other. Near-duplicates (an award's second phase, a posting in two divisions) and rows of one headline fall together,
// since a half that holds a copy of the other's text has seen it.

import { terms } from '../../src/outbound/embedder/built-in.ts';
import type { Row } from './listings.ts';

export type Half = 'tuning' | 'reporting';

/** Words in a row that are compared as one. */
const RUN_WORDS = 3;
/** Runs in more rows than this are a form's own words ("Career level: Experienced"), and make nothing alike. */
const TEMPLATE_ROWS = 30;
/** Texts are near-duplicates that share this part of all their runs. Lower, and chains of postings grow to hundreds. */
const NEAR_SHARE = 0.3;

function runsOf({ headline, description }: Row): Set<string> {
  const words = terms(`${headline} ${description}`);
  const runs = new Set<string>();
  for (let at = 0; at + RUN_WORDS <= words.length; at += 1) runs.add(words.slice(at, at + RUN_WORDS).join(' '));
  return runs;
}

/** Sets of rows that were found to belong together. */
class Groups {
  readonly #first: number[];

  constructor(size: number) {
    this.#first = Array.from({ length: size }, (_, i) => i);
  }

  /** The first row of the group that a row is in. */
  of(row: number): number {
    let at = row;
    for (let next = this.#first[at] ?? at; next !== at; next = this.#first[at] ?? at) {
      this.#first[at] = this.#first[next] ?? next;
      at = next;
    }
    return at;
  }

  join(a: number, b: number): void {
    const [x, y] = [this.of(a), this.of(b)];
    this.#first[Math.max(x, y)] = Math.min(x, y);
  }
}

function joinEqualHeadlines(rows: readonly Row[], groups: Groups): void {
  const seen = new Map<string, number>();
  rows.forEach(({ headline }, i) => {
    const key = terms(headline).sort().join(' ') || headline;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, i);
    else groups.join(first, i);
  });
}

function joinNearDuplicates(rows: readonly Row[], groups: Groups): void {
  const carriers = new Map<string, number[]>();
  const all = rows.map(runsOf);
  all.forEach((runs, i) => {
    for (const run of runs) {
      const list = carriers.get(run);
      if (list) list.push(i);
      else carriers.set(run, [i]);
    }
  });
  const telling = all.map((runs) => [...runs].filter((run) => (carriers.get(run)?.length ?? 0) <= TEMPLATE_ROWS));
  telling.forEach((runs, i) => {
    const shared = new Map<number, number>();
    for (const run of runs) {
      for (const j of carriers.get(run) ?? []) if (j < i) shared.set(j, (shared.get(j) ?? 0) + 1);
    }
    for (const [j, count] of shared) {
      const union = runs.length + (telling[j]?.length ?? 0) - count;
      if (count >= NEAR_SHARE * union) groups.join(i, j);
    }
  });
}

/** The half of each row, by a hash of the least id among those that belong together; rows may come in any order. */
export function halvesOf(rows: readonly Row[]): Map<string, Half> {
  const ordered = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const groups = new Groups(ordered.length);
  joinEqualHeadlines(ordered, groups);
  joinNearDuplicates(ordered, groups);
  return new Map(
    ordered.map(({ id }, i) => {
      const first = ordered[groups.of(i)]?.id ?? id;
      const even = (new Bun.CryptoHasher('sha256').update(first).digest()[0] ?? 0) % 2 === 0;
      return [id, even ? 'tuning' : 'reporting'];
    }),
  );
}
