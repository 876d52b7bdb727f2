// The MCP transport at /mcp, over HTTP and without sessions, so that any node answers any request (rules.md 10). It reads one
// message, authenticates the caller, and runs the method.

import type { AnyOperation } from '../../contract/operation.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { TOOL_STREAM } from '../../domain/identity/resource.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Caller, Refused } from '../../pipeline/call.ts';
import { INPUT_MAX } from '../../pipeline/validate.ts';
import type { PlainRoute } from '../app.ts';
import { senderOf, withTrace } from '../caller.ts';
import type { DoorPorts } from '../door-ports.ts';
import {
  errorText,
  RPC_CODES,
  type RpcId,
  type RpcMessage,
  type RpcProblem,
  readMessage,
  resultText,
} from '../json-rpc.ts';
import type { RestDoor } from '../rest.ts';
import { openStream } from '../sse.ts';
import { toolForm, toolsOf } from '../tools.ts';
import { challengeOf, respond, retryHeaders, showsCredential } from '../wire.ts';
import { operationTool } from './call-tool.ts';
import { type ClientSide, openClientSide, takeAnswer } from './client-requests.ts';
import {
  type Exchange,
  endOf,
  envelopeOf,
  type Methods,
  metaOf,
  type Outcome,
  RESOURCE,
  type Revision,
  type RpcError,
  type RpcResult,
  refusalError,
  rpcError,
} from './exchange.ts';
import { metaTools } from './meta-tools.ts';
import { methodTable } from './methods.ts';
import { choiceOf, Offer, type OfferedTool } from './offer.ts';
import type { MethodPorts } from './run-operation.ts';
import { eventOf } from './sse-pair.ts';
import { type StandingWays, standingRoutes } from './standing.ts';

// Checks the Host and Origin of requests. A foreign page can make a browser call a server that only the browser reaches: by a name
// of its own that resolves there (DNS rebinding), or across origins. The page's name is in Host or Origin then.

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** An IP address, or a name of a private network only: no foreign page can have such a host. */
const NO_PUBLIC_NAME = /^(?:\[[\da-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3}|[\w-]+|[\w-]+\.localhost)$/;

const FOREIGN_PAGE =
  'Pages of that Origin may not call tools here; those of BASE_URL, of APP_URL and of this machine may, and programs that send none.';

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : null;
}

/** Detects requests by foreign pages, for a service with these own addresses. */
export function foreignCheck(own: readonly string[]): (headers: Headers) => Fault | null {
  const names = new Set(own.map(hostOf));
  const origins = new Set(own.map((address) => new URL(address).origin));
  return (headers) => {
    const origin = headers.get('origin');
    if (origin !== null && !origins.has(origin) && !LOOPBACK.test(hostOf(origin) ?? '')) {
      return fault('foreign_origin', FOREIGN_PAGE);
    }
    const host = hostOf(`http://${headers.get('host') ?? 'localhost'}`) ?? '';
    if (names.has(host) || NO_PUBLIC_NAME.test(host)) return null;
    return fault('foreign_origin', 'This service is not known by that Host; call it by the host of its BASE_URL.');
  };
}

/** The HTTP ports of the transport. */
type HttpWays = Pick<RestDoor, 'ip' | 'prepareStream' | 'observe'>;

/** Additions to the tools and methods of the operations. */
export interface McpExtras {
  tools?(side: ClientSide): readonly OfferedTool[];
  /** The table of methods in place of its own. */
  methods?(own: Methods, side: ClientSide): Methods;
}

/** The metrics name of an unknown method. */
const NO_METHOD = 'unknown';

function resultJson({ result, type = 'complete', cache }: RpcResult, { era }: Revision): string {
  if (era === 'handshake') return result;
  const kept = cache ? `,"ttlMs":${cache.ttl_ms},"cacheScope":"${cache.scope}"` : '';
  const rest = result === '{}' ? '}' : `,${result.slice(1)}`;
  return `{"resultType":"${type}"${kept}${rest}`;
}

function messageText(id: RpcId | null, ended: RpcResult | RpcError, revision: Revision): string {
  if ('error' in ended) return errorText(id, ended.error.code, ended.error.message, ended.error.data);
  return resultText(id ?? '', resultJson(ended, revision));
}

/** The transport's parts, made once. */
interface Parts {
  readonly service: DoorPorts;
  readonly ways: HttpWays;
  readonly form: StepForm;
  readonly methods: Methods;
  readonly foreign: ReturnType<typeof foreignCheck>;
  readonly side: ClientSide;
}

