// Takes a handler that may ask the client first through its rounds. Of the stateless revision each round is a request of its own:
// the client is told what is needed, and calls again with it. Older clients are asked on the stream of their call, and each
// answer comes in by a POST of its own. Either way the handler begins anew with what it was given.

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

// What a handler may say in place of a result: that it needs something of the client first. It is called again with what the
// client gave and what it wanted to remember, and begins anew, as the revision without sessions has it (MCP 2026-07-28, multi
// round-trip requests). The older ones are asked on the stream of their call; the handler knows nothing of the difference.

export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Json;
}

/** What a client is asked for before a call goes on. */
export interface InputNeeded {
  /** By names of the handler's own, under which the answers come back. */
  readonly needs: Readonly<Record<string, ClientRequest>>;
  /** What it wants to be told again; anybody may read it, and nobody can change it. */
  readonly state?: unknown;
}

/** What came of an earlier round of the same call. */
export interface Round {
  /** What the client gave, by the handler's names; one that it refused is left out. */
  readonly responses: Readonly<Record<string, Json>>;
  /** What was remembered; undefined in the first round. */
  readonly state: unknown;
}

/** Whether a handler asks before it answers. */
export function isInputNeeded(outcome: unknown): outcome is InputNeeded {
  return typeof outcome === 'object' && outcome !== null && 'needs' in outcome;
}

/** The capability by which a client says that it takes such a request. */
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

// What a call that waits for input gives its client to bring back: sealed, so that nobody can make or change one, and bound to
// who called and to the call itself, so that it serves nobody else and no other call (MCP 2026-07-28, multi round-trip requests).

/** People are slow; a state that is older is of a call that nobody waits for. */
const STATE_MS = 60 * 60_000;
/** Says what the key seals here, which is used for other things too. */
const PURPOSE = 'mcp request state\n';
/** Far above what any call has to remember. */
const STATE_MAX = 16_384;

export interface StateOwner {
  readonly caller: string;
  readonly method: string;
  /** What the call is about: the parameters that it comes back with. */
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

/** What was sealed; undefined for what was not sealed here, for this owner, or too long ago. */
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
  // Only what this service sealed comes so far.
  const { until, state } = JSON.parse(Buffer.from(body, 'base64url').toString()) as Sealed;
  return until > now_ms ? { state } : undefined;
}

const LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
/** Of a client that never said, before 2026-07-28: the server may decide then. */
const UNSAID_LEVEL: Level = 'info';

interface Telling {
  progress(progress: number, total?: number): void;
  log(level: Level, data: unknown): void;
}

/** Of a client that wants to hear nothing on the way. */
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

/** Whether anything that is told on the way has a reader; only then is the answer a stream. */
function isListening(side: ClientSide, exchange: Exchange): boolean {
  return tokenOf(exchange) !== null || levelOf(side, exchange) !== null;
}

function notification(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** What is told goes out on the stream of the call. */
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

/** A handler that asks more often goes in circles. */
const ROUNDS_MAX = 8;
type Final = RpcResult | RpcError;

/** A handler; `about` is what its call is about, which stays the same from round to round. */
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

/** What a stateless request brings back from an earlier round; or what is wrong with it. */
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

/** What the client is told that it has to bring. */
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

/** One call of a handler that may ask and tell. */
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
