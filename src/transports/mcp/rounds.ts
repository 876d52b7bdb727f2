// Runs a handler that may ask the client for input, in rounds. In the stateless revision each round is a request of its own: the
// client is told what is needed, and calls again with it. Older clients are asked on the stream of their call, and each answer
// comes in a POST of its own. Either way the handler runs again with the answers.

import { timingSafeEqual } from 'node:crypto';
import { isObject, type Json } from '../../domain/json.ts';
import { RPC_CODES } from '../json-rpc.ts';
import { type ClientAnswer, type ClientSide, callerName } from './client-requests.ts';
import {
  type Channel,
  type Exchange,
  MISSING_CAPABILITY,
  metaOf,
  type Outcome,
  type RpcError,
  type RpcResult,
  rpcError,
} from './exchange.ts';
import { isLevel, isTold, type Level } from './remembered.ts';

// A handler may return, in place of a result, what it needs from the client. It is called again with the client's answers and its
// own state (MCP 2026-07-28, multi round-trip requests). Older clients are asked on the stream of their call; the handler does
// not know the difference.

export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Json;
}

/** The input that a call needs from its client. */
export interface InputNeeded {
  /** The requests, by names that the handler chooses for the answers. */
  readonly needs: Readonly<Record<string, ClientRequest>>;
  /** The handler's state for the next round; the client can read it, but not change it. */
  readonly state?: unknown;
}

/** The result of the previous round of a call. */
export interface Round {
  /** The client's answers by the handler's names; refused ones are left out. */
  readonly responses: Readonly<Record<string, Json>>;
  /** The handler's state; undefined in the first round. */
  readonly state: unknown;
}

/** Whether a handler needs input. */
export function isInputNeeded(outcome: unknown): outcome is InputNeeded {
  return typeof outcome === 'object' && outcome !== null && 'needs' in outcome;
}

/** The capability that a client needs for such a request. */
function capabilityOf({ method }: ClientRequest): 'elicitation' | 'sampling' | 'roots' {
  switch (method) {
    case 'elicitation/create':
      return 'elicitation';
    case 'sampling/createMessage':
      return 'sampling';
    case 'roots/list':
      return 'roots';
  }
}

// The state that a client returns with the next round: authenticated, so that it cannot be forged, and bound to the caller and the
// call, so that it is valid for no others (MCP 2026-07-28, multi round-trip requests).

/** The life of a state; people are slow, but an older call was abandoned. */
const STATE_MS = 60 * 60_000;
/** The key's purpose here, as it has other uses. */
const PURPOSE = 'mcp request state\n';
/** The longest state; far above any real one. */
const STATE_MAX = 16_384;

export interface StateOwner {
  readonly caller: string;
  readonly method: string;
  /** The call's parameters, which are the same in each round. */
  readonly about: unknown;
}

interface Sealed {
  readonly until: number;
  readonly state: unknown;
}

function seal(key: Uint8Array, { caller, method, about }: StateOwner, body: string): string {
  const owner = JSON.stringify([caller, method, about]);
  return new Bun.CryptoHasher('sha256', key).update(`${PURPOSE}${owner}\n${body}`).digest('base64url');
}

export function sealState(key: Uint8Array, owner: StateOwner, state: unknown, now_ms: number): string {
  const sealed: Sealed = { until: now_ms + STATE_MS, state };
  const body = Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return `${body}.${seal(key, owner, body)}`;
}

/** The sealed state; undefined when it is invalid, another owner's, or expired. */
export function openState(
  key: Uint8Array,
  owner: StateOwner,
  text: string,
  now_ms: number,
): { state: unknown } | undefined {
  if (text.length > STATE_MAX) return undefined;
  const dot = text.indexOf('.');
  const body = text.slice(0, dot);
  const shown = Buffer.from(text.slice(dot + 1));
  const wanted = Buffer.from(seal(key, owner, body));
  if (dot < 0 || shown.length !== wanted.length || !timingSafeEqual(shown, wanted)) return undefined;
  // Verified above as sealed by this service.
  const { until, state } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Sealed;
  return until > now_ms ? { state } : undefined;
}

const LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
/** The log level of a client before 2026-07-28 that set none: the server may choose. */
const UNSAID_LEVEL: Level = 'info';

interface Telling {
  progress(progress: number, total?: number): void;
  log(level: Level, data: unknown): void;
}

/** For a client that wants no notifications. */
const SILENT: Telling = { progress: () => {}, log: () => {} };

function levelOf({ remembered }: ClientSide, exchange: Exchange): Level | null {
  if (exchange.revision.era === 'handshake') return remembered.levelOf(callerName(exchange)) ?? UNSAID_LEVEL;
  const level = metaOf(exchange.params)[LEVEL_KEY];
  return isLevel(level) ? level : null;
}

function tokenOf({ params }: Exchange): string | number | null {
  const { progressToken } = metaOf(params);
  return typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : null;
}

/** Whether the client wants progress or logs; only then is the answer a stream. */
function isListening(side: ClientSide, exchange: Exchange): boolean {
  return tokenOf(exchange) !== null || levelOf(side, exchange) !== null;
}