interface Visit {
  readonly request: Request;
  readonly request_id: string;
  readonly started_ms: number;
}

function refuse({ ways }: Parts, visit: Visit, error: RpcError, id: RpcId | null, what: string): Response {
  const { request, request_id, started_ms } = visit;
  ways.observe('mcp', what, error.status, started_ms, senderOf(request, ways.ip).origin);
  const body = errorText(id, error.error.code, error.error.message, error.error.data);
  return respond({ status: error.status, headers: error.headers ?? {}, body }, request_id);
}

/** A refusal before any method: of the caller, or of the request itself. */
function refuseAll(parts: Parts, visit: Visit, refusal: Fault, id: RpcId | null = null, code?: number): Response {
  const { credential } = senderOf(visit.request, parts.ways.ip);
  const resource = new URL(visit.request.url).pathname === TOOL_STREAM ? TOOL_STREAM : RESOURCE;
  const asked = { base_url: parts.service.settings.base_url, resource, shown: showsCredential(credential) };
  const headers = { ...challengeOf(refusal, asked), ...retryHeaders(refusal) };
  const error = refusalError(refusal, parts.form, visit.request_id, { headers, ...(code !== undefined && { code }) });
  return refuse(parts, visit, error, id, NO_METHOD);
}

function openChannel(
  { ways, service }: Parts,
  { request, request_id }: Visit,
  id: RpcId,
  revision: Revision,
  outcome: Outcome,
): Response {
  ways.prepareStream(request);
  const start = async (sink: Parameters<Parameters<typeof openStream>[1]>[0]): Promise<void> => {
    const send = (message: string): boolean => sink.write(eventOf(message));
    const channel = { send, onClose: (listener: () => void) => sink.onClose(listener) };
    const ended = await endOf(outcome, channel, service.report);
    send(messageText(id, ended, revision));
    sink.close();
  };
  return openStream(request, (sink) => void start(sink), { 'X-Request-Id': request_id });
}

/** The refusal of an unknown method, with those of the client's era. */
function unknownMethod({ methods }: Parts, method: string, { era }: Revision): RpcError {
  const supported = [...methods].filter(([, { eras }]) => eras.includes(era)).map(([name]) => name);
  const message = `There is no method ${method.slice(0, 100).toWellFormed()}.`;
  const refusal = rpcError(RPC_CODES.method_not_found, message, { supported }, era === 'stateless' ? 404 : 200);
  return { ...refusal, operation: NO_METHOD };
}

async function runMethod(parts: Parts, exchange: Exchange): Promise<Outcome> {
  const { method, revision } = exchange;
  const known = parts.methods.get(method);
  return known?.eras.includes(revision.era) ? known.run(exchange) : unknownMethod(parts, method, revision);
}

async function answer(parts: Parts, visit: Visit, exchange: Exchange): Promise<Response> {
  const { ways } = parts;
  const { id, method, revision } = exchange;
  const outcome = await runMethod(parts, exchange);
  const { operation = method } = outcome;
  if ('error' in outcome) return refuse(parts, visit, outcome, id, operation);
  ways.observe('mcp', operation, 200, visit.started_ms, exchange.origin);
  if ('stream' in outcome) return openChannel(parts, visit, id, revision, outcome);
  return respond({ status: 200, headers: {}, body: messageText(id, outcome, revision) }, visit.request_id);
}

/** Authenticates the caller. Without an account the call is refused, which tells a client that it needs a credential. */
async function enter({ service }: Parts, visit: Visit, sender: Pick<Exchange, 'credential' | 'origin'>) {
  const caller: Caller | Refused = await service.pipeline.enter({
    ...sender,
    request_id: visit.request_id,
    what: 'mcp',
  });
  if ('refusal' in caller) return caller.refusal;
  return caller.principal.account_id === null ? fault('unauthorized') : caller;
}

function accepted({ ways }: Parts, { request, request_id, started_ms }: Visit, method: string): Response {
  ways.observe('mcp', method, 202, started_ms, senderOf(request, ways.ip).origin);
  return new Response(null, { status: 202, headers: { 'X-Request-Id': request_id } });
}

/** The refusal of an answer that no request of this service to this caller waits for. */
const UNASKED = rpcError(RPC_CODES.invalid_request, 'No request waits for this answer.', undefined, 400);

