// Makes the effect that sends an agent an event. The table of rules.md 7 says which events go to whom; the commit assigns the seq.
import type { EventEffect } from '../../db/effects.ts';
import type { Ctx } from '../contract/context.ts';
import { type DataOf, type EventKind, isAnswerable } from '../domain/inbox/event.ts';

/** The recipient of an event; the stored event keeps the current `handle`. */
export interface Recipient {
  readonly id: string;
  readonly handle: string;
}

/** An event for an agent's inbox. `subject_id` is what an answer would be about (a match id, a proposal id): acting on it
 * by its own route answers the event too. `respond_by` in epoch milliseconds. */
export function tell<K extends EventKind>(
  ctx: Ctx,
  to: Recipient,
  event: K,
  data: DataOf<K>,
  about: { readonly subject_id?: string; readonly respond_by?: number } = {},
): EventEffect {
  const subject_id = about.subject_id ?? null;
  return {
    do: 'event',
    id: ctx.id(),
    to: to.id,
    handle: to.handle,
    event,
    data,
    subject_id,
    awaiting: subject_id !== null && isAnswerable(event),
    respond_by: about.respond_by ?? null,
    created_at: ctx.now_ms,
    trace: ctx.trace,
  };
}
