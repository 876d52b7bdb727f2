// Finds the passage of the service's documentation that answers a question best, by its words (BM25 over four fields). The index is built
// once; a question is cut to a bound before it is looked at, so that none costs more than another.
import type { DoorWord } from '../next-step.ts';
import { rememberingForm, termsOf } from './words.ts';

/** A piece of the documentation that can be quoted by itself. */
export interface Passage {
  /** The name of the document, as it is told. */
  readonly document: string;
  /** The heading right above it: these words weigh most. */
  readonly title: string;
  /** In which other words it is asked for. */
  readonly keywords: string;
  /** What else it is known by: the headings above that, names of its call. */
  readonly about: string;
  /** As each door has it. */
  readonly text: DoorWord;
  /** Beyond 1 it is preferred to what is as near. */
  readonly merit: number;
}

/** Documentation in which one can search. */
export interface Manual {
  /** The passage that answers a question best, or null where none says enough of what was asked. */
  find(question: string): Passage | null;
  /** What comes nearest to a question that none answers: headings, the nearest first. */
  near(question: string): readonly string[];
}

/** One that can be made ready before anybody asks. */
export interface PreparedManual extends Manual {
  /** Makes it in slices of a few milliseconds, between which others have their turn. */
  prepare(): Promise<void>;
}

/** A quoted passage has at most so many characters. */
export const PASSAGE_MAX = 600;
/** Of a question so much is read; nobody asks longer. */
const QUESTION_MAX = 2_000;
const WORDS_MAX = 40;
/** Whom a question names says nothing of what it asks. */
const NAMED_AGENT = /@\w{1,40}/g;

/** How much a word weighs by the field that it stands in, how much a long field weakens it, and how much of a question's word it
 * answers: a section is about what its heading says, and may name anything else. */
const FIELDS = {
  title: { weight: 5, by_length: 0.2, answers: 1 },
  keywords: { weight: 3, by_length: 0.2, answers: 1 },
  about: { weight: 0.7, by_length: 0.3, answers: 1 },
  text: { weight: 1, by_length: 0.6, answers: 0.6 },
} as const;
/** A word that stands in a passage often says little more than one that stands there once. */
const SATURATION = 1.2;

/** So much of what a question's words weigh has to be answered by one passage, or it was about something else. A word that stands
 * nowhere in the documentation weighs what the question's others do: it may be what is asked for, or mere manner. */
const ANSWERED_MIN = 0.53;

/** The address of a call, whose parts are in the text of every call of that kind. */
const ADDRESS = /\b(?:GET|POST|PATCH|PUT|DELETE) \/\S{0,200}/g;

type Field = keyof typeof FIELDS;
const NAMES: readonly Field[] = ['title', 'keywords', 'about', 'text'];

interface Posting {
  readonly passage: number;
  readonly weight: number;
  readonly answers: number;
}

/** The words of a passage by field, with how often each stands there. */
type Counts = Readonly<Record<Field, { readonly words: ReadonlyMap<string, number>; readonly length: number }>>;

function countsOf(text: string, form: (word: string) => string): Counts[Field] {
  const words = new Map<string, number>();
  const terms = termsOf(text, form);
  for (const term of terms) words.set(term, (words.get(term) ?? 0) + 1);
  return { words, length: terms.length };
}

/** What a passage's words weigh and answer, by the usual lengths of fields. */
function weightsOf(
  counts: Counts,
  usual: Readonly<Record<Field, number>>,
  merit: number,
): Map<string, Pick<Posting, 'weight' | 'answers'>> {
  const found = new Map<string, { sum: number; answers: number }>();
  for (const field of NAMES) {
    const { weight, by_length, answers } = FIELDS[field];
    const { words, length } = counts[field];
    const by = 1 - by_length + (by_length * length) / Math.max(1, usual[field]);
    for (const [word, count] of words) {
      const before = found.get(word) ?? { sum: 0, answers: 0 };
      found.set(word, { sum: before.sum + (weight * count) / by, answers: Math.max(before.answers, answers) });
    }
  }
  return new Map(
    [...found].map(([word, { sum, answers }]) => [word, { weight: (merit * sum) / (sum + SATURATION), answers }]),
  );
}

/** Passages counted before others have their turn: a few milliseconds. */
const SLICE = 12;

/** Where each word stands, and how much it weighs there. */
function* indexOf(passages: readonly Passage[]): Generator<void, ReadonlyMap<string, readonly Posting[]>> {
  const form = rememberingForm();
  const counted: Counts[] = [];
  const usual = { title: 0, keywords: 0, about: 0, text: 0 };
  for (const { title, keywords, about, text } of passages) {
    const counts = {
      title: countsOf(title, form),
      keywords: countsOf(keywords, form),
      about: countsOf(about, form),
      text: countsOf(text.http.replaceAll(ADDRESS, ' '), form),
    };
    for (const field of NAMES) usual[field] += counts[field].length / passages.length;
    if (counted.push(counts) % SLICE === 0) yield;
  }
  const index = new Map<string, Posting[]>();
  for (const [passage, counts] of counted.entries()) {
    for (const [word, worth] of weightsOf(counts, usual, passages[passage]?.merit ?? 1)) {
      const postings = index.get(word);
      if (postings) postings.push({ passage, ...worth });
      else index.set(word, [{ passage, ...worth }]);
    }
    if (passage % SLICE === 0) yield;
  }
  return index;
}

/** A passage beside a question. */
interface Ranked {
  readonly passage: Passage;
  readonly score: number;
  /** How much of the question it answers, from 0 to 1. */
  readonly answered: number;
}

/** What has to do with a question, the best first; of equals the one that stands before. */
function rank(
  passages: readonly Passage[],
  index: ReadonlyMap<string, readonly Posting[]>,
  question: string,
): Ranked[] {
  const asked = new Set(termsOf(question.slice(0, QUESTION_MAX).replaceAll(NAMED_AGENT, ' ')));
  const scores = new Map<number, { score: number; answered: number }>();
  let [known, known_worth] = [0, 0];
  const words = [...asked].slice(0, WORDS_MAX);
  for (const word of words) {
    const postings = index.get(word);
    if (!postings) continue;
    const worth = Math.log(1 + (passages.length - postings.length + 0.5) / (postings.length + 0.5));
    known += 1;
    known_worth += worth;
    for (const { passage, weight, answers } of postings) {
      const before = scores.get(passage) ?? { score: 0, answered: 0 };
      scores.set(passage, { score: before.score + worth * weight, answered: before.answered + worth * answers });
    }
  }
  const whole = (known_worth / Math.max(1, known)) * words.length;
  return [...scores]
    .sort(([a, { score: one }], [b, { score: other }]) => other - one || a - b)
    .flatMap(([at, { score, answered }]) => {
      const passage = passages[at];
      return passage ? [{ passage, score, answered: answered / whole }] : [];
    });
}

/** So many are named where none answers. */
const NEAR_MAX = 3;

/** Indexes passages, in slices. Those of equal merit are found in their order. */
export function* makeManual(passages: readonly Passage[]): Generator<void, Manual> {
  const index = yield* indexOf(passages);
  return {
    find: (question) =>
      rank(passages, index, question).find(({ answered }) => answered >= ANSWERED_MIN)?.passage ?? null,
    near: (question) => {
      const titles = rank(passages, index, question).map(({ passage }) => passage.title);
      return [...new Set(titles)].slice(0, NEAR_MAX);
    },
  };
}