async function handleMessage(
  parts: Parts,
  visit: Visit,
  message: RpcMessage,
  known: Pick<Exchange, 'credential' | 'origin' | 'caller' | 'bytes' | 'choice'>,
): Promise<Response> {
  const { headers } = visit.request;
  const envelope = envelopeOf(headers, message, parts.methods);
  const id = message.kind === 'request' ? message.id : null;
  if ('error' in envelope) return refuse(parts, visit, envelope, id, NO_METHOD);
  const { request, request_id } = visit;
  const acting = headers.get('x-agent-handle');
  if (message.kind === 'answer' && !takeAnswer(parts.side, { ...known, acting }, message)) {
    return refuse(parts, visit, UNASKED, null, message.kind);
  }
  // Notifications need no answer. A cancelled request is not searched for: without sessions two clients of one key have the same
  // ids, and a call that waits for its client ends with its stream.
  if (message.kind !== 'request') return accepted(parts, visit, message.kind);
  const { method, params } = message;
  const origin = withTrace(known.origin, metaOf(params));
  const said = { ...known, origin, ...envelope, request, request_id, id: message.id, method, params, acting };
  return answer(parts, visit, said);
}

const problemCode = ({ kind, code }: RpcProblem): number | undefined => (kind === 'problem' ? code : undefined);

async function handlePost(parts: Parts, request: Request): Promise<Response> {
  const visit: Visit = { request, request_id: Bun.randomUUIDv7(), started_ms: performance.now() };
  const foreign = parts.foreign(request.headers);
  if (foreign) return refuseAll(parts, visit, foreign);
  const { message, bytes } = await readMessage(request, INPUT_MAX);
  // Cookies are ignored, because any page could make a call with cookies.
  const sender = senderOf(request, parts.ways.ip);
  const caller = await enter(parts, visit, sender);
  const id = message.kind === 'request' || message.kind === 'problem' ? message.id : null;
  if (isFault(caller)) return refuseAll(parts, visit, caller, id);
  if (message.kind === 'problem') return refuseAll(parts, visit, message.refusal, id, problemCode(message));
  const choice = choiceOf(request.url);
  if (isFault(choice)) return refuseAll(parts, visit, choice, id);
  return handleMessage(parts, visit, message, { ...sender, caller, bytes, choice });
}

/** The ports of open streams. */
function standingWays(parts: Parts, ports: MethodPorts): StandingWays {
  const { ways } = parts;
  return {
    ports,
    ways,
    admit: async (request) => {
      const visit: Visit = { request, request_id: Bun.randomUUIDv7(), started_ms: performance.now() };
      const foreign = parts.foreign(request.headers);
      if (foreign) return refuseAll(parts, visit, foreign);
      const sender = senderOf(request, ways.ip);
      const caller = await enter(parts, visit, sender);
      if (isFault(caller)) return refuseAll(parts, visit, caller);
      return { ...sender, ...visit, caller, acting: request.headers.get('x-agent-handle'), bytes: 0 };
    },
    refuse: (visit, refusal) => refuseAll(parts, visit, refusal),
    run: (exchange) => runMethod(parts, exchange),
    envelope: (headers, message) => envelopeOf(headers, message, parts.methods),
    text: messageText,
  };
}

export function mcpRoutes(service: DoorPorts, ways: HttpWays, extras: McpExtras = {}): readonly PlainRoute[] {
  const { operations, settings } = service;
  const form = toolForm(operations, settings.app_url);
  const side = openClientSide(service);
  const named = new Map<string, AnyOperation>(operations.map((operation) => [operation.name, operation]));
  const ports: MethodPorts = { ...service, form, side, operations: named };
  let made: Offer | null = null;
  // Made on demand: writing the schemas takes some milliseconds.
  const offer = (): Offer => {
    made ??= new Offer([
      ...toolsOf(operations).map((tool) => operationTool(ports, tool)),
      ...metaTools(offer, form, service.manual),
      ...(extras.tools?.(side) ?? []),
    ]);
    return made;
  };
  const foreign = foreignCheck([settings.base_url, settings.app_url]);
  const own = methodTable(offer, ports);
  const parts: Parts = { service, ways, form, methods: extras.methods?.(own, side) ?? own, foreign, side };
  return [
    { method: 'POST', path: RESOURCE, handle: (request) => handlePost(parts, request) },
    ...standingRoutes(RESOURCE, standingWays(parts, ports)),
  ];
}
