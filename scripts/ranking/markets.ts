// The tasks that pass through a service: what is published, who asks, and who is right. A market is what is live at the
// same time; each row of it is a listing as its owner would write it, but for what the task withholds.
//
// Amounts are the same for all, since most rows name none and a listing of these types without one stays a draft. Places
// are the rows' own. A label that is withheld is replaced by a number that nobody else carries: listings need one label,
// and numbers are no words to the embedder. The public APIs are left out: no field says whom they would be right for.

import { terms } from '../../src/outbound/embedder/built-in.ts';
import { type Half, halvesOf } from './halves.ts';
import { part, type Row, withoutPart } from './listings.ts';
import type { Gains } from './measures.ts';
import { byCategory, byLabel, ownText, type Relevance, without } from './relevance.ts';

/** A listing to publish; `id` is its row's, with a mark where one row is published twice. */
export interface Listing {
  readonly id: string;
  readonly card_type: 'hiring' | 'job_seeking' | 'buying' | 'selling';
  readonly headline: string;
  readonly description: string;
  readonly geo: string | null;
  /** Empty where all are withheld. */
  readonly labels: readonly string[];
}

export interface Query {
  readonly id: string;
  readonly gains: Gains<string>;
}

export interface ServiceTask {
  readonly name: string;
  /** Ids of the listings that ask, and of those that may be right. */
  readonly seeks: readonly string[];
  readonly offers: readonly string[];
  /** The seeks that have somebody right. */
  readonly queries: readonly Query[];
}

export interface Market {
  readonly listings: readonly Listing[];
  readonly tasks: readonly ServiceTask[];
}

/** The longest headline that is taken. */
const HEADLINE_MAX = 140;

/** The rows of each source that tasks use. */
export interface Sources {
  readonly postings: readonly Row[];
  readonly occupations: readonly Row[];
  readonly topics: readonly Row[];
  readonly awards: readonly Row[];
}

/** Sorts rows into their sources; of one half, or all. */
export function sourcesOf(rows: readonly Row[], half?: Half): Sources {
  const halves = half && halvesOf(rows);
  const of = (source: string): Row[] =>
    rows.filter((row) => row.source === source && (!halves || halves.get(row.id) === half));
  return { postings: of('nyc-jobs'), occupations: of('onet'), topics: of('sbir-topics'), awards: of('sbir-awards') };
}

function listing(row: Row, card_type: Listing['card_type'], change: Partial<Listing> = {}): Listing {
  const { id, headline, description, geo, labels } = row;
  return { id, card_type, headline, description, geo, labels, ...change };
}

/** A posting without its category, in its description and among its labels. */
function withoutCategory(row: Row): Listing {
  const names = part(row, 'Category').split(/[;,&]/);
  const hidden = new Set(
    names.map(
      (name) =>
        name
          .toLowerCase()
          .match(/[a-z0-9]+/g)
          ?.join('-') ?? '',
    ),
  );
  return listing(row, 'hiring', {
    description: withoutPart(row, 'Category'),
    labels: row.labels.filter((label) => !hidden.has(label)),
  });
}

/** A topic without the words of its labels, as far as headline and description go. */
function masked(row: Row): Listing {
  const hidden = new Set(terms(row.labels.join(' ').replaceAll('-', ' ')));
  const left = without(row.headline, hidden);
  return listing(row, 'buying', {
    headline: left || 'Research topic',
    description: without(row.description, hidden),
    labels: [],
  });
}

/** A text whose title is withheld: its first sentence is what is left for a headline. */
function untitled(row: Row, card_type: Listing['card_type']): Listing {
  const first = /^.*?[.!?](?= |$)/.exec(row.description)?.[0] ?? row.description;
  const headline = first.length <= HEADLINE_MAX ? first : first.slice(0, first.lastIndexOf(' ', HEADLINE_MAX));
  return listing(row, card_type, { headline, description: row.description.slice(headline.length).trim(), labels: [] });
}

const SEEK = 'title:';

/** A title that asks, as somebody in a hurry writes. */
function titleAlone(row: Row, card_type: Listing['card_type']): Listing {
  return listing(row, card_type, { id: `${SEEK}${row.id}`, description: '', geo: null, labels: [] });
}

function task(
  name: string,
  { seeks, offers, relevance }: { seeks: readonly Row[]; offers: readonly Row[]; relevance: Relevance },
  mark = '',
): ServiceTask {
  const queries = seeks.map((row) => ({ id: `${mark}${row.id}`, gains: relevance(row) }));
  return {
    name,
    seeks: queries.map(({ id }) => id),
    offers: offers.map(({ id }) => id),
    queries: queries.filter(({ gains }) => gains.size > 0),
  };
}

/** All that is wanted and offered at once: postings and occupations, topics and awards without their labels. */
function wholeListings({ postings, occupations, topics, awards }: Sources, labels: Relevance): Market {
  const unlabelled = { labels: [] };
  return {
    listings: [
      ...postings.map(withoutCategory),
      ...occupations.map((row) => listing(row, 'job_seeking')),
      ...topics.map((row) => listing(row, 'buying', unlabelled)),
      ...awards.map((row) => listing(row, 'selling', unlabelled)),
    ],
    tasks: [
      task('whole listing', { seeks: postings, offers: occupations, relevance: byCategory(occupations) }),
      task('topics by label', { seeks: topics, offers: awards, relevance: labels }),
    ],
  };
}

/** Topics that do not say the words of their labels, and titles of occupations that look for their texts. */
function maskedWords({ occupations, topics, awards }: Sources, labels: Relevance): Market {
  const titles = occupations.filter((row) => ownText(row).size > 0);
  const own: Relevance = (row) => ownText(row);
  return {
    listings: [
      ...topics.map(masked),
      ...awards.map((row) => listing(row, 'selling', { labels: [] })),
      ...titles.map((row) => titleAlone(row, 'hiring')),
      ...occupations.map((row) => untitled(row, 'job_seeking')),
    ],
    tasks: [
      task('topics, label words masked', { seeks: topics, offers: awards, relevance: labels }),
      task('own title, occupations', { seeks: titles, offers: occupations, relevance: own }, SEEK),
    ],
  };
}

/** Titles that share few words with their texts look for these among topics and awards. */
function ownTitles({ topics, awards }: Sources): Market {
  const texts = [...topics, ...awards];
  const titles = texts.filter((row) => ownText(row).size > 0);
  return {
    listings: [...titles.map((row) => titleAlone(row, 'buying')), ...texts.map((row) => untitled(row, 'selling'))],
    tasks: [task('own title, topics and awards', { seeks: titles, offers: texts, relevance: ownText }, SEEK)],
  };
}

export function markets(rows: readonly Row[], half: Half): Market[] {
  const sources = sourcesOf(rows, half);
  const all = sourcesOf(rows);
  const labels = byLabel(sources.awards, [...all.topics, ...all.awards]);
  return [wholeListings(sources, labels), maskedWords(sources, labels), ownTitles(sources)];
}

/** The text of a listing as everybody reads it, for rankers that know nothing of listings. */
export function textOf({ headline, description, geo, labels }: Listing): string {
  const spoken = labels.map((label) => label.replaceAll('-', ' ')).join(', ');
  return [headline, description, geo ?? '', spoken].filter((text) => text !== '').join('\n');
}
