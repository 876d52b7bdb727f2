// The niche classifier: whether a listing belongs to a trade that is not brokered here (interface.md "States", rules.md
// 5). Sure is an exact label or a clear phrase; a bare word is unsure, for a person to judge; a word that the same sentence
// uses in another sense, or denies, is never sure.
import { drawTogether, makeLegible } from '../disclosure/legible.ts';
import { hyphenate, singularOf } from '../text/fold.ts';
import { NICHES, type Niche, SOLD, VOCABULARY, type Vocabulary } from './niche-vocabulary.ts';

/** The parts of a listing that say what it trades in; dealbreakers say what it does not. */
export interface Classified {
  readonly headline: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

export type Verdict =
  | { readonly verdict: 'clean' }
  | {
      readonly verdict: 'sure' | 'unsure';
      readonly niche: Niche;
      /** The sentences and labels that it hangs on: what an administrator reads, and what an approval is for. */
      readonly evidence: string;
    };

const CLEAN: Verdict = { verdict: 'clean' };

/** One sentence or label: as written, and as words. */
interface Passage {
  readonly text: string;
  readonly words: readonly string[];
}

/** Phrases by their first word, so that a text is walked once whatever the vocabulary's size. */
type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

function phrasesOf(lines: readonly string[]): Phrases {
  const phrases = new Map<string, string[][]>();
  for (const line of lines) {
    const words = line.split(/[ -]/).map(singularOf);
    const [first = ''] = words;
    phrases.set(first, [...(phrases.get(first) ?? []), words]);
  }
  return phrases;
}

interface Known {
  readonly niche: Niche;
  readonly labels: ReadonlySet<string>;
  readonly clear: Phrases;
  readonly vague: Phrases;
  readonly otherwise: Phrases;
}

const listWords = (line: string): string[] =>
  line
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

function knownNiche(niche: Niche, { labels, trades, clear, vague, otherwise }: Vocabulary): Known {
  const sold = listWords(trades).flatMap((trade) => listWords(SOLD).map((what) => `${trade} ${what}`));
  return {
    niche,
    labels: new Set(listWords(labels)),
    clear: phrasesOf([...sold, ...listWords(clear)]),
    vague: phrasesOf(listWords(vague)),
    otherwise: phrasesOf(listWords(otherwise)),
  };
}

const KNOWN: readonly Known[] = NICHES.map((niche) => knownNiche(niche, VOCABULARY[niche]));

/** Listings without any of these stems hold no phrase of any niche: nearly all are passed over at this look. */
const STEMS =
  /casin|slot|free spin|live deal|roulett|blackjack|gambl|betting|bookmak|sportsb|igaming|i-gaming|wager|poker|bingo|lotter|real.money|place .{0,2}bet|cbd|cannab|thc|delta.8|adult|porn|xxx|nsfw|escort|onlyf|cam.?girl|webcam|sex|erot|hentai|strip|nude|fetish|pay.?day|loan|cash adv|crypto|token|coin|ico\b|nft|shill|pump|airdrop|pre.?sale|web3/i;

const SENTENCE_END = /[.!?;](?=\s|$)|[\n\r•|]+/;
const NEGATORS = new Set([
  'no',
  'not',
  'non',
  'without',
  'never',
  'anti',
  'excluding',
  'except',
  'refuse',
  'decline',
  'avoid',
  'nor',
  'don',
  'won',
  'exclude',
  'reject',
  'against',
  'prohibited',
]);
const TURNS = new Set(['but', 'only', 'problem', 'just', 'matter']);
/** How many words a negation reaches: "no adult, casino, gambling or CBD links". */
const NEGATED_WORDS = 8;

function wordsOf(text: string): string[] {
  const folded = hyphenate(text);
  return folded === '' ? [] : folded.split('-').map(singularOf);
}

function* foundAt(words: readonly string[], phrases: Phrases): Generator<number> {
  for (let at = 0; at < words.length; at++) {
    const candidates = phrases.get(words[at] ?? '');
    if (candidates?.some((phrase) => phrase.every((word, n) => words[at + n] === word))) yield at;
  }
}

function isDenied(words: readonly string[], at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - NEGATED_WORDS); back--) {
    const word = words[back] ?? '';
    // "No problem with casino links", "not only casino".
    if (NEGATORS.has(word)) return !TURNS.has(words[back + 1] ?? '');
    if (TURNS.has(word)) return false;
  }
  return false;
}

type Degree = 'sure' | 'unsure' | null;

function degreeIn({ words }: Passage, known: Known): Degree {
  const another = (): boolean => !foundAt(words, known.otherwise).next().done;
  for (const at of foundAt(words, known.clear)) {
    if (isDenied(words, at)) continue;
    return another() ? 'unsure' : 'sure';
  }
  for (const at of foundAt(words, known.vague)) if (!isDenied(words, at)) return another() ? null : 'unsure';
  return null;
}

/** The names of topics that a link trade states beside its labels. */
function namesIn({ labels, fields }: Classified): string[] {
  const { niche } = fields;
  const topics = Array.isArray(niche) ? niche : [niche];
  return [...labels, ...topics.filter((topic) => typeof topic === 'string')];
}

function verdictOf(known: Known, names: readonly Passage[], prose: readonly Passage[]): Verdict {
  const evidence: string[] = [];
  let degree: Degree = null;
  const add = (found: Degree, text: string): void => {
    if (found === null) return;
    if (degree !== 'sure') degree = found;
    evidence.push(text);
  };
  const another = prose.some(({ words }) => !foundAt(words, known.otherwise).next().done);
  for (const passage of prose) add(degreeIn(passage, known), passage.text);
  for (const passage of names) {
    const exact = known.labels.has(hyphenate(passage.text));
    const said: Degree = exact ? 'sure' : degreeIn(passage, known);
    // A label is as ambiguous as its word: what the text means decides.
    add(said === 'sure' && another ? 'unsure' : said, passage.text);
  }
  return degree === null ? CLEAN : { verdict: degree, niche: known.niche, evidence: evidence.join(' · ') };
}

const readWords = (text: string): string => drawTogether(makeLegible(text));

/** Where a listing stands: the surest niche; of two alike the first of `NICHES`. Linear in its text. */
export function nicheOf(listing: Classified): Verdict {
  const written = namesIn(listing);
  const whole = readWords([listing.headline, listing.description, ...written].join('\n'));
  if (!STEMS.test(whole)) return CLEAN;
  const texts = [listing.headline, listing.description].flatMap((text) => readWords(text).split(SENTENCE_END));
  const prose = texts.map((text) => ({ text: text.trim(), words: wordsOf(text) }));
  const names = written.map((name) => ({ text: name, words: wordsOf(readWords(name)) }));
  const verdicts = KNOWN.map((one) => verdictOf(one, names, prose));
  return (
    verdicts.find(({ verdict }) => verdict === 'sure') ?? verdicts.find(({ verdict }) => verdict === 'unsure') ?? CLEAN
  );
}
