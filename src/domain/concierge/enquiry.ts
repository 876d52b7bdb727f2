// Classifies a question to the platform's agent by its words, as one of a few kinds: whatever a text demands, it has no other effect.

import { plainWords, termsOf } from '../text/search-words.ts';
import { namesAmount } from './amount.ts';

/** Kinds of questions: bargaining, the asker's own matches, getting started, or anything else, which is looked up; `price` is looked up
 * too, and counts as bargaining where the documentation has no answer. */
export type EnquiryKind = 'bargain' | 'price' | 'matches' | 'start' | 'service' | 'question';

export interface Enquiry {
  readonly kind: EnquiryKind;
  /** Ids in the text, which may name matches. */
  readonly ids: readonly string[];
}

/** Ids of a text that are looked up. */
const IDS_MAX = 3;
const ID_LENGTH = 36;
const ID_HYPHENS = [8, 13, 18, 23];

/** Whether a word has the form of an id. */
function isIdShaped(word: string): boolean {
  return word.length === ID_LENGTH && ID_HYPHENS.every((at) => word[at] === '-');
}

/** A longer greeting contains a question, which is answered. */
const GREETING_WORDS = 5;

/** Phrases that no question about the service contains. */
const BARGAIN = [
  ...['best price', 'lower price', 'final price', 'pay you', 'pay me', 'i offer you', 'counter offer', 'counteroffer'],
  ...['negotiate with me', 'you negotiate', 'negotiate for me', 'make a deal with me'],
];
/** Words that may also be part of a question about the service. */
const PRICE = ['how much', 'discount', 'cheaper'];
/** Phrases about existing matches. Questions about how to use them are looked up. */
const MATCHES = [
  ...['my match', 'my matches', 'this match', 'these matches', 'that match', 'the match', 'our match', 'explain match'],
  ...['did i match', 'do i match', 'did we match', 'do we match'],
  ...['which matches', 'any matches', 'matches do i have', 'was i matched', 'were we matched', 'am i matched'],
];
const HOW = ['how', 'where', 'can', 'could', 'may'];
const START = [
  ...[
    'get started',
    'getting started',
    'what next',
    'what is next',
    'what s next',
    'whats next',
    'next step',
    'next steps',
  ],
  ...['do next', 'first step', 'first steps', 'left to do', 'onboard', 'onboarding', 'set up my agent', 'new here'],
  // The asker's own verification is a step of getting started; that of a signature, a link or a deliverable is not.
  ...['verify my agent', 'verify myself', 'verify my account', 'get verified', 'become verified', 'am i verified'],
  ...['be verified', 'my agent verified', 'my verification'],
];
/** Phrases about getting started, unless they name an object: "how do I start a dispute". */
const BEGIN = [
  'how do i start',
  'how to start',
  'how can i start',
  'where do i start',
  'how do i begin',
  'how to begin',
];
const ARTICLES = ['a', 'an', 'the', 'my'];
const GREETINGS = ['hello', 'hi', 'hey', 'hallo', 'greetings', 'good morning', 'good evening', 'good day', 'help'];

/** Phrases that ask what this service is. */
const SERVICE = [
  ...[
    'what is this',
    'who are you',
    'what are you',
    'what can you do',
    'what do you do',
    'what can i do',
    'how does this work',
  ],
  ...['what is meshwork', 'how does it work', 'what can i ask'],
];
/** A longer question asks for more. */
const SERVICE_WORDS = 10;

const holds = (said: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => said.includes(` ${phrase} `));

export function enquiryOf(text: string): Enquiry {
  const ids = [
    ...new Set(
      text
        .toLowerCase()
        .split(/[^0-9a-f-]/)
        .filter(isIdShaped),
    ),
  ].slice(0, IDS_MAX);
  const words = plainWords(text);
  const said = ` ${words.join(' ')} `;
  const kind = (): EnquiryKind => {
    if (holds(said, BARGAIN)) return 'bargain';
    if (namesAmount(text) || holds(said, PRICE)) return 'price';
    if (holds(said, MATCHES) && !HOW.includes(words[0] ?? '')) return 'matches';
    const greets = words.length <= GREETING_WORDS && GREETINGS.some((greeting) => said.startsWith(` ${greeting} `));
    if (words.length <= SERVICE_WORDS && termsOf(text).length === 0 && holds(said, SERVICE)) return 'service';
    const begins = BEGIN.some(
      (phrase) =>
        holds(said, [phrase]) &&
        !holds(
          said,
          ARTICLES.map((article) => `${phrase} ${article}`),
        ),
    );
    return greets || begins || holds(said, START) ? 'start' : 'question';
  };
  return { kind: kind(), ids };
}
