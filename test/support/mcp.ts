// A client of the door for tools that sends what a test says, and holds every answer to the published schema of its revision: by
// the shapes that the official SDKs check with.
import {
  CallToolResultSchema,
  EmptyResultSchema,
  InitializeResultSchema,
  JSONRPCErrorSchema,
  JSONRPCResponseSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { TestService } from './testbed.ts';

export const STATELESS = '2026-07-28';

/** What a test says of a request. */
export interface RpcRequest {
  readonly key?: string;
  /** The revision in the header; the door's own standard where null. */
  readonly revision?: string | null;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string | number;
}

export interface RpcAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
  readonly body: any;
}

const RESULTS = {
  initialize: InitializeResultSchema,
  ping: EmptyResultSchema,
  'tools/list': ListToolsResultSchema,
  'tools/call': CallToolResultSchema,
} as const;

/** Throws where an answer is not what its revision says. */
function hold(method: string, revision: string | null, body: unknown): void {
  // A refusal of what is no request has no id that could be told.
  const isNameless = typeof body === 'object' && body !== null && 'id' in body && body.id === null;
  if (isNameless || (typeof body === 'object' && body !== null && 'error' in body)) {
    const { id, ...rest } = body as { id?: unknown };
    JSONRPCErrorSchema.parse(isNameless ? rest : { ...rest, id });
    return;
  }
  const { result } = JSONRPCResponseSchema.parse(body) as { result?: Record<string, unknown> };
  if (revision === STATELESS && result?.['resultType'] === undefined) throw new Error(`${method} has no resultType`);
  if (method in RESULTS) RESULTS[method as keyof typeof RESULTS].parse(result);
}

/** The `_meta` of a stateless request. */
export function statelessMeta(version = STATELESS): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

/** Sends a body as it is. */
export async function post(t: TestService, body: string, request: RpcRequest = {}): Promise<RpcAnswer> {
  const { key, revision = null, query = '', headers = {} } = request;
  const answer = await t.fetch(
    new Request(`http://localhost/mcp${query}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(key && { 'X-API-Key': key }),
        ...(revision && { 'MCP-Protocol-Version': revision }),
        ...headers,
      },
      body,
    }),
  );
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}

/** One request of a method, in the way of its revision; its answer is held to the revision's schema. */
export async function rpc(
  t: TestService,
  method: string,
  params: Record<string, unknown> = {},
  request: RpcRequest = {},
): Promise<RpcAnswer> {
  const { revision = null, id = 1, headers } = request;
  const stateless = revision === STATELESS;
  const { _meta, ...rest } = params;
  const named: Record<string, string> = typeof params['name'] === 'string' ? { 'Mcp-Name': params['name'] } : {};
  const sent = stateless ? { ...rest, _meta: { ...statelessMeta(), ...(_meta as object) } } : params;
  const answer = await post(t, JSON.stringify({ jsonrpc: '2.0', id, method, params: sent }), {
    ...request,
    headers: { ...(stateless && { 'Mcp-Method': method, ...named }), ...headers },
  });
  hold(method, revision, answer.body);
  return answer;
}
