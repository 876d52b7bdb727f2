// What somebody asks the service's own agent. It is told by words alone, among a few kinds that are listed here: whatever a text demands,
// nothing else comes of it than one of these.
import { namesAmount } from './amount.ts';
import { plainWords } from './search.ts';

/** Kinds of questions: to bargain, to have matches explained, to begin, or anything else, which is looked up. */
export type EnquiryKind = 'bargain' | 'matches' | 'start' | 'question';

export interface Enquiry {
  readonly kind: EnquiryKind;
  /** Ids that the text holds, which may be those of matches. */
  readonly ids: readonly string[];
}

/** So many ids of a text are looked up. */
const IDS_MAX = 3;
const ID_LENGTH = 36;
const ID_HYPHENS = [8, 13, 18, 23];

/** Whether a word has the shape of an id; what it stands for is looked up. */
function isIdShaped(word: string): boolean {
  return word.length === ID_LENGTH && ID_HYPHENS.every((at) => word[at] === '-');
}

/** A greeting is short; who greets and then asks is answered what was asked. */
const GREETING_WORDS = 5;

const BARGAIN = [
  ...[
    'how much',
    'discount',
    'cheaper',
    'best price',
    'lower price',
    'final price',
    'pay you',
    'pay me',
    'i offer you',
  ],
  ...[
    'counter offer',
    'counteroffer',
    'negotiate with',
    'you negotiate',
    'negotiate for',
    'negotiate a',
    'make a deal with',
  ],
];
const MATCHES = ['match', 'matches', 'matched'];
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
  ...[
    'do next',
    'first step',
    'first steps',
    'left to do',
    'verify',
    'verified',
    'verification',
    'onboard',
    'onboarding',
  ],
  ...['set up my agent', 'new here'],
];
/** What asks how to begin, unless it names what: "how do I start a dispute". */
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

const holds = (said: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => said.includes(` ${phrase} `));

/** Reads a question. */
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
    if (namesAmount(text) || holds(said, BARGAIN)) return 'bargain';
    if (holds(said, MATCHES)) return 'matches';
    const greets = words.length <= GREETING_WORDS && holds(said, GREETINGS);
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
