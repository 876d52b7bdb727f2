// The routes of A2A: one address for all agents, and an address of each agent's own, below which are the HTTP bindings. Their
// addresses contain colons, which the router would take for parameters, so they are matched here.

import { Deadlines } from '../../../actors/deadlines.ts';
import { type Fault, fault, invalid } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { Unreadable } from '../../pipeline/call.ts';
import { INPUT_MAX } from '../../pipeline/validate.ts';
import type { PlainRoute } from '../app.ts';
import { readBody } from '../body.ts';
import type { DoorPorts } from '../door-ports.ts';
import { errorText, RPC_CODES, type RpcId, type RpcMessage, readMessage, resultText } from '../json-rpc.ts';
import type { RestDoor } from '../rest.ts';
import { openStream } from '../sse.ts';
import type { WriteEvent } from './calls.ts';
import type { Version } from './dialect.ts';
import { type A2aDoor, challenge, enter, retryHeader, runKnown, type Visitor, versionOf, visitorOf } from './door.ts';
import { httpErrorBody, type Problem, problem, tell } from './errors.ts';
import { httpMatch, knownMethod, METHOD_NAMES } from './methods.ts';
import type { Wait } from './updates.ts';

// A2A over HTTP and JSON, under an agent's own address: 1.0 (A2A 1.0, 11), and behind `v1/` 0.3. Refusals have the statuses of
// HTTP and the bodies of the binding.

const A2A_TYPE = 'application/a2a+json';

function respondHttp(
  visitor: Visitor,
  body: unknown,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  // Programs of 0.3, and people, ask for plain JSON.
  const type = visitor.request.headers.get('accept')?.includes(A2A_TYPE) ? A2A_TYPE : 'application/json';
  const shared = { 'Content-Type': type, 'X-Request-Id': visitor.request_id, 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers: { ...shared, ...headers } });
}

function refuseHttp(
  visitor: Visitor,
  wrong: Problem,
  version: Version,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { door, request_id } = visitor;
  const told = tell(wrong, version, { addresses: door.addresses, request_id });
  const body = httpErrorBody(told, wrong.error, version);
  return respondHttp(visitor, body, told.status, { ...challenge(visitor, wrong), ...retryHeader(wrong), ...headers });
}

/** Fields of a query that are no text (A2A 1.0, 11.5). */
const NUMBERS: ReadonlySet<string> = new Set(['historyLength', 'pageSize']);
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

function queryOf({ url }: Request): Json {
  const fields: Record<string, unknown> = {};
  if (!url.includes('?')) return fields;
  for (const [name, text] of new URL(url).searchParams) {
    if (NUMBERS.has(name)) fields[name] = /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    else fields[name] = name === 'includeArtifacts' ? (FLAGS[text] ?? text) : text;
  }
  return fields;
}

/** The parameters of a call, or why they cannot be read. The two are told apart outside of the caller's data, which may have the same
 * fields as a refusal. */
type Read = ({ readonly params: Json } | { readonly unread: Fault }) & { readonly bytes: number };

async function paramsOf(request: Request): Promise<Read> {
  if (request.method !== 'POST') return { params: queryOf(request), bytes: 0 };
  const { input, bytes } = await readBody(request, INPUT_MAX);
  if (bytes > INPUT_MAX) return { unread: fault('payload_too_large', undefined, { limit_bytes: INPUT_MAX }), bytes };
  return input instanceof Unreadable ? { unread: input.refusal, bytes } : { params: input, bytes };
}

const writeEvent: WriteEvent = (result, n) => `id: ${n}\ndata: ${JSON.stringify(result)}\n\n`;

/** Handles a request at `path` under the address of the agent `target`. */
async function answerHttp(door: A2aDoor, request: Request, target: string, path: string): Promise<Response> {
  const visitor = visitorOf(door, request, target);
  const match = httpMatch(request.method, path);
  if (!match || !('known' in match)) {
    const slow = await enter(visitor, 'none', false);
    if (slow) return refuseHttp(visitor, slow, '1.0');
    if (!match)
      return refuseHttp(visitor, { refusal: fault('not_found', 'There is no such path.'), error: null }, '1.0');
    const allow = match.allow.join(', ');
    const refusal = fault('method_not_allowed', `This path takes ${allow}.`);
    return refuseHttp(visitor, { refusal, error: null }, match.version, { Allow: allow });
  }
  const { known } = match;
  const { version } = known.reads;
  const named = versionOf(request);
  if (named !== null && typeof named !== 'string') {
    return refuseHttp(visitor, (await enter(visitor, 'none', false)) ?? named, version);
  }
  const read = await paramsOf(request);
  if ('unread' in read) {
    const unread = { refusal: read.unread, error: null };
    return refuseHttp(visitor, (await enter(visitor, 'none', true)) ?? unread, version);
  }
  const performed = await runKnown(visitor, known, { ...read.params, ...match.params }, read.bytes);
  if ('problem' in performed) return refuseHttp(visitor, performed.problem, version);
  if ('result' in performed) return respondHttp(visitor, performed.result, 200, {});
  door.prepareStream(request);
  return openStream(
    request,
    (sink) => {
      if (sink.write(writeEvent(performed.opening, performed.n))) performed.start(sink, writeEvent);
    },
    { 'X-Request-Id': visitor.request_id },
  );
}

