// Finds the passage of the service's documentation that best answers a question, and related headings.
import type { DoorWord } from '../next-step.ts';
import { type Language, makeWordSearch, type Ranking, type Searched } from '../text/word-search.ts';

/** A part of the documentation that can be quoted alone: its title is the heading right above it, `about` the headings above that and
 * the names of its call. */
export interface Passage extends Omit<Searched, 'text'> {
  /** The name of the document for readers. */
  readonly document: string;
  readonly text: DoorWord;
}

export interface Answer {
  /** The best passage, or null where none matches well enough. */
  readonly found: Passage | null;
  /** Related headings, nearest first: the runners-up of a found passage, else those nearest to the question. */
  readonly near: readonly string[];
}

/** Documentation with a search for answers. */
export interface Manual {
  answer(question: string): Answer;
  /** The best passages for a question, one for each heading, best first. */
  find(question: string): readonly Passage[];
  /** Words about a tool in the documentation: the headings and keywords of passages that name it. */
  wordsOf(tool: string): string;
}

/** A manual whose index is built at the first question. */
export interface PreparedManual extends Manual {
  /** Builds it in slices of a few milliseconds, so that other work can run in between. */
  prepare(): Promise<void>;
}

/** The limit of a quoted passage in characters. */
export const PASSAGE_MAX = 600;

/** Weights that decide whether a question is about the service: the share of its words in the best passage, the share of its words that
 * the documentation knows, and the closeness in meaning. Measured on questions with and without an answer. */
const KNOWN_WEIGHS = 0.6;
const CLOSENESS_WEIGHS = 0.5;
const SURE_MIN = 1.063;

/** Headings named without a found passage, and beside one. */
const NEAR_MAX = 3;
const BESIDE_MAX = 2;
/** A passage with this share of the best score may be meant instead. */
const BESIDE_MIN = 0.5;

/** The address of a call, whose parts occur in many calls. */
const ADDRESS = /\b(?:GET|POST|PATCH|PUT|DELETE) \/\S{0,200}/g;

function answerOf(passages: readonly Passage[], { ranked, known, closeness }: Ranking): Answer {
  const [best] = ranked;
  const found = (best && passages[best.at]) ?? null;
  if (!best || !found) return { found: null, near: [] };
  const titlesOf = (score_min: number): string[] => [
    ...new Set(ranked.filter(({ score }) => score >= score_min).map(({ at }) => passages[at]?.title ?? '')),
  ];
  const sure = best.answered + KNOWN_WEIGHS * known + CLOSENESS_WEIGHS * closeness(best);
  if (sure < SURE_MIN) return { found: null, near: titlesOf(0).slice(0, NEAR_MAX) };
  const beside = titlesOf(BESIDE_MIN * best.score).filter((title) => title !== found.title);
  return { found, near: beside.slice(0, BESIDE_MAX) };
}

/** The limit of `find`. */
const FOUND_MAX = 20;

interface Scored {
  readonly passage: Passage;
  readonly score: number;
}

function scored(passages: readonly Passage[], { ranked }: Ranking): Scored[] {
  return ranked.flatMap(({ at, score }) => {
    const passage = passages[at];
    return passage ? [{ passage, score }] : [];
  });
}

function firstOfEach(all: readonly Scored[]): readonly Passage[] {
  const found = new Map<string, Passage>();
  for (const { passage } of all.toSorted((a, b) => b.score - a.score)) {
    const heading = `${passage.document} ${passage.title}`;
    if (!found.has(heading)) found.set(heading, passage);
    if (found.size === FOUND_MAX) break;
  }
  return [...found.values()];
}

/** A tool as a passage names it. */
const TOOL = /\bmesh_[a-z_]{1,60}/g;

/** The words of the passages that name each tool. */
function wordsByTool(passages: readonly Passage[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { title, keywords, text } of passages) {
    for (const tool of new Set(text.tools.match(TOOL))) {
      words.set(tool, `${words.get(tool) ?? ''} ${title} ${keywords}`);
    }
  }
  return words;
}

const searched = (passage: Passage): Searched => ({
  ...passage,
  text: passage.text.http.replaceAll(ADDRESS, ' '),
});

/** Indexes passages in slices. Passages of equal score keep their order. Passages for lookup only answer no question, and do not
 * affect the weights of others. */
export function* makeManual(
  passages: readonly Passage[],
  language: Language,
  looked_up: readonly Passage[] = [],
): Generator<void, Manual> {
  const search = yield* makeWordSearch(passages.map(searched), language);
  const look = yield* makeWordSearch(looked_up.map(searched), language);
  const words = wordsByTool(passages);
  return {
    answer: (question) => answerOf(passages, search(question)),
    find: (question) => firstOfEach([...scored(passages, search(question)), ...scored(looked_up, look(question))]),
    wordsOf: (tool) => words.get(tool) ?? '',
  };
}
