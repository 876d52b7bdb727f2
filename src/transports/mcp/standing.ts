// The open streams besides the answers of calls: the notification stream for clients of 2025, and the older pair of addresses. Neither
// needs a session: the credential identifies the listener.
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { INPUT_MAX } from '../../pipeline/validate.ts';
import type { PlainRoute } from '../app.ts';
import { type RpcId, type RpcMessage, readMessage } from '../json-rpc.ts';
import type { RestDoor } from '../rest.ts';
import { openStream } from '../sse.ts';
import { callerName, takeAnswer } from './client-requests.ts';
import {
  type Exchange,
  endOf,
  type Outcome,
  type Revision,
  type RpcError,
  type RpcResult,
  revisionOf,
} from './exchange.ts';
import { INBOX_UPDATED, isTold, openWatch } from './listening.ts';
import { choiceOf, choiceQuery } from './offer.ts';
import type { MethodPorts } from './run-operation.ts';
import { eventOf, SsePairs } from './sse-pair.ts';

export interface Visitor
  extends Pick<Exchange, 'credential' | 'origin' | 'acting' | 'bytes' | 'request_id' | 'caller'> {
  readonly request: Request;
  readonly started_ms: number;
}

/** The ports of the streams. */
export interface StandingWays {
  readonly ports: MethodPorts;
  readonly ways: Pick<RestDoor, 'prepareStream' | 'observe'>;
  admit(request: Request): Promise<Visitor | Response>;
  refuse(visit: Visitor, refusal: Fault): Response;
  run(exchange: Exchange): Promise<Outcome>;
  envelope(headers: Headers, message: RpcMessage): Pick<Exchange, 'revision' | 'capabilities'> | RpcError;
  text(id: RpcId | null, ended: RpcResult | RpcError, revision: Revision): string;
}

/** The notification stream of a client's subscriptions. */
async function stand({ ports, ways, admit, refuse }: StandingWays, request: Request): Promise<Response> {
  const version = request.headers.get('mcp-protocol-version')?.trim() ?? '';
  const visit = await admit(request);
  if (visit instanceof Response) return visit;
  // The revision without sessions has no standing stream.
  if (revisionOf(version, 'stateless')) return refuse(visit, fault('method_not_allowed', 'Call subscriptions/listen.'));
  const opened = await openWatch(ports, visit);
  if ('refusal' in opened) return refuse(visit, opened.refusal);
  ways.observe('mcp', 'inbox.watch', 200, visit.started_ms, visit.origin);
  ways.prepareStream(request);
  const update = eventOf(INBOX_UPDATED);
  const { caller, acting, request_id } = visit;
  const told = { caller, acting };
  return openStream(
    request,
    (sink) =>
      opened.start({
        write: () => !isTold(ports.side, told) || sink.write(update),
        waitForDrain: () => sink.waitForDrain(),
        close: () => sink.close(),
        onClose: (listener) => sink.onClose(listener),
      }),
    { 'X-Request-Id': request_id },
  );
}

async function openPair(door: StandingWays, pairs: SsePairs, request: Request): Promise<Response> {
  const { ports, ways, admit, refuse } = door;
  const visit = await admit(request);
  if (visit instanceof Response) return visit;
  const choice = choiceOf(request.url);
  if (isFault(choice)) return refuse(visit, choice);
  const caller = callerName(visit);
  if (pairs.isFull(caller)) return refuse(visit, fault('stream_unavailable', 'You have too many of these open.'));
  const opened = await openWatch(ports, visit);
  if ('refusal' in opened) return refuse(visit, opened.refusal);
  ways.observe('mcp', 'inbox.watch', 200, visit.started_ms, visit.origin);
  ways.prepareStream(request);
  const changed = (): string | null => (isTold(ports.side, visit) ? INBOX_UPDATED : null);
  const messages = choiceQuery(request.url);
  return openStream(request, (sink) => pairs.start(caller, opened, sink, changed, messages), {
    'X-Request-Id': visit.request_id,
  });
}

const accepted = (request_id: string): Response =>
  new Response('Accepted', { status: 202, headers: { 'X-Request-Id': request_id } });

/** Takes a message for a stream of its sender; what comes of it goes out there. */
async function takeMessage(door: StandingWays, pairs: SsePairs, request: Request): Promise<Response> {
  const { ports, admit, refuse, envelope, run, text } = door;
  const visit = await admit(request);
  if (visit instanceof Response) return visit;
  const pair = pairs.find(new URL(request.url).searchParams.get('sessionId'), callerName(visit));
  if (!pair) return refuse(visit, fault('not_found', 'There is no such stream of yours; open one at /mcp/sse.'));
  const choice = choiceOf(request.url);
  if (isFault(choice)) return refuse(visit, choice);
  const { message, bytes } = await readMessage(request, INPUT_MAX);
  if (message.kind === 'problem') return refuse(visit, message.refusal);
  const known = envelope(request.headers, message);
  if (message.kind === 'answer') takeAnswer(ports.side, visit, message);
  if (message.kind !== 'request') return accepted(visit.request_id);
  const { id, method, params } = message;
  if ('error' in known) {
    pair.send(text(id, known, { version: '', era: 'handshake', structured: false }));
    return accepted(visit.request_id);
  }
  const exchange: Exchange = { ...visit, ...known, bytes, id, method, params, choice };
  const answer = async (): Promise<void> => {
    const ended = await endOf(run(exchange), pair, ports.report);
    pair.send(text(id, ended, known.revision));
  };
  void answer();
  return accepted(visit.request_id);
}

/** The addresses at which something stays open, under that of the door. */
export function standingRoutes(path: string, door: StandingWays): readonly PlainRoute[] {
  const pairs = new SsePairs(door.ports.random);
  return [
    { method: 'GET', path, handle: (request) => stand(door, request) },
    { method: 'GET', path: `${path}/sse`, handle: (request) => openPair(door, pairs, request) },
    { method: 'POST', path: `${path}/messages`, handle: (request) => takeMessage(door, pairs, request) },
  ];
}
