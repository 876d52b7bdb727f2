// Two tools that find and call all others, so that a client need not load every schema first.
import { invalid } from '../../domain/fault.ts';
import type { StepForm } from '../../domain/next-step.ts';
import { makeWordSearch, type WordSearch } from '../../domain/text/word-search.ts';
import { builtInLanguage } from '../../outbound/embedder/built-in.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { Json } from '../openapi/responses.ts';
import { tolerantInput } from '../tolerance.ts';
import type { Exchange, Outcome } from './exchange.ts';
import { argumentsOf, FIND, unknownTool } from './methods.ts';
import type { Offer, OfferedTool, ToolCall } from './offer.ts';
import { refusalResult, toolResult } from './results.ts';

/** The names of the tools that match a query, the best first. */
type ToolSearch = (query: string) => Promise<readonly string[]>;

const PREFIX = 'mesh_';

function searched({ shown: { name, title, description } }: OfferedTool, words: string) {
  const said = name.replace(PREFIX, '').replaceAll('_', ' ');
  return { title: `${title} ${said}`, keywords: words, about: '', text: description, merit: 1 };
}

/** Built in slices, between which other requests run. */
async function searchOf(tools: readonly OfferedTool[], manual: DoorPorts['manual']): Promise<WordSearch> {
  await manual.prepare();
  const steps = makeWordSearch(
    tools.map((tool) => searched(tool, manual.wordsOf(tool.shown.name))),
    builtInLanguage,
  );
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Searches the tools of an offer, except these two. */
function toolSearch(offer: () => Offer, manual: DoorPorts['manual']): ToolSearch {
  // Made at the first query, when the offer is whole.
  const make = async (): Promise<ToolSearch> => {
    const tools = offer().tools.filter(({ set }) => set !== 'meta');
    const search = await searchOf(tools, manual);
    return async (query) => search(query).ranked.flatMap(({ at }) => tools[at]?.shown.name ?? []);
  };
  let made: Promise<ToolSearch> | null = null;
  return async (query) => {
    made ??= make();
    return (await made)(query);
  };
}

const CALL = 'mesh_call_tool';

/** The default number of results; a model reads few. */
const FOUND_STANDARD = 5;
const FOUND_MAX = 20;
/** The longest query. */
const QUERY_MAX = 400;

interface Finding {
  readonly offer: () => Offer;
  readonly form: StepForm;
  readonly search: ToolSearch;
}

async function find({ offer, form, search }: Finding, exchange: Exchange, given: Json): Promise<Outcome> {
  const { query, limit = FOUND_STANDARD } = tolerantInput(given, QUERY);
  const { caller, request_id } = exchange;
  const wrong = (path: string, message: string): Outcome =>
    refusalResult(invalid({ path, message }), form, request_id, exchange);
  if (typeof query !== 'string' || query.length > QUERY_MAX) {
    return wrong('query', `must be a string of at most ${QUERY_MAX} characters`);
  }
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > FOUND_MAX) {
    return wrong('limit', `must be a whole number from 1 to ${FOUND_MAX}`);
  }
  const items: Json[] = [];
  for (const one of await search(query)) {
    if (items.length === limit) break;
    const tool = offer().toolNamed(one);
    if (!tool) continue;
    const { name, title, description, inputSchema } = tool.shown;
    const required_scope = tool.lacks(caller.principal);
    items.push({ name, title, description, inputSchema, ...(required_scope !== null && { required_scope }) });
  }
  return toolResult({ json: JSON.stringify({ items }) }, exchange);
}

async function callOther(offer: Offer, form: StepForm, exchange: Exchange, call: ToolCall): Promise<Outcome> {
  const { request_id } = exchange;
  const { name } = call.given;
  const given = argumentsOf(call.given);
  const wrong = (path: string, message: string): Outcome =>
    refusalResult(invalid({ path, message }), form, request_id, exchange);
  if (typeof name !== 'string') return wrong('name', 'must be a string, the name of a tool');
  if (!given) return wrong('arguments', 'must be an object');
  const tool = offer.toolNamed(name);
  if (!tool) return unknownTool(offer, exchange, name, form);
  if (tool.set === 'meta') return wrong('name', 'must be another tool than this');
  return tool.call(exchange, { ...call, given });
}

const QUERY = {
  type: 'object',
  properties: {
    query: { type: 'string', maxLength: QUERY_MAX, description: 'a few words on what you want to do' },
    limit: { type: 'integer', minimum: 1, maximum: FOUND_MAX, default: FOUND_STANDARD },
  },
  required: ['query'],
} as const;

const FOUND: Json = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    inputSchema: { type: 'object', description: 'what the tool takes, as a JSON Schema' },
    required_scope: { type: 'string', description: 'the right that your credential lacks to call it' },
  },
  required: ['name', 'title', 'description', 'inputSchema'],
};

/** The two tools; they search `offer` with the words of `manual`. */
export function metaTools(offer: () => Offer, form: StepForm, manual: DoorPorts['manual']): readonly OfferedTool[] {
  const finding_in: Finding = { offer, form, search: toolSearch(offer, manual) };
  const finding: OfferedTool = {
    set: 'meta',
    extension: false,
    shown: {
      name: FIND,
      title: 'Find tools',
      description:
        'Finds tools by what they are for, with what they take, best first. Use it when the tool you need is not loaded; ' +
        `call what it finds by its name, or with \`${CALL}\`.`,
      inputSchema: QUERY,
      outputSchema: { type: 'object', properties: { items: { type: 'array', items: FOUND } }, required: ['items'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    reach: () => 'reached',
    lacks: () => null,
    call: (exchange, { given }) => find(finding_in, exchange, given),
  };
  const calling: OfferedTool = {
    set: 'meta',
    extension: false,
    shown: {
      name: CALL,
      title: 'Call a tool',
      description: `Calls a tool by its name, as \`${FIND}\` told it; what the tool answers is the answer.`,
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'the name of the tool' },
          arguments: { type: 'object', description: 'what the tool takes' },
        },
        required: ['name'],
      },
      // Its effect is that of the called tool.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    reach: () => 'reached',
    lacks: () => null,
    call: (exchange, call) => callOther(offer(), form, exchange, call),
  };
  return [finding, calling];
}
