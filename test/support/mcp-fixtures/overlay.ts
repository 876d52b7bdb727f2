// Lays the fixtures of the conformance suite over a door of MCP: tools beside its own, and methods that know the suite's resources
// and prompts and hand everything else on to the door's.
import type { ClientSide } from '../../../src/transports/mcp/client-requests.ts';
import type { McpExtras } from '../../../src/transports/mcp/door.ts';
import type { Exchange, Method, Methods, Outcome, RpcResult } from '../../../src/transports/mcp/exchange.ts';
import type { OfferedTool } from '../../../src/transports/mcp/offer.ts';
import { isInputNeeded, runRounds } from '../../../src/transports/mcp/rounds.ts';
import { isFixtureUri, PROMPTS, RESOURCES, readFixture, TEMPLATE } from './documents.ts';
import type { FixtureCall, FixtureTool, Json } from './fixture.ts';
import { ROUND_TOOLS } from './rounds.ts';
import { PLAIN_TOOLS } from './tools.ts';

const QUIET = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Runs what may ask its client first. */
function runFixture(
  side: ClientSide,
  exchange: Exchange,
  about: unknown,
  run: (call: FixtureCall) => ReturnType<FixtureTool['run']>,
): Promise<Outcome> {
  const { capabilities } = exchange;
  return runRounds(side, exchange, {
    about,
    run: (round, telling) => {
      const outcome = run({ ...round, ...telling, capabilities });
      return isInputNeeded(outcome) ? outcome : { result: JSON.stringify(outcome) };
    },
  });
}

function offered(side: ClientSide, { name, description, inputSchema, run }: FixtureTool): OfferedTool {
  return {
    set: 'meta',
    extension: false,
    lacks: () => null,
    shown: { name, title: name, description, inputSchema, annotations: QUIET },
    reach: () => 'reached',
    call: (exchange, { given }) => runFixture(side, exchange, { name, given }, (call) => run(given, call)),
  };
}

/** A list of the door with more in it. */
function longer(own: Method, name: string, more: readonly Json[]): Method['run'] {
  return async (exchange) => {
    const outcome = (await own.run(exchange)) as RpcResult;
    const list = JSON.parse(outcome.result) as Json;
    return { ...outcome, result: JSON.stringify({ ...list, [name]: [...more, ...list[name]] }) };
  };
}

const EMPTY: Outcome = { result: '{}' };

/** What each method does in the door's place. */
const OVER: Readonly<Record<string, (own: Method, side: ClientSide) => Method['run']>> = {
  'resources/list': (own) => longer(own, 'resources', RESOURCES),
  'resources/templates/list': (own) => longer(own, 'resourceTemplates', [TEMPLATE]),
  'resources/read': (own) => (exchange) => {
    const { uri } = exchange.params;
    const content = isFixtureUri(uri) ? readFixture(uri) : null;
    if (!content) return own.run(exchange);
    return { result: JSON.stringify({ contents: [content] }), cache: { ttl_ms: 0, scope: 'private' } };
  },
  'resources/subscribe': (own) => (exchange) => (isFixtureUri(exchange.params['uri']) ? EMPTY : own.run(exchange)),
  'resources/unsubscribe': (own) => (exchange) => (isFixtureUri(exchange.params['uri']) ? EMPTY : own.run(exchange)),
  'prompts/list': (own) =>
    longer(
      own,
      'prompts',
      PROMPTS.map(({ get: _get, ...shown }) => shown),
    ),
  'prompts/get': (own, side) => (exchange) => {
    const { name, arguments: given = {} } = exchange.params;
    const prompt = PROMPTS.find((each) => each.name === name);
    if (!prompt) return own.run(exchange);
    return runFixture(side, exchange, { name, given }, (call) => prompt.get(given as Json, call));
  },
  'completion/complete': (own) => (exchange) => {
    const { name } = (exchange.params['ref'] ?? {}) as Json;
    if (!PROMPTS.some((each) => each.name === name)) return own.run(exchange);
    return { result: '{"completion":{"values":["test one"],"total":1,"hasMore":false}}' };
  },
};

function layOver(own: Methods, side: ClientSide): Methods {
  return new Map(
    Array.from(own, ([name, method]) => {
      const over = OVER[name];
      return [name, over ? { ...method, run: over(method, side) } : method];
    }),
  );
}

/** What the conformance suite wants beside what the service has. */
export const CONFORMANCE: McpExtras = {
  tools: (side) => [...PLAIN_TOOLS, ...ROUND_TOOLS].map((tool) => offered(side, tool)),
  methods: layOver,
};