function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** Sends progress and logs on the stream of the call. */
function tellingOn(channel: Channel, side: ClientSide, exchange: Exchange): Telling {
  const progressToken = tokenOf(exchange);
  const least = levelOf(side, exchange);
  return {
    progress: (progress, total) => {
      if (progressToken === null) return;
      channel.send(notification('notifications/progress', { progressToken, progress, total }));
    },
    log: (level, data) => {
      if (isTold(level, least)) channel.send(notification('notifications/message', { level, data }));
    },
  };
}

/** The most rounds; a handler that asks more often does not end. */
const ROUNDS_MAX = 8;
type Final = RpcResult | RpcError;

/** A handler; `about` is its call's parameters, the same in each round. */
interface Asking {
  readonly about: unknown;
  run(round: Round, telling: Telling): Final | InputNeeded | Promise<Final | InputNeeded>;
}

const FIRST: Round = { responses: {}, state: undefined };

const wrong = (path: string, message: string): RpcError =>
  rpcError(RPC_CODES.invalid_params, `params.${path} ${message}`, { path: `params.${path}` });

function ownerOf({ method }: Pick<Exchange, 'method'>, caller: string, about: unknown): StateOwner {
  return { caller, method, about };
}

/** The previous round that a stateless request returns, or its problem. */
export function roundOf(side: ClientSide, exchange: Exchange, about: unknown): Round | RpcError {
  const { inputResponses, requestState } = exchange.params;
  if (inputResponses !== undefined && !isObject(inputResponses)) return wrong('inputResponses', 'must be an object.');
  const responses: Record<string, Json> = {};
  for (const [name, response] of Object.entries(inputResponses ?? {})) {
    if (!isObject(response)) return wrong(`inputResponses.${name}`, 'must be an object, the result of what was asked.');
    responses[name] = response;
  }
  if (requestState === undefined) return { responses, state: undefined };
  if (typeof requestState !== 'string') return wrong('requestState', 'must be a string.');
  const owner = ownerOf(exchange, callerName(exchange), about);
  const opened = openState(side.seal_key, owner, requestState, side.clock.now());
  if (!opened) return wrong('requestState', 'is not what this call was given, or too old; call again without it.');
  return { responses, state: opened.state };
}

/** The result that asks the client for input. */
export function inputRequired(
  side: ClientSide,
  exchange: Exchange,
  about: unknown,
  { needs, state }: InputNeeded,
): Final {
  const missing = Object.values(needs)
    .map(capabilityOf)
    .filter((name) => !(name in exchange.capabilities));
  if (missing.length > 0) {
    const requiredCapabilities = Object.fromEntries(missing.map((name) => [name, {}]));
    const message = `This call needs a client that has ${missing.join(' and ')}.`;
    return rpcError(MISSING_CAPABILITY, message, { requiredCapabilities }, 400);
  }
  const owner = ownerOf(exchange, callerName(exchange), about);
  const requestState = state === undefined ? undefined : sealState(side.seal_key, owner, state, side.clock.now());
  return { type: 'input_required', result: JSON.stringify({ inputRequests: needs, requestState }) };
}

function unanswered(name: string, answer: ClientAnswer | null): RpcError {
  const error = answer && 'error' in answer ? (answer.error as { message?: unknown } | null) : null;
  const why = typeof error?.message === 'string' ? `: ${error.message.slice(0, 500)}` : '.';
  return rpcError(RPC_CODES.internal_error, `The client did not give ${name}, which the call needs${why}`);
}

/** Asks on the stream of the call, and waits for all answers. */
async function ask(
  side: ClientSide,
  exchange: Exchange,
  channel: Channel,
  { needs, state }: InputNeeded,
): Promise<Round | RpcError> {
  const caller = callerName(exchange);
  const answers = Object.entries(needs).map(async ([name, { method, params }]) => {
    const send = (id: string): boolean => channel.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return [name, await side.requests.ask(caller, send, (listener) => channel.onClose(listener))] as const;
  });
  const responses: Record<string, Json> = {};
  for (const [name, answer] of await Promise.all(answers)) {
    if (!answer || !('result' in answer) || !isObject(answer.result)) return unanswered(name, answer);
    responses[name] = answer.result;
  }
  return { responses, state };
}

async function converse(side: ClientSide, exchange: Exchange, channel: Channel, asking: Asking): Promise<Final> {
  const telling = tellingOn(channel, side, exchange);
  let round = FIRST;
  for (let n = 0; n < ROUNDS_MAX; n++) {
    const outcome = await asking.run(round, telling);
    if (!isInputNeeded(outcome)) return outcome;
    const next = await ask(side, exchange, channel, outcome);
    if ('error' in next) return next;
    round = next;
  }
  return rpcError(RPC_CODES.internal_error, `The call asked its client ${ROUNDS_MAX} times and came to no end.`);
}

/** Runs one call of a handler that may ask and notify. */
export async function runRounds(side: ClientSide, exchange: Exchange, asking: Asking): Promise<Outcome> {
  if (exchange.revision.era === 'handshake') {
    return { stream: (channel) => converse(side, exchange, channel, asking) };
  }
  const round = roundOf(side, exchange, asking.about);
  if ('error' in round) return round;
  const finish = async (telling: Telling): Promise<Final> => {
    const outcome = await asking.run(round, telling);
    return isInputNeeded(outcome) ? inputRequired(side, exchange, asking.about, outcome) : outcome;
  };
  if (!isListening(side, exchange)) return finish(SILENT);
  return { stream: (channel) => finish(tellingOn(channel, side, exchange)) };
}
