// Renders the pipeline's answer for REST: a value with its notes, or a fault, as status, headers and a JSON body. Only this file
// makes fault bodies and sets the request id of responses.

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { TSchema } from 'typebox';
import type { AnyOperation } from '../contract/operation.ts';
import { type Code, FAULTS, type Fault } from '../domain/fault.ts';
import { METADATA_PATH } from '../domain/identity/resource.ts';
import type { Addresses } from '../domain/next-step.ts';
import { NO_NOTES, type Notes, STATUSES } from '../domain/notes.ts';
import type { Answer, Credentials, Refused } from '../pipeline/call.ts';
import { sessionCookies } from './caller.ts';

type Headers = Readonly<Record<string, string>>;

interface Rendering {
  readonly status: number;
  readonly headers: Headers;
  /** Cookies to set or delete. */
  readonly cookies?: readonly string[];
  readonly body: string;
}

const JSON_TYPE = 'application/json';
/** For all answers except public reads with a cache time. */
const NOT_KEPT = 'no-store';
const NO_HEADERS: Headers = {};
const REPLAYED: Headers = { 'Idempotent-Replayed': 'true' };

/** The clients' connection, and the form of calls. */
interface Ways {
  /** Over TLS. */
  readonly secure: boolean;
  readonly addresses: Addresses;
}

/** The headers of a reply's notes. Deprecation by RFC 9745, sunset by RFC 8594. */
function notesAsHeaders({ next_cursor, stands_at, deprecated }: Notes, { addresses }: Ways): Headers {
  return {
    ...(next_cursor !== undefined && { 'X-Next-Cursor': next_cursor }),
    ...(stands_at !== undefined && { 'Content-Location': addresses.path(stands_at) }),
    ...(deprecated && {
      Deprecation: `@${deprecated.since_ms / 1000}`,
      Sunset: new Date(deprecated.ends_ms).toUTCString(),
      Link: `<${addresses.path(deprecated.successor)}>; rel="successor-version"`,
    }),
  };
}

/** An answer over HTTP; `output` is the declared schema of its value. */
export function render({ status: success, reply, notes, replayed }: Answer, output: TSchema, ways: Ways): Rendering {
  const status = STATUSES[success];
  if (notes === NO_NOTES && !replayed)
    return { status, headers: NO_HEADERS, body: reply.textFor(ways.addresses, output) };
  if (notes.media !== undefined) {
    const headers = { ...notesAsHeaders(notes, ways), 'Content-Type': notes.media };
    return { status, headers, body: String(reply.value) };
  }
  const receipt = { receipt: true, status, message: 'The answer was too large to keep.' };
  const body = notes.receipt ? JSON.stringify(receipt) : reply.textFor(ways.addresses, output);
  const cookies = notes.refresh === undefined ? undefined : sessionCookies(notes.refresh, ways.secure);
  return { status, headers: { ...notesAsHeaders(notes, ways), ...(replayed && REPLAYED) }, cookies, body };
}

/** The response of an answer; `extra` are the transport's own headers, such as CORS. */
export function respond({ status, headers, cookies, body }: Rendering, request_id: string, extra?: Headers): Response {
  const shared = { 'Content-Type': JSON_TYPE, 'X-Request-Id': request_id, 'Cache-Control': NOT_KEPT };
  const made = { ...shared, ...headers, ...extra };
  const sent = cookies ? [...Object.entries(made), ...cookies.map(asHeader)] : made;
  return new Response(status === 304 ? null : body, { status, headers: sent });
}

const asHeader = (cookie: string): [name: string, value: string] => ['Set-Cookie', cookie];

/** The retry headers of a refusal, and those of a quota (draft-ietf-httpapi-ratelimit-headers-10). Quotas have names, because a
 * caller has several. The transport adds the authentication challenge. */
export function retryHeaders({ data }: Pick<Fault, 'data'>): Headers {
  const { retry_after_seconds: wait, limit, window_seconds: window } = data;
  if (typeof wait !== 'number') return {};
  const retry = { 'Retry-After': String(wait) };
  if (typeof limit !== 'number' || typeof window !== 'number') return retry;
  const name = `"${limit}-in-${window}s"`;
  return { ...retry, 'RateLimit-Policy': `${name};q=${limit};w=${window}`, RateLimit: `${name};r=0;t=${wait}` };
}

/** A refusal whose calls are rendered. */
type Said = Refused & { readonly refusal: Fault<Code, string> };

/** The body of a refusal: `{error, message, request_id, …}` (rules.md 2). */
export function errorBody({ fault: error, message, data }: Said['refusal'], request_id: string): object {
  return { error, message, request_id, ...data };
}

/** Codes that OAuth calls `invalid_request` (RFC 6749, 5.2). */
const UNREADABLE_FORMS: ReadonlySet<Code> = new Set(['invalid_content_type', 'invalid_json']);

/** A refusal in OAuth's terms, with our own (RFC 6749, 5.2). Invalid JSON keeps our code. */
export function asOAuth({ fault: error, message, data }: Said['refusal'], of_form: boolean): Said['refusal'] {
  const named = of_form && UNREADABLE_FORMS.has(error) ? 'invalid_request' : error;
  return { fault: named, message, data: { error_description: message, ...data } };
}

