// A2A over JSON-RPC: one message a request, in any of three dialects. The status is 200 whatever comes of it (interface.md,
// Agent-to-agent JSON-RPC), but for callers who are not let in: 1.0 and the agents' own addresses answer those as HTTP does, 401
// and 403 (Q97).
import { invalid } from '../../domain/fault.ts';
import { INPUT_MAX } from '../../pipeline/input-limits.ts';
import { errorText, RPC_CODES, type RpcId, type RpcMessage, readMessage, resultText } from '../json-rpc.ts';
import { openStream } from '../sse.ts';
import type { WriteEvent } from './asking.ts';
import type { Version } from './dialect.ts';
import { type A2aDoor, challenge, enter, retryHeader, runKnown, type Visitor, versionOf, visitorOf } from './door.ts';
import { type Problem, problem, tell } from './errors.ts';
import { knownMethod, METHOD_NAMES } from './methods.ts';

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

/** Answers a request at the address of all agents, or of one. */
export async function answerRpc(door: A2aDoor, request: Request, target: string | null): Promise<Response> {
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
