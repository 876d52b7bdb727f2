// Who is right for whom, by fields that neither side shows: a category, a title, labels. Counts of labels and of words
// of titles are those of all rows, whichever half is measured: how rare a label is does not depend on the half.

import { terms } from '../../src/outbound/embedder/built-in.ts';
import { familiesOfPosting, familiesOfTitle } from './families.ts';
import { part, type Row } from './listings.ts';
import type { Gains } from './measures.ts';

/** The right documents of a query by their rows' ids; a query without any is left out of its task. */
export type Relevance = (query: Row) => Gains<string>;

/** Labels on more rows than this ("machine-learning") do not make two texts relevant to each other. */
const COMMON_LABEL = 100;
/** Words of titles that say rank or form of employment, not work. */
const RANKS = new Set(
  terms(
    'senior junior assistant associate administrative city principal specialist except manager first line worker ' +
      'deputy all general intern college aide part time director supervisor chief',
  ),
);

/** The words of a title that name the work. */
export function titleTerms(title: string): Set<string> {
  return new Set(terms(title).filter((term) => !RANKS.has(term)));
}

function counts(sets: readonly Iterable<string>[]): Map<string, number> {
  const seenIn = new Map<string, number>();
  for (const set of sets) for (const item of new Set(set)) seenIn.set(item, (seenIn.get(item) ?? 0) + 1);
  return seenIn;
}

/** An occupation is right for a posting whose category its title belongs to. */
export function byCategory(occupations: readonly Row[]): Relevance {
  const families = occupations.map(({ id, headline }) => ({ id, own: new Set(familiesOfTitle(headline)) }));
  return (posting) => {
    const wanted = familiesOfPosting(posting);
    const gains = new Map<string, number>();
    for (const { id, own } of families) {
      const shared = wanted.filter((family) => own.has(family)).length;
      if (shared > 0) gains.set(id, Math.min(shared, 3));
    }
    return gains;
  };
}

/** An occupation is right for a posting when its title shares words with the civil service title, the rarer the more. */
export function byTitle(occupations: readonly Row[], all: readonly Row[]): Relevance {
  const titles = occupations.map(({ id, headline }) => ({ id, own: titleTerms(headline) }));
  const seenIn = counts(all.map(({ headline }) => titleTerms(headline)));
  const rarity = (words: Iterable<string>): number => {
    let sum = 0;
    for (const word of words) sum += Math.log(all.length / (seenIn.get(word) ?? all.length));
    return sum;
  };
  return (posting) => {
    const wanted = titleTerms(part(posting, 'Civil service title'));
    const gains = new Map<string, number>();
    for (const { id, own } of titles) {
      const shared = rarity(wanted.intersection(own)) / (rarity(wanted.union(own)) || 1);
      if (shared >= 0.2) gains.set(id, shared >= 0.5 ? 2 : 1);
    }
    return gains;
  };
}

/** An award is right for a topic that shares labels with it, graded by how rare these are among `all`. */
export function byLabel(awards: readonly Row[], all: readonly Row[]): Relevance {
  const seenIn = counts(all.map(({ labels }) => labels));
  const carriers = new Map<string, string[]>();
  for (const { id, labels } of awards) {
    for (const label of labels) carriers.set(label, [...(carriers.get(label) ?? []), id]);
  }
  return (topic) => {
    const shared = new Map<string, number>();
    for (const label of topic.labels) {
      const count = seenIn.get(label) ?? 0;
      if (count > COMMON_LABEL) continue;
      for (const id of carriers.get(label) ?? []) shared.set(id, (shared.get(id) ?? 0) + Math.log(all.length / count));
    }
    return new Map(Array.from(shared, ([id, rarity]) => [id, rarity < 5 ? 1 : rarity < 10 ? 2 : 3]));
  };
}

/** A title's own text is right for it; only titles of which at most a quarter of the words stand in that text. */
export function ownText(row: Row): Gains<string> {
  const title = new Set(terms(row.headline));
  const shared = title.intersection(new Set(terms(row.description))).size;
  return new Map(shared <= Math.max(1, Math.floor(title.size / 4)) ? [[row.id, 1]] : []);
}

/** A text without the words of which the stem is in `hidden`; what stands between them stays. */
export function without(text: string, hidden: ReadonlySet<string>): string {
  const left = text.replace(/\w+/g, (word) => (terms(word).some((term) => hidden.has(term)) ? '' : word));
  return left.replace(/ {2,}/g, ' ').trim();
}
