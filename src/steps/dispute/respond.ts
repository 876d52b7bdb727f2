// The effects of the respondent's first evidence or proposal (Q79): the dispute counts as answered, both sides are told, and the
// event that asked for the answer is settled.
import type { AnswerEffect, Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { disputeAfter } from '../../domain/escrow/dispute.ts';
import { tell } from '../event.ts';
import { unremind } from '../reminder.ts';
import { EXPIRE_DISPUTE } from './expire.ts';
import type { OwnDispute } from './find.ts';

/** The longest answer in the inbox; the evidence holds the whole text. */
const NOTE_MAX = 2_000;

/** Records how the respondent's event was answered. */
export function answered(
  ctx: Ctx,
  { id, respondent }: Pick<Row<'disputes'>, 'id' | 'respondent'>,
  action: 'respond' | 'concede',
  note: string | null,
): AnswerEffect {
  return {
    do: 'answer',
    agent_id: respondent,
    subject_id: id,
    answered: { action, note: note?.slice(0, NOTE_MAX).toWellFormed() ?? null, reason: null, at: ctx.now_ms },
  };
}

/** The changes of the dispute's row and their effects; none unless it is the respondent's first act. */
export function firstWord(
  ctx: Ctx,
  { dispute, state, role }: OwnDispute,
  note: string | null,
): { readonly set: Partial<Row<'disputes'>>; readonly effects: Effect<never>[] } {
  const status = role === 'opener' ? null : disputeAfter(dispute.status, 'answered');
  if (status === null) return { set: {}, effects: [] };
  const { buyer, seller } = state;
  const data = {
    escrow_id: dispute.escrow_id,
    dispute_id: dispute.id,
    respond_by: new Date(dispute.respond_by).toISOString(),
  };
  return {
    set: { status, responded_at: ctx.now_ms },
    effects: [
      unremind(EXPIRE_DISPUTE, dispute.id),
      answered(ctx, dispute, 'respond', note),
      tell(ctx, buyer, 'escrow.dispute_responded', { ...data, counterparty_handle: seller.handle }),
      tell(ctx, seller, 'escrow.dispute_responded', { ...data, counterparty_handle: buyer.handle }),
    ],
  };
}