// A2A over JSON-RPC: one message a request, in any of three dialects. The status is always 200 (interface.md, Agent-to-agent
// JSON-RPC), except for callers without access: 1.0 and the agents' own addresses answer those with 401 and 403
// (Q97).

type RpcRequest = Extract<RpcMessage, { readonly kind: 'request' }>;

function respond(
  body: string,
  status: number,
  request_id: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const shared = { 'Content-Type': 'application/json', 'X-Request-Id': request_id, 'Cache-Control': 'no-store' };
  return new Response(body, { status, headers: { ...shared, ...headers } });
}

/** The answer of a refusal; `code` is that of JSON-RPC where the fault has another one. */
function refuse(visitor: Visitor, id: RpcId | null, wrong: Problem, version: Version, code?: number): Response {
  const { door, target, request_id } = visitor;
  const told = tell(wrong, version, { addresses: door.addresses, request_id });
  const body = errorText(id, code ?? told.code, told.message, told.data);
  const barred = told.status === 401 || told.status === 403;
  if (!barred || (version !== '1.0' && target === null)) return respond(body, 200, request_id, retryHeader(wrong));
  return respond(body, told.status, request_id, challenge(visitor, wrong));
}

const isPascalCase = (method: string): boolean => /^[A-Z]/.test(method);

async function refuseUnknown(visitor: Visitor, { id, method }: RpcRequest, version: Version): Promise<Response> {
  const slow = await enter(visitor, 'none', false);
  const unknown = problem('METHOD_NOT_FOUND', 'Method not found: there is no method of that name here.', {
    supported: METHOD_NAMES,
  });
  return refuse(visitor, id, slow ?? unknown, isPascalCase(method) ? '1.0' : version);
}

function eventOf(id: RpcId): WriteEvent {
  return (result, n) => `id: ${n}\ndata: ${resultText(id, JSON.stringify(result))}\n\n`;
}

async function answer(visitor: Visitor, message: RpcRequest, bytes: number): Promise<Response> {
  const { door, request, request_id } = visitor;
  const { id, method, params } = message;
  const version = versionOf(request);
  if (version !== null && typeof version !== 'string') {
    return refuse(visitor, id, (await enter(visitor, 'none', false)) ?? version, '1.0');
  }
  const known = knownMethod(method, params, version);
  if (!known) return refuseUnknown(visitor, message, version ?? '0.3');
  const performed = await runKnown(visitor, known, params, bytes);
  if ('problem' in performed) return refuse(visitor, id, performed.problem, known.reads.version);
  if ('result' in performed) return respond(resultText(id, JSON.stringify(performed.result)), 200, request_id, {});
  door.prepareStream(request);
  const event = eventOf(id);
  return openStream(
    request,
    (sink) => {
      if (sink.write(event(performed.opening, performed.n))) performed.start(sink, event);
    },
    { 'X-Request-Id': request_id },
  );
}

/** Handles a request at the shared address, or an agent's. */
async function answerRpc(door: A2aDoor, request: Request, target: string | null): Promise<Response> {
  const visitor = visitorOf(door, request, target);
  const { message, bytes } = await readMessage(request, INPUT_MAX);
  if (message.kind === 'request') return answer(visitor, message, bytes);
  const slow = await enter(visitor, 'none', false);
  if (slow) return refuse(visitor, null, slow, '0.3');
  if (message.kind === 'problem') {
    const { id, refusal, code } = message;
    return refuse(visitor, id, { refusal, error: null }, '0.3', code);
  }
  const path = message.kind === 'notification' ? 'id' : 'method';
  const refusal = invalid({ path, message: 'is required: every call here is answered' });
  return refuse(visitor, null, { refusal, error: null }, '0.3', RPC_CODES.invalid_request);
}

const RPC_PATH = '/a2a/rpc';
/** The prefix of each agent's own address, as in its card. */
const AGENTS_PATH = '/a2a/agents/';

type Shared = Pick<RestDoor, 'ip' | 'observe' | 'prepareStream'>;

function doorOf(service: DoorPorts, { ip, observe, prepareStream }: Shared): A2aDoor {
  const { pipeline, addresses, clock, settings } = service;
  return {
    pipeline,
    addresses,
    clock,
    base_url: settings.base_url,
    instance_name: settings.instance.name,
    platform_handle: settings.platform_handle,
    operations: new Map(service.operations.map((operation) => [operation.name, operation])),
    waits: new Deadlines<Wait>(clock, (end) => end()),
    ip,
    observe,
    prepareStream,
  };
}

export function a2aRoutes(service: DoorPorts, shared: Shared): readonly PlainRoute[] {
  const door = doorOf(service, shared);
  /** The raw path below an agent's address. */
  const below = ({ url }: Request): string => {
    const { pathname } = new URL(url);
    return pathname.slice(pathname.indexOf('/', AGENTS_PATH.length) + 1);
  };
  const atAgent: PlainRoute['handle'] = (request, { handle = '' }) => answerHttp(door, request, handle, below(request));
  const path = `${AGENTS_PATH}{handle}/*`;
  return [
    { method: 'POST', path: RPC_PATH, handle: (request) => answerRpc(door, request, null) },
    {
      method: 'POST',
      path: `${AGENTS_PATH}{handle}`,
      handle: (request, { handle = '' }) => answerRpc(door, request, handle),
    },
    { method: 'GET', path, handle: atAgent },
    { method: 'POST', path, handle: atAgent },
    { method: 'DELETE', path, handle: atAgent },
  ];
}
