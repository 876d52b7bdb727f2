// The ranking tasks. What decides relevance is always a field that neither side of the ranking shows, and each task says
// which; where a withheld word also stands in the text shown, it is cut out if the task is about little shared wording.

import { terms } from '../../src/outbound/embedder/words.ts';
import { familiesOfPosting, familiesOfTitle } from './families.ts';
import { part, type Row } from './listings.ts';

export interface Query {
  readonly text: string;
  /** Gain, 1 to 3, by number of the document; what is missing is not relevant. */
  readonly gains: ReadonlyMap<number, number>;
}

export interface Task {
  readonly name: string;
  readonly documents: readonly string[];
  readonly queries: readonly Query[];
}

/** Labels on more rows than this ("machine-learning") do not make two texts relevant to each other. */
const COMMON_LABEL = 100;
/** Words of titles that say rank or form of employment, not work. */
const RANKS = new Set(
  terms(
    'senior junior assistant associate administrative city principal specialist except manager first line worker ' +
      'deputy all general intern college aide part time director supervisor chief',
  ),
);

const whole = (row: Row): string => `${row.headline}. ${row.description}`;
const titleTerms = (title: string): Set<string> => new Set(terms(title).filter((term) => !RANKS.has(term)));

/** A text without the words of which the stem is in `hidden`. */
function without(text: string, hidden: ReadonlySet<string>): string {
  return (text.match(/\w+/g) ?? []).filter((word) => !terms(word).some((term) => hidden.has(term))).join(' ');
}

function counts(sets: readonly Iterable<string>[]): Map<string, number> {
  const seenIn = new Map<string, number>();
  for (const set of sets) for (const item of new Set(set)) seenIn.set(item, (seenIn.get(item) ?? 0) + 1);
  return seenIn;
}

/**
 * A posting's title, civil service title and division against occupations' task statements. Relevant: the occupation's
 * withheld title belongs to the posting's withheld category.
 */
function jobsByCategory(postings: readonly Row[], occupations: readonly Row[]): Task {
  const families = occupations.map(({ headline }) => new Set(familiesOfTitle(headline)));
  const queries = postings.map((row) => {
    const wanted = familiesOfPosting(row);
    const gains = new Map<number, number>();
    families.forEach((own, i) => {
      const shared = wanted.filter((family) => own.has(family)).length;
      if (shared > 0) gains.set(i, Math.min(shared, 3));
    });
    return { text: [row.headline, part(row, 'Civil service title'), part(row, 'Division')].join('. '), gains };
  });
  return { name: 'jobs by category', documents: occupations.map(({ description }) => description), queries };
}

/**
 * A posting without its civil service title, and without that title's words, against task statements. Relevant: the two
 * withheld titles share words, graded by how rare these are.
 */
function jobsByTitle(postings: readonly Row[], occupations: readonly Row[]): Task {
  const titles = occupations.map(({ headline }) => titleTerms(headline));
  const seenIn = counts(titles);
  const rarity = (words: Iterable<string>): number => {
    let sum = 0;
    for (const word of words) sum += Math.log(titles.length / (seenIn.get(word) ?? titles.length));
    return sum;
  };
  const queries = postings.map((row) => {
    const wanted = titleTerms(part(row, 'Civil service title'));
    const gains = new Map<number, number>();
    titles.forEach((own, i) => {
      const shared = rarity(wanted.intersection(own)) / (rarity(wanted.union(own)) || 1);
      if (shared >= 0.2) gains.set(i, shared >= 0.5 ? 2 : 1);
    });
    const shown = [part(row, 'Category'), part(row, 'Division'), part(row, 'Agency')].join('. ');
    return { text: `${without(row.headline, wanted)}. ${shown}`, gains };
  });
  return { name: 'jobs by title', documents: occupations.map(({ description }) => description), queries };
}

/**
 * A research topic against awards. Relevant: they share withheld labels, graded by how rare these are. Many labels were
 * taken from the texts word for word, which favours rankers of words; `masked` cuts the words of the topic's labels out
 * of it, so that what makes an award relevant has to be understood from the rest.
 */
function topicsByLabel(topics: readonly Row[], awards: readonly Row[], masked: boolean): Task {
  const seenIn = counts([...topics, ...awards].map(({ labels }) => labels));
  const total = topics.length + awards.length;
  const carriers = new Map<string, number[]>();
  awards.forEach(({ labels }, i) => {
    for (const label of labels) carriers.set(label, [...(carriers.get(label) ?? []), i]);
  });
  const queries = topics.map((row) => {
    const shared = new Map<number, number>();
    for (const label of row.labels) {
      const count = seenIn.get(label) ?? 0;
      if (count > COMMON_LABEL) continue;
      for (const i of carriers.get(label) ?? []) shared.set(i, (shared.get(i) ?? 0) + Math.log(total / count));
    }
    const gains = new Map(Array.from(shared, ([i, rarity]) => [i, rarity < 5 ? 1 : rarity < 10 ? 2 : 3]));
    const hidden = new Set(terms(row.labels.join(' ').replaceAll('-', ' ')));
    return { text: masked ? without(whole(row), hidden) : whole(row), gains };
  });
  const name = masked ? 'topics, label words masked' : 'topics by label';
  return { name, documents: awards.map(whole), queries };
}

/** A title finds its own text among all; only titles of which at most a quarter of the words stand in that text. */
function ownTitle(name: string, rows: readonly Row[]): Task {
  const queries = rows.map((row, i) => {
    const title = new Set(terms(row.headline));
    const shared = title.intersection(new Set(terms(row.description))).size;
    const few = shared <= Math.max(1, Math.floor(title.size / 4));
    return { text: row.headline, gains: new Map(few ? [[i, 1]] : []) };
  });
  return {
    name: `own title, few words shared: ${name}`,
    documents: rows.map(({ description }) => description),
    queries,
  };
}

/** All tasks; `half` 0 is for choosing weights, 1 for reporting. Queries without a relevant document are left out. */
export function rankingTasks(rows: ReadonlyMap<string, readonly Row[]>, half: 0 | 1): Task[] {
  const of = (source: string): readonly Row[] => rows.get(source) ?? [];
  const tasks = [
    jobsByCategory(of('nyc-jobs'), of('onet')),
    jobsByTitle(of('nyc-jobs'), of('onet')),
    topicsByLabel(of('sbir-topics'), of('sbir-awards'), false),
    topicsByLabel(of('sbir-topics'), of('sbir-awards'), true),
    ownTitle('occupations', of('onet')),
    ownTitle('topics and awards', [...of('sbir-topics'), ...of('sbir-awards')]),
  ];
  return tasks.map((task) => ({
    ...task,
    queries: task.queries.filter(({ gains }, i) => i % 2 === half && gains.size > 0),
  }));
}
