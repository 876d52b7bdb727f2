// One attempt to deliver an event to a webhook: signed, ten seconds, no redirect followed. It returns the result as data; settle.ts
// writes the log and the webhook's count of failures.

import type { InboxEvent } from '../../db/store.ts';
import { type Attempt, BODY_SHOWN, DEADLINE_MS, isAccepted } from '../domain/inbox/webhook.ts';
import { traceHeaders } from '../domain/trace.ts';
import { hmac } from '../outbound/hash.ts';
import { signHeaders } from '../outbound/webhook-signature.ts';
import { iso } from '../schemas/wire.ts';
import type { DeliveryPorts } from './ports.ts';
import type { Hook } from './route.ts';

/** Read of an answer, so that the connection can be kept; the log keeps its first KiB. */
const BYTES_MAX = 65_536;

/** The first KiB of a body as text, or null. PostgreSQL stores no zero bytes in a text. */
function shownBody(body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body.subarray(0, BODY_SHOWN), { stream: body.byteLength > BODY_SHOWN });
  return text.replaceAll('\0', '\uFFFD') || null;
}

/** Delivers an event to a webhook; `number` counts the attempts at it, null outside the order of deliveries. */
export async function attempt(
  { http, tracer, clock, id, restored }: Pick<DeliveryPorts, 'http' | 'tracer' | 'clock' | 'id' | 'restored'>,
  hook: Hook,
  event: SentEvent,
  number: number | null,
  signal?: AbortSignal,
): Promise<Attempt> {
  const at = clock.now();
  const payload = envelope(event, at, restored.epoch);
  const body = JSON.stringify(payload);
  const rotated = hook.old_secret !== null && hook.old_secret_until > at ? [hook.old_secret] : [];
  const { id: event_id, kind, seq } = event;
  const signed = signHeaders([hook.secret, ...rotated], { id: event_id, event: kind, body, at_ms: at });
  const { trace = null } = event;
  const marks = digest({ webhook_id: hook.id, event_id, at, number: number ?? 0 });
  const span = spanOf(marks);
  const headers = { ...signed, ...traceHeaders(trace, span) };
  const answer = await http.request({
    method: 'POST',
    url: hook.url,
    headers,
    body,
    deadline_ms: DEADLINE_MS,
    bytes_max: BYTES_MAX,
    cut: true,
    signal,
  });
  // A 2xx accepts the event, also when its body fails.
  const accepted = isAccepted(answer.status);
  tracer?.note({
    name: 'push webhook',
    kind: 'client',
    trace,
    id: span,
    took_ms: answer.took_ms,
    failed: !accepted,
    attributes: { 'meshwork.event': kind, 'server.address': hook.host, 'http.response.status_code': answer.status },
  });
  return {
    id: number === null ? id() : attemptId(marks, at, seq),
    webhook_id: hook.id,
    event_id,
    seq,
    event: kind,
    payload,
    at,
    http_status: answer.status,
    response_ms: Math.round(answer.took_ms),
    response_body: answer.ok ? shownBody(answer.body) : null,
    error: answer.ok ? null : answer.message,
    accepted,
    retry_after: answer.ok ? answer.headers['retry-after'] : undefined,
    retry: hook.retry,
    before: hook.state,
    number,
  };
}

// Derives ids and jitter of attempts from their content, not from the service's randomness: pushes run concurrently with calls, and a
// seed of the simulation must give the same values in any order.

interface Named {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly at: number;
  readonly number: number;
}

/** What sets an attempt apart from all others, as 64 hexadecimal digits. */
function digest({ webhook_id, event_id, at, number }: Named): string {
  return hmac(webhook_id, `${event_id}:${number}:${at}`);
}

/** The id of the attempt's log, a UUID of version 7: ordered by time, and within a millisecond by the inbox. */
function attemptId(marks: string, at: number, seq: number): string {
  const time = at.toString(16).padStart(12, '0');
  const position = (seq % 4096).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${position}-8${marks.slice(0, 3)}-${marks.slice(3, 15)}`;
}

/** The span of an attempt, within the trace that its event belongs to. */
function spanOf(marks: string): string {
  return marks.slice(19, 35);
}

/** From 0 to 1, by how much the pause after an attempt is stretched. */
export function attemptLuck(named: Named): number {
  return Number.parseInt(digest(named).slice(15, 19), 16) / 0xffff;
}

// The body of a webhook (interface.md, Webhook envelope; rules.md 7): `timestamp` is the event's, `delivered_at` the
// attempt's (Q137).

/** The part of an event that is sent. */
export type SentEvent = Pick<InboxEvent, 'id' | 'seq' | 'kind' | 'handle' | 'data' | 'created_at'> & {
  /** None unless said. */
  readonly trace?: string | null;
};

/** The envelope of one attempt; the event's own fields are in `data`, so that none hides one of the envelope's. */
export function envelope(event: SentEvent, at_ms: number, epoch: number): Record<string, unknown> {
  const { id, seq, kind, handle, data, created_at } = event;
  const head = { id, event: kind, handle, delivered_at: iso(at_ms) };
  return { id, seq, epoch, type: kind, event: kind, timestamp: iso(created_at), data: { ...head, ...data, ...head } };
}
