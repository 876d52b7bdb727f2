// Whether a delivery still waits for its buyer.
import type { AnswerEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';

/** Settles the events that ask about a milestone's deliveries; `action` is the buyer's answer, null when another party ended the
 * milestone or a newer delivery replaced this one. */
export function acceptedBy(
  ctx: Ctx,
  buyer_id: string,
  { id, deliverable }: Row<'milestones'>,
  action: 'release' | 'dispute' | null,
): AnswerEffect[] {
  if (deliverable === null) return [];
  const answered = action === null ? null : { action, note: null, reason: null, at: ctx.now_ms };
  return [{ do: 'answer', agent_id: buyer_id, subject_id: id, answered, timed: false }];
}
