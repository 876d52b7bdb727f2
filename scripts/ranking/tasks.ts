// The tasks of the formula alone: one text against many, without a service. What decides relevance is always a field
// that neither side of the ranking shows, and each task says which; where a withheld word also stands in the text shown,
// it is cut out if the task is about little shared wording.

import { terms } from '../../src/outbound/embedder/built-in.ts';
import type { Half } from './halves.ts';
import { part, type Row } from './listings.ts';
import { sourcesOf } from './markets.ts';
import type { Gains } from './measures.ts';
import { byCategory, byLabel, byTitle, ownText, type Relevance, titleTerms, without } from './relevance.ts';

export interface Query {
  readonly text: string;
  /** By number of the document. */
  readonly gains: Gains<number>;
}

export interface Task {
  readonly name: string;
  readonly documents: readonly string[];
  readonly queries: readonly Query[];
}

const whole = (row: Row): string => `${row.headline}. ${row.description}`;
const tasksOnly = ({ description }: Row): string => description;

function task(
  name: string,
  queries: readonly Row[],
  documents: readonly Row[],
  rules: { relevance: Relevance; asks: (row: Row) => string; shows: (row: Row) => string },
): Task {
  const at = new Map(documents.map(({ id }, i) => [id, i]));
  const made = queries.map((row) => {
    const gains = Array.from(rules.relevance(row), ([id, gain]): [number, number] => [at.get(id) ?? -1, gain]);
    return { text: rules.asks(row), gains: new Map(gains) };
  });
  return { name, documents: documents.map(rules.shows), queries: made.filter(({ gains }) => gains.size > 0) };
}

/** A posting's title, civil service title and division, by its category. */
function withoutCategory(row: Row): string {
  return [row.headline, part(row, 'Civil service title'), part(row, 'Division')].join('. ');
}

/** A posting without its civil service title and without that title's words. */
function withoutTitle(row: Row): string {
  const shown = [part(row, 'Category'), part(row, 'Division'), part(row, 'Agency')].join('. ');
  return `${without(row.headline, titleTerms(part(row, 'Civil service title')))}. ${shown}`;
}

/**
 * A topic without the words of its labels: many were taken from the texts word for word, which favours rankers of words,
 * and so what makes an award relevant has to be understood from the rest.
 */
function masked(row: Row): string {
  return without(whole(row), new Set(terms(row.labels.join(' ').replaceAll('-', ' '))));
}

/** All tasks of one half. Queries without a relevant document are left out. */
export function rankingTasks(rows: readonly Row[], half: Half): Task[] {
  const { postings, occupations, topics, awards } = sourcesOf(rows, half);
  const all = sourcesOf(rows);
  const category = byCategory(occupations);
  const title = byTitle(occupations, all.occupations);
  const relevance = byLabel(awards, [...all.topics, ...all.awards]);
  const own = { relevance: ownText, asks: ({ headline }: Row): string => headline, shows: tasksOnly };
  const both = [...topics, ...awards];
  return [
    task('jobs by category', postings, occupations, { relevance: category, asks: withoutCategory, shows: tasksOnly }),
    task('jobs by title', postings, occupations, { relevance: title, asks: withoutTitle, shows: tasksOnly }),
    task('topics by label', topics, awards, { relevance, asks: whole, shows: whole }),
    task('topics, label words masked', topics, awards, { relevance, asks: masked, shows: whole }),
    task('own title, few words shared: occupations', occupations, occupations, own),
    task('own title, few words shared: topics and awards', both, both, own),
  ];
}
