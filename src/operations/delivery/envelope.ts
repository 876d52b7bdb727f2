// The body of a webhook (interface.md, Webhook envelope; decisions.md 7): `timestamp` is the event's, `delivered_at` the
// attempt's (Q137).
import type { InboxEvent } from '../../../db/store.ts';
import { iso } from '../schemas/wire.ts';

/** The part of an event that is sent. */
export type SentEvent = Pick<InboxEvent, 'id' | 'seq' | 'kind' | 'handle' | 'data' | 'created_at'>;

/** The envelope of one attempt; the event's own fields stand in `data`, where none may hide one of the envelope's. */
export function envelope(event: SentEvent, at_ms: number): Record<string, unknown> {
  const { id, seq, kind, handle, data, created_at } = event;
  const head = { id, event: kind, handle, delivered_at: iso(at_ms) };
  return { id, seq, type: kind, event: kind, timestamp: iso(created_at), data: { ...head, ...data, ...head } };
}
