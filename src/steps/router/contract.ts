// The contract for serving calls, shown when an offer is made, and the texts of a trial call.
import type { Static } from 'typebox';
import { ATTEMPT_MS } from '../../domain/router/call.ts';
import { inCatalogue } from '../../domain/router/catalogue.ts';
import { RESULT_BYTES_MAX } from '../../domain/router/verdict.ts';
import type { EndpointCheck } from '../../schemas/router.ts';
import type { Attempted } from './dispatch.ts';

export const VERIFY =
  'Each request carries X-Service-Timestamp (Unix seconds) and X-Service-Signature. Compute HMAC-SHA256 over the timestamp, a dot and ' +
  'the raw body, with the whole signing_secret (prs_ included) as the key, write it as lowercase hex, and compare it with the header ' +
  'in constant time. Refuse a mismatch, and requests older than five minutes.';

export const CONTRACT =
  `You get POST {"capability": string, "payload": object} as application/json. Answer within ${ATTEMPT_MS / 1_000} seconds with a 2xx status, ` +
  `Content-Type application/json and a JSON value of at most ${RESULT_BYTES_MAX} bytes: that earns your price. Anything else (another status, ` +
  'a redirect, an event stream, an empty body, no JSON) is a failure: the caller pays nothing and the next provider is called. Five ' +
  'failures in a row suspend the offer until it is registered again. X-Service-Call-Id identifies the call: do the work for one ' +
  'id once. X-Service-Test: true is an unpaid test. To charge less than your price for a call, return ' +
  'X-Service-Price-Cents with whole cents, and the metering in X-Service-Usage.';

/** The payload of a trial call: the examples of the required fields. */
export function samplePayload(capability: string, required: readonly string[]): Record<string, unknown> {
  const known = inCatalogue(capability);
  const fields: readonly (readonly [string, unknown])[] = known
    ? known.fields.filter((field) => field.required).map(({ name, example }) => [name, example])
    : required.map((name) => [name, 'test']);
  return Object.fromEntries(fields);
}

export function checkView({ verdict, latency_ms }: Attempted): Static<typeof EndpointCheck> {
  const { http_status } = verdict;
  if (verdict.served) return { ok: true, verdict: 'It responds correctly.', http_status, latency_ms };
  return { ok: false, verdict: verdict.message, http_status, latency_ms };
}
