// From the pipeline's answers to HTTP responses. The only place where a fault becomes a body, and where every response
// gets its request id.
import { FAULTS, type Fault } from '../domain/fault.ts';
import type { Answer, Refused } from '../pipeline/call.ts';

const JSON_TYPE = 'application/json';
/** Of everything but the public reads that say otherwise (caching.ts). */
const NOT_KEPT = 'no-store';

/** The response of an answer; `extra` are the door's own headers, such as CORS. */
export function respond(answer: Answer, request_id: string, extra?: Readonly<Record<string, string>>): Response {
  const shared = { 'Content-Type': JSON_TYPE, 'X-Request-Id': request_id, 'Cache-Control': NOT_KEPT };
  return new Response(answer.status === 304 ? null : answer.body, {
    status: answer.status,
    headers: { ...shared, ...answer.headers, ...extra },
  });
}

/** What HTTP wants to hear beside the body: how to authenticate (RFC 9110, 11.6.1), and when to come back. */
function headersOf({ fault: error, data }: Fault): Record<string, string> {
  const { status } = FAULTS[error];
  const wait = data['retry_after_seconds'];
  if (status === 401) return { 'WWW-Authenticate': 'Bearer realm="meshwork"' };
  return typeof wait === 'number' ? { 'Retry-After': String(wait) } : {};
}

/** The response of a refusal: `{error, message, request_id, …}` (decisions.md 2). */
export function refuseCall(refused: Refused, request_id: string, extra?: Readonly<Record<string, string>>): Response {
  const { fault: error, message, data } = refused.refusal;
  const body = JSON.stringify({ error, message, request_id, ...data });
  const headers = { ...headersOf(refused.refusal), ...refused.headers };
  return respond({ status: FAULTS[error].status, headers, body }, request_id, extra);
}

/** A refusal that comes before any operation: an unknown path, a wrong method, two Host headers. */
export function refuseBare(refusal: Fault, headers?: Readonly<Record<string, string>>): Response {
  return refuseCall({ refusal, headers }, Bun.randomUUIDv7());
}
