// The service's documentation as its own agent searches it: the documents for users and operators, and what each operation does. Made at
// the first question, in slices between which other requests run.
import type { AnyOperation } from '../contract/operation.ts';
import { type DocumentName, documents } from '../docs/documents.ts';
import { withoutAmounts } from '../domain/concierge/amount.ts';
import { cutText, markdownPieces } from '../domain/concierge/markdown.ts';
import { type Manual, makeManual, PASSAGE_MAX, type Passage, type PreparedManual } from '../domain/concierge/search.ts';
import type { DoorWord, NextOperation, NextStep, StepForm } from '../domain/next-step.ts';
import { builtInLanguage } from '../outbound/embedder/built-in.ts';
import { descriptionText } from '../schemas/next-step.ts';
import { toolForm } from '../transports/tools.ts';

// Renders the calls in the documents, `POST /api/messages/{conversation_id} {content}`, for each transport. People read documents
// unchanged; a caller by tools gets tool calls. A call without a tool keeps its address.

/** A call with its input, in braces of one level. */
const CALL = /\b(GET|POST|PATCH|PUT|DELETE) (\/[\w./{}-]+)(?:\?(\w+)=(\w+))?(?: \{([^{}]{1,200})\})?/g;
const PARAMETER = /\{(\w+)\}/g;

const shapeOf = (method: string, path: string): string => `${method} ${path.replaceAll(PARAMETER, '{}')}`;

/** Fields in braces: given values, and names that the caller fills in. */
function fieldsOf(braces: string): { input: Record<string, unknown>; fill: string[] } {
  const input: Record<string, unknown> = {};
  const fill: string[] = [];
  for (const field of braces.split(',')) {
    const [name = '', value] = field.split(':').map((part) => part.trim());
    if (value === undefined) fill.push(name.replace('?', ''));
    else input[name] = value === 'true' || value === 'false' ? value === 'true' : value.replaceAll('"', '');
  }
  return { input, fill: fill.filter((name) => name !== '' && name !== '…') };
}

/** The tools that make a call of an operation; none when it needs an address. */
function toolTexts(
  { name, tools = [] }: AnyOperation,
  form: StepForm,
  input: object,
  fill: readonly string[],
): string[] {
  // The name is an operation's; the type of next steps has only those that code names.
  const step = (more: object): NextStep => ({ operation: name as NextOperation, input: { ...input, ...more }, fill });
  const texts = (steps: readonly NextStep[]): string[] =>
    steps.filter((one) => 'tool' in form.fields(one)).map((one) => form.text(one));
  const plain = texts([step({})]);
  if (plain.length > 0) return plain;
  // An operation with several tools names all of them.
  const several = tools.map(({ fixed = {} }) => ({
    ...step(fixed),
    fill: fill.filter((field) => !(field in fixed)),
  }));
  return [...new Set(texts(several))];
}

/** Renders the calls of operations for each transport. */
function callsInText(
  operations: readonly AnyOperation[],
  tools: StepForm,
): {
  readonly ofText: (text: string) => DoorWord;
  /** The call itself; null for an operation that no transport calls. */
  readonly ofOperation: (operation: AnyOperation) => DoorWord | null;
} {
  const byShape = new Map<string, AnyOperation>();
  for (const operation of operations) {
    for (const { method, path } of operation.rest) byShape.set(shapeOf(method, path), operation);
  }
  const toolCall = (method: string, path: string, given: string): string | null => {
    const operation = byShape.get(shapeOf(method, path));
    if (!operation) return null;
    const { input, fill } = fieldsOf(given);
    const params = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
    const texts = toolTexts(operation, tools, input, [...params, ...fill]);
    return texts.length > 0 ? texts.join(' or ') : null;
  };
  return {
    ofText: (text) => ({
      http: text,
      tools: text.replaceAll(CALL, (call, method: string, path: string, name?: string, value?: string, braces = '') => {
        const given = name === undefined ? braces : `${name}: ${value}, ${braces}`;
        return toolCall(method, path, given) ?? call;
      }),
    }),
    ofOperation: (operation) => {
      const { rest, tools: bindings = [] } = operation;
      const address = rest.find(({ alias }) => !alias);
      const texts = toolTexts(operation, tools, {}, []);
      if (!address) return texts[0] === undefined ? null : { http: texts[0], tools: texts.join(' or ') };
      const http = `${address.method} ${address.path}`;
      if (texts.length > 0) return { http, tools: texts.join(' or ') };
      return { http, tools: bindings.length > 0 ? bindings.map((tool) => tool.name).join(' or ') : http };
    },
  };
}

/** Sections about the service's development, which answer no user's question. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  ...['See it', 'The map', 'The way of one request', 'Words', 'Read on', 'Licence'],
  ...['How well it ranks', 'On 2,000 real rows'],
]);

/** The documents, each with its weight: guides rank above reference. */
const DOCUMENTS: readonly (readonly [name: DocumentName, merit: number])[] = [
  ['guide.md', 1.5],
  ['negotiation.md', 1],
  ['matching.md', 1],
  ['a2a.md', 1],
  ['README.md', 1],
  ['operate.md', 1],
];

/** Reference documents, which answer no question by themselves. */
const LOOKED_UP: typeof DOCUMENTS = [
  ['security.md', 1.5],
  ['states.md', 1.5],
  ['errors.md', 1.5],
];

/** Passages made before other requests run. */
const SLICE = 8;

/** How each transport names calls. */
export type Forms = Readonly<Record<keyof DoorWord, StepForm>>;

const USED: readonly AnyOperation['access'][] = ['public', 'key', 'session'];

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
    // Searched, but not quoted.
    about: `${nouns.get(name.split('.')[0]) ?? ''} ${name.replaceAll(/[._]/g, ' ')} ${tools}`,
    text: { http: said('http'), tools: said('tools') },
    merit: 1,
  };
}

const quotable = (text: string): string => cutText(withoutAmounts(text), PASSAGE_MAX);

function quoted(passage: Passage): Passage {
  const { http, tools } = passage.text;
  const text = quotable(http);
  return { ...passage, text: { http: text, tools: tools === http ? text : quotable(tools) } };
}

function* documentPassages(chosen: typeof DOCUMENTS, ofText: (text: string) => DoorWord): Generator<void, Passage[]> {
  const passages: Passage[] = [];
  const texts = documents();
  for (const [name, merit] of chosen) {
    yield;
    for (const [at, piece] of markdownPieces(name, texts[name], NOT_FOR_USERS).entries()) {
      passages.push(quoted({ ...piece, text: ofText(piece.text), merit }));
      if (at % SLICE === 0) yield;
    }
  }
  return passages;
}

/** All quotable passages, made in slices. */
export function* manualPassages(operations: readonly AnyOperation[], forms: Forms): Generator<void, Passage[]> {
  const { ofText, ofOperation } = callsInText(operations, forms.tools);
  const passages = yield* documentPassages(DOCUMENTS, ofText);
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
  const passages = yield* manualPassages(operations, forms);
  const looked_up = yield* documentPassages(LOOKED_UP, (text) => ({ http: text, tools: text }));
  return yield* makeManual(passages, builtInLanguage, looked_up);
}

/** The documentation of a service with these operations. A question before it is ready makes the rest. */
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
    find: (question) => ready().find(question),
    wordsOf: (tool) => ready().wordsOf(tool),
    prepare: async () => {
      while (!made && !advance()) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
