// Calls of tools that are operations: routed to the operation, run by the pipeline, and answered in the form of tools. Invalid arguments
// give a result that lets the model correct them; an invalid credential gives an HTTP error.
import type { Principal } from '../../contract/context.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { SCOPES } from '../../domain/identity/scope.ts';
import { STATUSES } from '../../domain/notes.ts';
import type { Answer } from '../../pipeline/call.ts';
import { type Routed, routeCall, type Tool, type ToolRoute } from '../tools.ts';
import { challengeOf } from '../wire.ts';
import type { ClientSide } from './client-requests.ts';
import {
  type Exchange,
  type Outcome,
  RESOURCE,
  type RpcError,
  type RpcResult,
  refusalError,
  rpcError,
} from './exchange.ts';
import { type OfferedTool, type Reach, reachOfRoute, type ToolCall } from './offer.ts';
import {
  inToolWords,
  isOfTransport,
  outputSchema,
  outputShape,
  outputText,
  refusalResult,
  toolResult,
} from './results.ts';
import { inputRequired, roundOf } from './rounds.ts';
import { contentOf, type MethodPorts } from './run-operation.ts';
import { taskOf } from './tasks.ts';
import { waitingId } from './waiting.ts';

/** The revision that has a code of its own for it. */
const WITH_CODE = '2025-11-25';
/** "URL elicitation required" (MCP 2025-11-25, Elicitation). */
const URL_REQUIRED = -32042;
/** Under which name the client answers. */
const NAME = 'open_url';
const ID_BYTES = 16;

function takesUrls({ capabilities }: Exchange): boolean {
  const { elicitation } = capabilities;
  return typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation;
}

/** The answer of a refusal that waits for a person; null for other refusals. `about` is the call's parameters, which are the same when it
 * is repeated. */
function personNeeded(
  side: ClientSide,
  exchange: Exchange,
  about: unknown,
  { data: { open_url } }: Pick<Fault, 'data'>,
): RpcResult | RpcError | null {
  if (!open_url) return null;
  const { url, message } = open_url;
  const { era, version } = exchange.revision;
  if (era === 'stateless') {
    if (!takesUrls(exchange)) return null;
    const request = { method: 'elicitation/create', params: { mode: 'url', message, url } } as const;
    return inputRequired(side, exchange, about, { needs: { [NAME]: request }, state: url });
  }
  if (version !== WITH_CODE) return null;
  const elicitationId = Buffer.from(side.random(ID_BYTES)).toString('base64url');
  return rpcError(URL_REQUIRED, message, { elicitations: [{ mode: 'url', elicitationId, message, url }] });
}

/** The problem of the state that a repeated call returns, or null. */
function secondTryProblem(side: ClientSide, exchange: Exchange, about: unknown): RpcError | null {
  const { inputResponses, requestState } = exchange.params;
  if (exchange.revision.era !== 'stateless') return null;
  if (inputResponses === undefined && requestState === undefined) return null;
  const round = roundOf(side, exchange, about);
  return 'error' in round ? round : null;
}

/** Whether the person at the client would not open the address. */
function isDeclined({ params: { inputResponses }, revision }: Exchange): boolean {
  const answer =
    revision.era === 'stateless' ? (inputResponses as Record<string, unknown> | undefined)?.[NAME] : undefined;
  const action = (answer as { action?: unknown } | undefined)?.action;
  return action === 'decline' || action === 'cancel';
}

/** The answer of a repeated call whose first answer was too large to store. */
const RECEIPT = 'This was done when it was first called with that idempotency key; the answer was too large to keep.';

/** As many arguments as are named that a call does not take, and so much of each name. */
const IGNORED_MAX = 8;
const NAME_SHOWN_MAX = 60;

/** The JSON of an answer, an object, with what was not taken of the call. Hosts add arguments of their own, so that none is refused. */
function withNotes(json: string, ignored: readonly string[]): string {
  if (ignored.length === 0) return json;
  const notes = ignored
    .slice(0, IGNORED_MAX)
    .map((name) => `${name.slice(0, NAME_SHOWN_MAX).toWellFormed()} is no argument of this call and was ignored.`);
  return `{"notes":${JSON.stringify(notes)}${json === '{}' ? '' : ','}${json.slice(1)}`;
}

