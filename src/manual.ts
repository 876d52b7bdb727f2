// The service's documentation as its own agent searches it: the documents for whoever uses or runs the service, and what each operation
// does. Made in the background of a start, so that no question waits for it.
import readme from '../README.md' with { type: 'text' };
import a2a from './docs/a2a.md' with { type: 'text' };
import guide from './docs/guide.md' with { type: 'text' };
import matching from './docs/matching.md' with { type: 'text' };
import negotiation from './docs/negotiation.md' with { type: 'text' };
import operate from './docs/operate.md' with { type: 'text' };
import { withoutAmounts } from './domain/concierge/amount.ts';
import { cutText, markdownPieces } from './domain/concierge/markdown.ts';
import { type Manual, makeManual, PASSAGE_MAX, type Passage, type PreparedManual } from './domain/concierge/search.ts';
import type { DoorWord, StepForm } from './domain/next-step.ts';
import { callsInText } from './manual-calls.ts';
import type { AnyOperation } from './operations/operation.ts';
import { builtInLanguage } from './outbound/embedder/built-in.ts';
import { descriptionText } from './schemas/next-step.ts';
import { toolForm } from './transports/tool-steps.ts';

/** What tells of the service's own making, and answers nobody who uses it. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  ...['See it', 'The map', 'The way of one request', 'Words', 'Read on', 'Licence'],
  ...['How well it ranks', 'On 2,000 real rows'],
]);

/** The documents, and how much each is preferred: what was written for those who ask goes before what was written for those who look up. */
const DOCUMENTS: readonly (readonly [name: string, markdown: string, merit: number])[] = [
  ['guide.md', guide, 1.5],
  ['negotiation.md', negotiation, 1],
  ['matching.md', matching, 1],
  ['a2a.md', a2a, 1],
  ['README.md', readme, 1],
  ['operate.md', operate, 1],
];

/** Pieces made before others have their turn. */
const SLICE = 8;

/** How each door tells of calls. */
export type Forms = Readonly<Record<keyof DoorWord, StepForm>>;

const USED: readonly AnyOperation['access'][] = ['public', 'key', 'session'];

/** What an operation does, by its call. */
function operationPassage(
  operation: AnyOperation,
  call: DoorWord,
  forms: Forms,
  nouns: ReadonlyMap<string | undefined, string | undefined>,
): Passage {
  const { name, summary, description = '' } = operation;
  const tools = (operation.tools ?? []).map((tool) => tool.name).join(' ');
  const said = (door: keyof DoorWord): string =>
    `${summary}: ${call[door]}. ${descriptionText(description, forms[door])}`;
  return {
    document: `the API reference (${name})`,
    title: summary,
    keywords: '',
    // Found by, and no part of what is quoted.
    about: `${nouns.get(name.split('.')[0]) ?? ''} ${name.replaceAll(/[._]/g, ' ')} ${tools}`,
    text: { http: said('http'), tools: said('tools') },
    merit: 1,
  };
}

/** As it is quoted. */
const quotable = (text: string): string => cutText(withoutAmounts(text), PASSAGE_MAX);

function quoted(passage: Passage): Passage {
  const { http, tools } = passage.text;
  const text = quotable(http);
  return { ...passage, text: { http: text, tools: tools === http ? text : quotable(tools) } };
}

/** All passages, as they are quoted, in slices. */
export function* manualPassages(operations: readonly AnyOperation[], forms: Forms): Generator<void, Passage[]> {
  const { ofText, ofOperation } = callsInText(operations, forms.tools);
  const passages: Passage[] = [];
  for (const [name, markdown, merit] of DOCUMENTS) {
    yield;
    for (const [at, piece] of markdownPieces(name, markdown, NOT_FOR_USERS).entries()) {
      passages.push(quoted({ ...piece, text: ofText(piece.text), merit }));
      if (at % SLICE === 0) yield;
    }
  }
  const nouns = new Map(operations.map(({ name, noun }) => [noun === undefined ? '' : name.split('.')[0], noun]));
  for (const [at, operation] of operations.entries()) {
    const call = USED.includes(operation.access) ? ofOperation(operation) : null;
    if (call) passages.push(quoted(operationPassage(operation, call, forms, nouns)));
    if (at % SLICE === 0) yield;
  }
  return passages;
}

function* manualSteps(operations: readonly AnyOperation[], addresses: StepForm): Generator<void, Manual> {
  const forms = { http: addresses, tools: toolForm(operations) };
  yield;
  return yield* makeManual(yield* manualPassages(operations, forms), builtInLanguage);
}

/** The documentation of a service with these operations. Whoever asks before it is ready makes the rest. */
export function manualOf(operations: readonly AnyOperation[], addresses: StepForm): PreparedManual {
  const steps = manualSteps(operations, addresses);
  let made: Manual | null = null;
  const advance = (): Manual | null => {
    const { done, value } = steps.next();
    if (done) made = value;
    return made;
  };
  const ready = (): Manual => {
    let manual = made;
    while (!manual) manual = advance();
    return manual;
  };
  return {
    answer: (question) => ready().answer(question),
    wordsOf: (tool) => ready().wordsOf(tool),
    prepare: async () => {
      while (!made && !advance()) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
