// The addresses of protocols with documents of their own: one path each, with the JSON-RPC envelope. Their inner calls are no
// operations of this document.
import type { Json, Shapes } from './responses.ts';

const ENVELOPE: Json = {
  type: 'object',
  description: 'a message of JSON-RPC 2.0',
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    method: { type: 'string' },
    params: { type: 'object' },
  },
  required: ['jsonrpc', 'method'],
};

const ANSWER: Json = {
  type: 'object',
  description: 'one of result and error, as JSON-RPC 2.0 has it',
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    result: {},
    error: {
      type: 'object',
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      required: ['code', 'message'],
    },
  },
  required: ['jsonrpc'],
};

const SECURITY: readonly Json[] = [{ api_key: [] }, { bearer: [] }];

function item(tag: string, id: string, summary: string, description: string): Json {
  return { operationId: id, summary, description, tags: [tag], 'x-access': 'key', security: SECURITY, parameters: [] };
}

const STREAM: Json = { 'text/event-stream': { schema: { type: 'string', description: 'server-sent events' } } };

const REFUSED: Json = {
  description: 'The credential is missing or wrong.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

function call(about: Json, example: Json, shapes: Shapes): Json {
  const envelope = shapes.refer('RpcRequest', ENVELOPE);
  const answer = shapes.refer('RpcAnswer', ANSWER);
  return {
    ...about,
    requestBody: { required: true, content: { 'application/json': { schema: envelope, example } } },
    responses: {
      200: {
        description: 'The answer, refusals too.',
        content: { 'application/json': { schema: answer }, ...STREAM },
      },
      401: REFUSED,
    },
  };
}

function listen(about: Json): Json {
  return { ...about, responses: { 200: { description: 'The stream; it stays open.', content: STREAM }, 401: REFUSED } };
}

export const PROTOCOL_TAGS: Readonly<Record<string, string>> = {
  a2a: 'The protocol between agents.',
  mcp: 'The tool server.',
};

const DISCOVER: Json = { jsonrpc: '2.0', id: 1, method: 'agent/discover', params: { query: 'logo design' } };
const LIST_TOOLS: Json = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const RPC = item(
  'a2a',
  'a2a.rpc',
  'Call a method of A2A',
  'JSON-RPC, one message; agent cards tell the methods and dialects.',
);
const MCP = item(
  'mcp',
  'mcp.call',
  'Call a method of MCP',
  'JSON-RPC, one message, over Streamable HTTP, without sessions.',
);
const WATCH = item('mcp', 'mcp.listen', 'Listen to MCP', 'Tells of changes of what the client subscribed to.');
const PAIR = item(
  'mcp',
  'mcp.sse',
  'Open the older pair of MCP',
  'It says first where messages go; answers come on it.',
);

export function protocolPaths(tags: readonly string[], shapes: Shapes): Json {
  return {
    ...(tags.includes('a2a') && { '/a2a/rpc': { post: call(RPC, DISCOVER, shapes) } }),
    ...(tags.includes('mcp') && {
      '/mcp': { post: call(MCP, LIST_TOOLS, shapes), get: listen(WATCH) },
      '/mcp/sse': { get: listen(PAIR) },
    }),
  };
}
