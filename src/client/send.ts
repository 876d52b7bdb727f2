// Sends a prepared request and retries temporary refusals and network failures. That is safe for writes too, because each
// retry has the same Idempotency-Key.
import { MeshworkError, refusalOf } from './error.ts';
import type { Prepared } from './request.ts';
import { backoff, deadline, pause } from './timing.ts';

/** A credential, or a function that returns one, called before each attempt. */
export type Credential = string | (() => string | Promise<string>);

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The settings of all requests of a client. */
export interface Settings {
  readonly fetch: Fetch;
  readonly api_key: Credential | undefined;
  readonly access_token: Credential | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly retries_max: number;
}

/** The options of one call. */
export interface Sending {
  readonly signal?: AbortSignal;
  /** For one attempt, its answer included. */
  readonly timeout_ms?: number;
  /** How often a request is sent again; 0 for never. */
  readonly retries_max?: number;
}

/** A parsed answer with its headers. */
export interface Reply {
  readonly body: unknown;
  readonly headers: Headers;
}

/** The service's longest answers are some hundred kilobytes. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** A longer Retry-After is not waited for: the call fails at once. */
const WAIT_MAX_MS = 60_000;

/** Unknown fields are refused by name, not ignored (RFC 7240). */
const STRICT = { Prefer: 'handling=strict' };

const PASSING: readonly number[] = [429, 502, 503, 504];
/** Codes with such a status that no retry helps. */
const LASTING: readonly string[] = ['too_many_tries', 'provider_not_configured'];
const AGAIN: readonly string[] = ['network_error', 'timeout', 'idempotency_in_flight'];

/** Whether the same request may succeed a little later. */
export function passes({ code, status }: MeshworkError): boolean {
  return AGAIN.includes(code) || (PASSING.includes(status) && !LASTING.includes(code));
}

async function credentialHeaders({ api_key, access_token }: Settings): Promise<Record<string, string>> {
  const said = async (credential: Credential): Promise<string> =>
    typeof credential === 'string' ? credential : await credential();
  if (api_key !== undefined) return { 'X-API-Key': await said(api_key) };
  return access_token === undefined ? {} : { Authorization: `Bearer ${await said(access_token)}` };
}

/** Opens a request; redirects are not followed, because the credential would be sent to their target. */
export async function open(
  request: Prepared,
  settings: Settings,
  signal: AbortSignal,
  accept: string,
): Promise<Response> {
  const { operation, method, url, body } = request;
  const said = { ...settings.headers, ...request.headers, ...(await credentialHeaders(settings)) };
  const headers = { Accept: accept, ...STRICT, ...said };
  const response = await settings.fetch(url, { method, headers, body: body ?? null, signal, redirect: 'manual' });
  const { status } = response;
  if (response.type !== 'opaqueredirect' && (status < 300 || status > 399)) return response;
  await response.body?.cancel();
  const message = `${operation} was redirected, which is not followed; give the server's own address as the url.`;
  throw new MeshworkError({ code: 'redirected', status, operation, message });
}

async function textOf(response: Response, operation: string): Promise<string> {
  const { body, status } = response;
  if (body === null) return '';
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size > ANSWER_BYTES_MAX) {
      await reader.cancel();
      const message = `The answer to ${operation} is larger than ${ANSWER_BYTES_MAX} bytes.`;
      throw new MeshworkError({ code: 'answer_too_large', status, operation, message });
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

/** The JSON of a text, or undefined when it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads an answer; throws what it refuses. */
export async function read(response: Response, operation: string): Promise<Reply> {
  const { headers, status } = response;
  const text = await textOf(response, operation);
  const body = parse(text);
  const isObject = typeof body === 'object' && body !== null;
  if (!response.ok) throw refusalOf(isObject ? body : null, response, operation);
  if (body === undefined && status !== 204) {
    const message = `${operation} was answered with what is not JSON.`;
    throw new MeshworkError({ code: 'invalid_answer', status, operation, message });
  }
  if (isObject && 'receipt' in body && headers.get('idempotent-replayed') === 'true') {
    const message = `${operation} was done before, and its answer was too large to keep; read what it made.`;
    throw new MeshworkError({ code: 'not_kept', status, operation, message });
  }
  return { body, headers };
}

async function attempt(request: Prepared, settings: Settings, sending: Sending): Promise<Reply> {
  const timeout_ms = sending.timeout_ms ?? settings.timeout_ms;
  const limit = deadline(timeout_ms, sending.signal);
  const { operation } = request;
  try {
    return await read(await open(request, settings, limit.signal, 'application/json'), operation);
  } catch (error) {
    throw failureOf(error, operation, limit.expired() ? timeout_ms : null, sending.signal);
  } finally {
    limit.clear();
  }
}

/** The caller's error for a transport failure: its own signal's reason, or a MeshworkError. */
export function failureOf(error: unknown, operation: string, late_ms: number | null, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof MeshworkError) return error;
  const message = late_ms === null ? `${operation} got no answer.` : `${operation} got no answer in ${late_ms} ms.`;
  return new MeshworkError({ code: late_ms === null ? 'network_error' : 'timeout', operation, message, cause: error });
}

/** Sends a request with retries, and returns the answer. */
export async function send(request: Prepared, settings: Settings, sending: Sending): Promise<Reply> {
  const retries_max = sending.retries_max ?? settings.retries_max;
  for (let sent = 1; ; sent++) {
    try {
      return await attempt(request, settings, sending);
    } catch (error) {
      if (!(error instanceof MeshworkError) || !passes(error) || sent > retries_max) throw error;
      const wait_ms = Math.max((error.retry_after ?? 0) * 1_000, backoff(sent));
      if (wait_ms > WAIT_MAX_MS) throw error;
      await pause(wait_ms, sending.signal);
      sending.signal?.throwIfAborted();
    }
  }
}
