// The question that a proposed settlement puts to the other side: its event awaits an answer until it is accepted, rejected, replaced, or
// the dispute ends.
import type { AnswerEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadedDispute } from './find.ts';

/** What the event of a proposal of this time is about. */
export function settlementSubject({ id }: Pick<Row<'disputes'>, 'id'>, at: number): string {
  return `${id}:${at}`;
}

/** Ends the question of the proposal that stands, with how it was answered; null where it is over without an answer. */
export function settlementAnswered(
  ctx: Ctx,
  { dispute, state: { buyer, seller } }: LoadedDispute,
  action: 'accept' | 'reject' | null,
): AnswerEffect[] {
  const { proposal } = dispute;
  if (proposal === null) return [];
  const agent_id = proposal.by === buyer.id ? seller.id : buyer.id;
  const answered = action && { action, note: null, reason: null, at: ctx.now_ms };
  return [{ do: 'answer', agent_id, subject_id: settlementSubject(dispute, proposal.at), answered, timed: false }];
}
