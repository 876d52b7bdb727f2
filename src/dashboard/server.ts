// How the screens call the service: as the signed-in person, with the client that programs use. What a call takes and answers is
// told by the operation itself.
import type { Static, TSchema } from 'typebox';
import { MeshworkError, refusalOf } from '../client/error.ts';
import { type Address, OPERATIONS } from '../client/operations.ts';
import { type Fields, type Prepared, prepare } from '../client/request.ts';
import { type Reply, type Settings, send } from '../client/send.ts';
import { follow, SILENCE_MAX_MS, type Streaming } from '../client/stream.ts';
import type { Operations } from './operations.ts';
import { freshToken, heldToken, renewToken, signedOut } from './session.ts';

export type Name = keyof Operations;
/** What an operation takes; what names the acting agent is left to the frame. */
export type Input<N extends Name> = Operations[N] extends { input: infer I extends TSchema }
  ? Partial<Static<I>>
  : never;
export type Output<N extends Name> = Operations[N] extends { output: infer O extends TSchema } ? Static<O> : never;
/** One of a list that an operation answers. */
export type Item<N extends Name> = Extract<Output<N>, readonly unknown[]>[number];

/** What was answered, and how to ask for what follows. */
export interface Answer<N extends Name> {
  readonly value: Output<N>;
  /** Null on the last page, and where there are none. */
  readonly next: string | null;
}

const TABLE: Readonly<Record<string, Address>> = OPERATIONS;
/** A person waits: who has no answer by then is told so, and may ask again. */
const TIMEOUT_MS = 20_000;
const RETRIES_MAX = 2;

const SETTINGS: Settings = {
  fetch: (url, init) => fetch(url, init),
  api_key: undefined,
  access_token: freshToken,
  headers: {},
  timeout_ms: TIMEOUT_MS,
  retries_max: RETRIES_MAX,
};

/** A key for one press of a button: a repeated request is the same one. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function requestOf(name: Name, input: Fields, agent: string | undefined, key: string | undefined): Prepared {
  const address = TABLE[name];
  if (!address) throw new TypeError(`there is no operation ${name}`);
  const request = prepare(location.origin, name, address, input, agent);
  return address.write ? { ...request, headers: { ...request.headers, 'Idempotency-Key': key ?? newKey() } } : request;
}

/** How a call is made: as which agent, under which Idempotency-Key. */
export interface Asking {
  readonly agent?: string | undefined;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Sends a request; an ended session leads to signing in. */
async function answered(request: Prepared, { signal }: Asking, take = (reply: Reply): Reply => reply): Promise<Reply> {
  const sent = async (): Promise<Reply> => take(await send(request, SETTINGS, signal ? { signal } : {}));
  return sent().catch(async (error) => {
    if (!(error instanceof MeshworkError) || error.status !== 401) throw error;
    // The token was good a moment ago; the service may have been told to end the session.
    if (!(await renewToken())) return signedOut();
    return sent();
  });
}

/** Calls an operation. Throws MeshworkError on a refusal, and when nobody answers; an ended session leads to signing in. */
export async function ask<N extends Name>(
  name: N,
  input: Input<N> = {} as Input<N>,
  options: Asking = {},
): Promise<Answer<N>> {
  const request = requestOf(name, input as Fields, options.agent, options.key);
  const { body, headers } = await answered(request, options);
  return { value: body as Output<N>, next: headers.get('x-next-cursor') };
}

/** Calls an operation while the page is left: the request is on its way when this returns, and the browser completes it without the
 * page. Its answer may never be read, so a page that stays asks again under the same key. */
export async function sendLeaving<N extends Name>(
  name: N,
  input: Input<N>,
  { agent, key }: { readonly agent: string | undefined; readonly key: string },
): Promise<void> {
  const { method, url, headers, body = null } = requestOf(name, input as Fields, agent, key);
  const all = { ...headers, Authorization: `Bearer ${heldToken()}` };
  await fetch(url, { method, headers: all, body, keepalive: true }).catch(() => {});
}

/** JSON-RPC answers 200 whatever comes of a call; its older dialects put the body of a REST error beside their code, which tells
 * the status: -31403 is 403. */
function rpcReply({ body, headers }: Reply): Reply {
  const { result, error } = body as { result?: unknown; error?: { code: number; data?: unknown } };
  if (error === undefined) return { body: result, headers };
  const status = error.code > -31_600 && error.code < -31_000 ? -31_000 - error.code : 400;
  throw refusalOf(error.data, { status, headers }, 'task.send');
}

/** Writes to an agent by its handle, and answers their conversation. Where there is none yet only the agent-to-agent protocol begins one
 * (questions.md 53), by a task that the other agent's next message completes. */
export async function writeTo(
  { handle, content }: { readonly handle: string; readonly content: string },
  { agent, key = newKey() }: Asking,
): Promise<{ readonly conversation_id: string }> {
  const message = { role: 'user', parts: [{ type: 'text', text: content }] };
  const params = { message, metadata: { target_handle: handle } };
  const request: Prepared = {
    operation: 'task.send',
    method: 'POST',
    url: `${location.origin}/a2a/rpc`,
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      ...(agent !== undefined && { 'X-Agent-Handle': agent }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/send', params }),
  };
  const { body } = await answered(request, {}, rpcReply);
  return body as { conversation_id: string };
}

/** The events of a stream after an id, for as long as the signal lets it. */
export function listen(
  name: 'notification.stream',
  signal: AbortSignal,
  after: string | null,
): AsyncGenerator<Streaming<unknown>> {
  const address = TABLE[name] as Address;
  const request = (last_id: string | null): Prepared =>
    prepare(
      location.origin,
      name,
      address,
      last_id === null || !address.resume ? {} : { [address.resume]: last_id },
      undefined,
    );
  const decode = (text: string): unknown => JSON.parse(text);
  return follow({ request, decode, settings: SETTINGS, signal, silence_max_ms: SILENCE_MAX_MS, after });
}
