// Calls the service as the signed-in person, with the client that programs use. Input and output types come from the
// operations.
import type { Static, TSchema } from 'typebox';
import { MeshworkError, refusalOf } from '../client/error.ts';
import { type Address, OPERATIONS } from '../client/operations.ts';
import { type Fields, type Prepared, prepare } from '../client/request.ts';
import { type Reply, type Settings, send } from '../client/send.ts';
import { follow, SILENCE_MAX_MS, type Streaming } from '../client/stream.ts';
import type { Operations } from './operations.ts';
import { freshToken, heldToken, renewToken, signedOut } from './session.ts';
import { inWords } from './words/refusal.ts';
import { words } from './words/words.ts';

export type Name = keyof Operations;
/** An operation's input without the acting agent, which the frame adds. */
export type Input<N extends Name> = Operations[N] extends { input: infer I extends TSchema }
  ? Partial<Static<I>>
  : never;
export type Output<N extends Name> = Operations[N] extends { output: infer O extends TSchema } ? Static<O> : never;
/** An item of an operation's list. */
export type Item<N extends Name> = Extract<Output<N>, readonly unknown[]>[number];

/** A response and the cursor of the next page. */
export interface Answer<N extends Name> {
  readonly value: Output<N>;
  /** Null on the last page and for unpaged operations. */
  readonly next: string | null;
}

const TABLE: Readonly<Record<string, Address>> = OPERATIONS;
/** Timeout of a request while a person waits; they may retry. */
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

/** An Idempotency-Key for one press: retries are the same request. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function requestOf(name: Name, input: Fields, agent: string | undefined, key: string | undefined): Prepared {
  const address = TABLE[name];
  if (!address) throw new TypeError(`there is no operation ${name}`);
  const request = prepare(location.origin, name, address, input, agent);
  return address.write ? { ...request, headers: { ...request.headers, 'Idempotency-Key': key ?? newKey() } } : request;
}

/** The acting agent and Idempotency-Key of a call. */
export interface Asking {
  readonly agent?: string | undefined;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Sends a request; an ended session redirects to the sign-in page. Refusals are in the reader's language. */
async function answered(request: Prepared, { signal }: Asking, take = (reply: Reply): Reply => reply): Promise<Reply> {
  const sent = async (): Promise<Reply> => take(await send(request, SETTINGS, signal ? { signal } : {}));
  const tried = sent().catch(async (error) => {
    if (!(error instanceof MeshworkError) || error.status !== 401) throw error;
    // The token was valid a moment ago; the session may have been ended elsewhere.
    if (!(await renewToken())) return signedOut();
    return sent();
  });
  return tried.catch((error) => {
    throw error instanceof MeshworkError ? inWords(error, words.refusals) : error;
  });
}

/** Calls an operation. Throws MeshworkError on a refusal or without a response; an ended session redirects to the sign-in page. */
export async function ask<N extends Name>(
  name: N,
  input: Input<N> = {} as Input<N>,
  options: Asking = {},
): Promise<Answer<N>> {
  const request = requestOf(name, input as Fields, options.agent, options.key);
  const { body, headers } = await answered(request, options);
  return { value: body as Output<N>, next: headers.get('x-next-cursor') };
}

/** Calls an operation while the page is left: the request has started when this returns, and the browser completes it without the
 * page (keepalive). The response may be lost, so a page that stays repeats the call under the same key. */
export async function sendLeaving<N extends Name>(
  name: N,
  input: Input<N>,
  { agent, key }: { readonly agent: string | undefined; readonly key: string },
): Promise<void> {
  const { method, url, headers, body = null } = requestOf(name, input as Fields, agent, key);
  const all = { ...headers, Authorization: `Bearer ${heldToken()}` };
  await fetch(url, { method, headers: all, body, keepalive: true }).catch(() => {});
}

/** JSON-RPC responds 200 to errors too; its older dialects add the body of the REST error to a code that holds the status:
 * -31403 is 403. */
function rpcReply({ body, headers }: Reply): Reply {
  const { result, error } = body as { result?: unknown; error?: { code: number; data?: unknown } };
  if (error === undefined) return { body: result, headers };
  const status = error.code > -31_600 && error.code < -31_000 ? -31_000 - error.code : 400;
  throw refusalOf(error.data, { status, headers }, 'task.send');
}

/** Sends a message to an agent by handle and returns their conversation. Only A2A can begin one (questions.md 53), by a task
 * that the other agent's next message completes. */
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

/** A stream's events after an id, until the signal aborts; an ended session redirects to the sign-in page. */
export async function* listen(
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
  const source = { request, decode, settings: SETTINGS, signal, silence_max_ms: SILENCE_MAX_MS };
  let last_id = after;
  for (let is_renewed = false; ; ) {
    try {
      for await (const event of follow({ ...source, after: last_id })) {
        last_id = event.id;
        is_renewed = false;
        yield event;
      }
      return;
    } catch (error) {
      if (is_renewed || !(error instanceof MeshworkError) || error.status !== 401) throw error;
      if (!(await renewToken())) return signedOut();
      is_renewed = true;
    }
  }
}
