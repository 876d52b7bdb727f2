// Finds the passage of the service's documentation that answers a question best, and which headings come near.
import type { DoorWord } from '../next-step.ts';
import { type Language, makeWordSearch, type Ranking, type Searched } from '../text/word-search.ts';

/** A piece of the documentation that can be quoted by itself: its title is the heading right above it, `about` the headings above that
 * and the names of its call. */
export interface Passage extends Omit<Searched, 'text'> {
  /** The name of the document, as it is told. */
  readonly document: string;
  readonly text: DoorWord;
}

/** What the documentation has on a question. */
export interface Answer {
  /** The passage that answers it best, or null where none says enough of what was asked. */
  readonly found: Passage | null;
  /** Headings, the nearest first: beside a passage found those that come close behind it, else what is nearest to the question. */
  readonly near: readonly string[];
}

/** Documentation that one can ask. */
export interface Manual {
  answer(question: string): Answer;
  /** The passages that say most of what was asked, one of each heading, the best first. */
  find(question: string): readonly Passage[];
  /** The words by which the documentation speaks of a tool: the headings of what names it, and how else those are asked for. */
  wordsOf(tool: string): string;
}

/** One that can be made ready before anybody asks. */
export interface PreparedManual extends Manual {
  /** Makes it in slices of a few milliseconds, between which others have their turn. */
  prepare(): Promise<void>;
}

/** A quoted passage has at most so many characters. */
export const PASSAGE_MAX = 600;

/** Whether a question is about the service at all: how much of its words the best passage answers, how many of them stand anywhere in
 * the documentation, and how near in meaning the passage is. Measured on questions with an answer and without one. */
const KNOWN_WEIGHS = 0.6;
const CLOSENESS_WEIGHS = 0.5;
const SURE_MIN = 1.06;

/** So many headings are named where no passage answers, and so many beside one that does. */
const NEAR_MAX = 3;
const BESIDE_MAX = 2;
/** What comes so close behind the best may as well be meant. */
const BESIDE_MIN = 0.5;

/** The address of a call, whose parts are in the text of every call of that kind. */
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

/** So many passages are found for who looks through them. */
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

/** Indexes passages, in slices. Those of equal merit are found in their order. What is only looked up answers no question, and weighs
 * nothing in what does. */
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