async function answered(
  ports: MethodPorts,
  exchange: Exchange,
  { route: { operation }, ignored }: Routed,
  answer: Answer,
): Promise<Outcome> {
  const meta = answer.replayed ? { 'meshwork/idempotentReplayed': true } : undefined;
  if (answer.notes.receipt) {
    const json = JSON.stringify({ receipt: true, status: STATUSES[answer.status], message: RECEIPT });
    // It is not what the tool declares, and clients that compare may not fail over it.
    return toolResult({ json, isError: true, ...(meta && { meta }) }, exchange, operation.name);
  }
  const json = withNotes(outputText(answer, operation, ports.form), ignored);
  const content = await contentOf(ports, exchange, answer, answer.output ?? outputShape(operation), json);
  return toolResult({ json, content, ...(meta && { meta }) }, exchange, operation.name);
}

function refused(ports: MethodPorts, exchange: Exchange, route: ToolRoute, refusal: Fault): Outcome {
  const { form, settings } = ports;
  const { request_id } = exchange;
  const { name } = route.operation;
  if (!isOfTransport(refusal)) {
    return refusalResult(inToolWords(refusal, route), form, request_id, exchange, name);
  }
  const headers = challengeOf(refusal, { base_url: settings.base_url, resource: RESOURCE, shown: true });
  return { ...refusalError(refusal, form, request_id, { headers }), operation: name };
}

/** The challenge for a credential with more scopes. It names the present scopes besides the missing one: a client requests what it is
 * told, and would lose them. */
function stepUp(ports: MethodPorts, { caller, request_id }: Exchange, { scope, operation }: ToolRoute): Outcome {
  const refusal = fault('insufficient_scope', undefined, { required_scope: scope });
  const has = SCOPES.filter((each) => caller.principal.scopes.has(each));
  const asked = { base_url: ports.settings.base_url, resource: RESOURCE, shown: true };
  const headers = challengeOf(refusal, asked, has);
  return { ...refusalError(refusal, ports.form, request_id, { headers }), operation: operation.name };
}

async function callTool(ports: MethodPorts, tool: Tool, exchange: Exchange, call: ToolCall): Promise<Outcome> {
  const { caller, credential, origin, acting, bytes, request_id } = exchange;
  const routed = routeCall(tool, call.given);
  if (isFault(routed)) return refusalResult(routed, ports.form, request_id, exchange);
  const { route, input } = routed;
  if (reachOfRoute(route, caller.principal) === 'grantable') return stepUp(ports, exchange, route);
  const { operation, access, scope } = route;
  const about = { name: tool.name, given: call.given };
  const problem = secondTryProblem(ports.side, exchange, about);
  if (problem) return problem;
  const { idempotency_key } = call;
  const sent = { credential, origin, acting, bytes, request_id, entered: caller, idempotency_key, form: ports.form };
  const ended = await ports.pipeline.run({ ...sent, operation, input, admits: { access, scope } });
  if (!('reply' in ended || 'refusal' in ended)) {
    throw new Error(`${operation.name} stays open, and tools answer once`);
  }
  const task = await taskOf(ports, exchange, waitingId(operation.name, ended));
  if (task) return { ...task, operation: operation.name };
  if ('reply' in ended) return answered(ports, exchange, routed, ended);
  const asked = isDeclined(exchange) ? null : personNeeded(ports.side, exchange, about, ended.refusal);
  return asked ? { ...asked, operation: operation.name } : refused(ports, exchange, route, ended.refusal);
}

/** How far a caller gets with a tool: as far as with the best of its routes. */
function reachOfTool({ routes }: Tool, who: Principal): Reach {
  const each = routes.map((route) => reachOfRoute(route, who));
  return each.find((reach) => reach === 'reached') ?? each.find((reach) => reach === 'grantable') ?? 'unknown';
}

/** A tool of the operations as this door offers it. */
export function operationTool(ports: MethodPorts, tool: Tool): OfferedTool {
  const { name, title, set, extension, description, inputSchema, annotations } = tool;
  return {
    set,
    extension,
    shown: { name, title, description, inputSchema, outputSchema: outputSchema(tool.routes), annotations },
    reach: (who) => reachOfTool(tool, who),
    lacks: (who) => (reachOfTool(tool, who) === 'reached' ? null : String(tool.routes[0]?.scope)),
    call: (exchange, call) => callTool(ports, tool, exchange, call),
  };
}