/** The response of a refusal. A replayed one names the original request. */
export function refuseCall({ refusal, replayed }: Said, request_id: string, extra?: Headers): Response {
  const body = JSON.stringify(errorBody(refusal, replayed?.request_id ?? request_id));
  const headers = { ...retryHeaders(refusal), ...(replayed && REPLAYED) };
  return respond({ status: FAULTS[refusal.fault].status, headers, body }, request_id, extra);
}

/** A refusal that comes before any operation: an unknown path, a wrong method, two Host headers. */
export function refuseBare(refusal: Said['refusal'], headers?: Headers): Response {
  return refuseCall({ refusal }, Bun.randomUUIDv7(), headers);
}

// The authentication challenge of a refusal over HTTP (RFC 6750, 3; RFC 9728, 5.1), for all transports; each names its own
// resource.

/** A request's resource, and whether it had a credential. */
interface Asked {
  readonly base_url: string;
  /** The path of the resource in its metadata: '' for the service, '/mcp' for the tool server. */
  readonly resource: string;
  readonly shown: boolean;
}

/** Whether a request brought a key or a token. Only then is it told that what it brought is wrong (RFC 6750, 3.1). */
export function showsCredential({ key, bearer }: Credentials): boolean {
  return key !== null || bearer !== null;
}

/** `WWW-Authenticate` of a refusal, or nothing when no other credential would help. `scope` are the caller's present scopes, named
 * besides the missing one, so that the next token has them too. */
export function challengeOf(
  { fault, data }: Pick<Fault, 'fault' | 'data'>,
  { base_url, resource, shown }: Asked,
  scope: readonly string[] = [],
): Readonly<Record<string, string>> {
  const metadata = `resource_metadata="${base_url}${METADATA_PATH}${resource}"`;
  if (fault === 'unauthorized' || fault === 'conflicting_credentials' || fault === 'invalid_client') {
    const error = shown && fault !== 'invalid_client' ? ', error="invalid_token"' : '';
    return { 'WWW-Authenticate': `Bearer realm="meshwork"${error}, ${metadata}` };
  }
  if (fault !== 'insufficient_scope') return {};
  const wanted = [...new Set([...scope, String(data['required_scope'] ?? '')])].filter(Boolean).join(' ');
  return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${wanted}", ${metadata}` };
}

// Caching of public reads: their maximum age, and revalidation by ETag (RFC 9110, 8.8.3). All other answers are private and
// `no-store`.

/** Whether one of the tags that the reader holds is this one; a weak one will do, since it was made of the same bytes. */
function holdsTag(request: Request, etag: string): boolean {
  const held = request.headers.get('if-none-match');
  if (held === null) return false;
  return held === '*' || held.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The answer of a read that may be kept, with its ETag; 304 without a body for a reader that holds it already. */
export function revalidate(request: Request, operation: AnyOperation, answer: Rendering): Rendering {
  const { cache_seconds, media } = operation;
  if (cache_seconds === undefined) return answer;
  // A page that gained a successor is another page, though its items are the same.
  const etag = `"${Bun.hash(answer.body).toString(36)}${'X-Next-Cursor' in answer.headers ? '+' : ''}"`;
  const headers = {
    ...answer.headers,
    ETag: etag,
    'Cache-Control': cache_seconds > 0 ? `public, max-age=${cache_seconds}` : 'no-cache',
    ...(media !== undefined && { 'Content-Type': media }),
  };
  return holdsTag(request, etag) ? { status: 304, headers, body: '' } : { ...answer, headers };
}

// Constant replies: documents and scripts that are made once, compressed on first demand, off the main thread, cached in memory,
// and revalidated by ETag.

type Encoding = 'br' | 'gzip' | 'identity';

/** 5 of 11: a fifth smaller than gzip at the same speed; 11 takes seconds for a script of some megabytes. */
const BROTLI_QUALITY = 5;

const compress: Record<'br' | 'gzip', (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** The best encoding that the client accepts; q=0 refuses one. */
function encodingFor(request: Request): Encoding {
  const taken = (request.headers.get('accept-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const takes = (name: string): boolean =>
    taken.some((part) => part.split(';', 1)[0]?.trim() === name && !/;\s*q=0(\.0*)?$/.test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity';
}

/** A handler that returns the result of `load`, called on the first request. */
export function fixedReply(
  load: () => Promise<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): (request: Request) => Promise<Response> {
  let original: Promise<Uint8Array> | null = null;
  let tag = '';
  const encoded = new Map<Encoding, Promise<Uint8Array>>();

  const loaded = async (): Promise<Uint8Array> => {
    const bytes = await load();
    tag = Bun.hash(bytes).toString(36);
    return bytes;
  };

  return async (request) => {
    original ??= loaded();
    const bytes = await original;
    const encoding = encodingFor(request);
    const etag = `"${tag}-${encoding}"`;
    const vary = headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`;
    const shared = { ...headers, ETag: etag, Vary: vary, 'X-Request-Id': Bun.randomUUIDv7() };
    if (holdsTag(request, etag)) return new Response(null, { status: 304, headers: shared });
    if (encoding === 'identity') return new Response(bytes.slice(), { headers: shared });
    const ready = encoded.get(encoding) ?? compress[encoding](bytes);
    encoded.set(encoding, ready);
    return new Response((await ready).slice(), { headers: { ...shared, 'Content-Encoding': encoding } });
  };
}
