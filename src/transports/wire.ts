// How REST tells what the pipeline answers: a value with its notes, or a fault, as status, headers and a JSON body. The only
// place where a fault becomes a body, and where every response gets its request id.
import type { TSchema } from 'typebox';
import { type Code, FAULTS, type Fault } from '../domain/fault.ts';
import type { Addresses } from '../domain/next-step.ts';
import { NO_NOTES, type Notes, type Success } from '../domain/notes.ts';
import type { Answer, Refused } from '../pipeline/call.ts';
import { sessionCookies } from './session-cookies.ts';

type Headers = Readonly<Record<string, string>>;

/** The status of each way to end well. */
export const STATUSES: Readonly<Record<Success, number>> = { ok: 200, created: 201, accepted: 202 };

export interface Rendering {
  readonly status: number;
  readonly headers: Headers;
  /** What the client is to keep, or to forget. */
  readonly cookies?: readonly string[];
  readonly body: string;
}

const JSON_TYPE = 'application/json';
/** Of everything but the public reads that say otherwise (caching.ts). */
const NOT_KEPT = 'no-store';
const NO_HEADERS: Headers = {};
const REPLAYED: Headers = { 'Idempotent-Replayed': 'true' };

/** How clients come, and how they are told of calls. */
interface Ways {
  /** Over TLS. */
  readonly secure: boolean;
  readonly addresses: Addresses;
}

/** What a reply says beside its value. A deprecation is told by RFC 9745, the end of it by RFC 8594. */
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

/** An answer in the terms of HTTP; `output` is what its operation declares of the value. */
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

/** The response of an answer; `extra` are the door's own headers, such as CORS. */
export function respond({ status, headers, cookies, body }: Rendering, request_id: string, extra?: Headers): Response {
  const shared = { 'Content-Type': JSON_TYPE, 'X-Request-Id': request_id, 'Cache-Control': NOT_KEPT };
  const made = { ...shared, ...headers, ...extra };
  const sent = cookies ? [...Object.entries(made), ...cookies.map(asHeader)] : made;
  return new Response(status === 304 ? null : body, { status, headers: sent });
}

const asHeader = (cookie: string): [name: string, value: string] => ['Set-Cookie', cookie];

/** What HTTP wants to hear beside the body: when to come back. How to authenticate is the door's to say (challenge.ts). */
export function retryHeaders({ data }: Pick<Fault, 'data'>): Headers {
  const wait = data['retry_after_seconds'];
  return typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
}

/** A refusal whose calls are said. */
type Said = Refused & { readonly refusal: Fault<Code, string> };

/** The body of a refusal: `{error, message, request_id, …}` (rules.md 2). */
export function errorBody({ fault: error, message, data }: Said['refusal'], request_id: string): object {
  return { error, message, request_id, ...data };
}

/** What OAuth calls by one name (RFC 6749, 5.2). */
const UNREADABLE_FORMS: ReadonlySet<Code> = new Set(['invalid_content_type', 'invalid_json']);

/** A refusal in the words of OAuth, beside our own (RFC 6749, 5.2). A body of JSON that cannot be read keeps our name for that. */
export function asOAuth({ fault: error, message, data }: Said['refusal'], of_form: boolean): Said['refusal'] {
  const named = of_form && UNREADABLE_FORMS.has(error) ? 'invalid_request' : error;
  return { fault: named, message, data: { error_description: message, ...data } };
}

/** The response of a refusal. One that was kept names the request that got it first. */
export function refuseCall({ refusal, replayed }: Said, request_id: string, extra?: Headers): Response {
  const body = JSON.stringify(errorBody(refusal, replayed?.request_id ?? request_id));
  const headers = { ...retryHeaders(refusal), ...(replayed && REPLAYED) };
  return respond({ status: FAULTS[refusal.fault].status, headers, body }, request_id, extra);
}

/** A refusal that comes before any operation: an unknown path, a wrong method, two Host headers. */
export function refuseBare(refusal: Said['refusal'], headers?: Headers): Response {
  return refuseCall({ refusal }, Bun.randomUUIDv7(), headers);
}
