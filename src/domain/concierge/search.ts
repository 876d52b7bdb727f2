// Finds the passage of the service's documentation that answers a question best, by its words. The index is built once; a question is cut to
// a bound before it is looked at, so that none costs more than another.
import { hyphenate, singularOf } from '../text/fold.ts';

/** A piece of the documentation that can be quoted by itself. */
export interface Passage {
  /** The name of the document, as it is told. */
  readonly document: string;
  /** What it is about: these words weigh more. */
  readonly title: string;
  readonly text: string;
  /** Beyond 1 it is preferred to what is as near. */
  readonly merit: number;
}

/** Documentation in which one can search. */
export interface Manual {
  /** The passage that answers a question best, or null where none says enough of what was asked. */
  find(question: string): Passage | null;
}

/** A quoted passage has at most so many characters. */
export const PASSAGE_MAX = 600;
/** Of a question so much is read; nobody asks longer. */
const QUESTION_MAX = 2_000;
const WORDS_MAX = 40;
const TITLE_WEIGHT = 3;
/** So much of what a question's words weigh has to be found together, or it was about something else. */
const COVERED_MIN = 0.5;
/** A passage of this length is neither favoured nor disfavoured. */
const LENGTH_USUAL = 50;

const STOP: ReadonlySet<string> = new Set(
  (
    'a an and any are as at be been but by can could did do does for from get give had has have he her here him his how i if in into ' +
    'is it its just let may me mine more my no not of on or our out please she should so some such tell than that the their ' +
    'them then there these they thing this to too up us use was we were what when where which who why will with would you your ' +
    'about service meshwork want need know work one somebody someone anybody something anything long like tell happen also'
  ).split(' '),
);

/** The words of a text in the form in which they are compared, in their order. */
export function plainWords(text: string): string[] {
  return hyphenate(text)
    .split('-')
    .filter((word) => word !== '');
}

function terms(text: string): string[] {
  return plainWords(text)
    .filter((word) => !STOP.has(word))
    .map(singularOf);
}

interface Posting {
  readonly passage: number;
  readonly weight: number;
}

function weigh({ title, text, merit }: Passage): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of terms(title)) counts.set(word, (counts.get(word) ?? 0) + TITLE_WEIGHT);
  const said = terms(text);
  for (const word of said) counts.set(word, (counts.get(word) ?? 0) + 1);
  const length = 0.4 + (0.6 * said.length) / LENGTH_USUAL;
  return new Map([...counts].map(([word, count]) => [word, (merit * count) / (count + length)]));
}

/** Indexes passages. Those of equal merit are found in their order. */
export function makeManual(passages: readonly Passage[]): Manual {
  const index = new Map<string, Posting[]>();
  passages.forEach((passage, at) => {
    for (const [word, weight] of weigh(passage)) {
      const postings = index.get(word);
      if (postings) postings.push({ passage: at, weight });
      else index.set(word, [{ passage: at, weight }]);
    }
  });
  const rarity = (found: number): number => Math.log(1 + passages.length / (found + 0.5));
  const find = (question: string): Passage | null => {
    const asked = [...new Set(terms(question.slice(0, QUESTION_MAX)))].slice(0, WORDS_MAX);
    const scores = new Map<number, { score: number; covered: number }>();
    let whole = 0;
    for (const word of asked) {
      const postings = index.get(word) ?? [];
      const worth = rarity(postings.length);
      whole += worth;
      for (const { passage, weight } of postings) {
        const before = scores.get(passage) ?? { score: 0, covered: 0 };
        scores.set(passage, { score: before.score + worth * weight, covered: before.covered + worth });
      }
    }
    let best: { at: number; score: number } | null = null;
    for (const [at, { score, covered }] of scores) {
      if (covered < whole * COVERED_MIN) continue;
      if (!best || score > best.score || (score === best.score && at < best.at)) best = { at, score };
    }
    return best ? (passages[best.at] ?? null) : null;
  };
  return { find };
}
