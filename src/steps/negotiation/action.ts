// The effects of deciding on a stored action, or withdrawing it, independent of its operation: its state, the record of the decision,
// and the end of the open question.
import { type Effect, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { recordDecision } from './standing.ts';
import { untimed } from './timeout.ts';

/** An action as it is once it was decided, and the effects of that. */
interface DecidedRow {
  readonly row: Row<'actions'>;
  readonly effects: readonly Effect<never>[];
}

/** Ends one that was decided, as it came out. The version stops the second of two that decide at once. */
export function endAction(
  ctx: Ctx,
  action: Row<'actions'>,
  decision: 'approve' | 'reject',
  result: Row<'actions'>['result'],
): DecidedRow {
  const status = decision === 'approve' ? ('approved' as const) : ('rejected' as const);
  const set = { status, result, decided_at: ctx.now_ms };
  const answered = { action: decision, note: null, reason: null, at: ctx.now_ms };
  return {
    row: { ...action, ...set },
    effects: [
      patch('actions', action, set),
      { do: 'answer', agent_id: action.agent_id, subject_id: action.id, answered, timed: false },
      ...untimed(action),
    ],
  };
}

/** Decides on an action that is performed in the same commit, and records the decision. */
export function decideAction(
  ctx: Ctx,
  action: Row<'actions'>,
  decision: 'approve' | 'reject',
  result: Row<'actions'>['result'],
): DecidedRow {
  const { row, effects } = endAction(ctx, action, decision, result);
  return { row, effects: [...effects, recordDecision(ctx, actor(ctx), action, decision, 'action')] };
}

/** Approves an action that takes longer than a turn. The approval is recorded before the work begins, so that the record exists even
 * if the process dies. */
export function beginAction(ctx: Ctx, action: Row<'actions'>): DecidedRow {
  const set = { status: 'approved' as const };
  return {
    row: { ...action, ...set },
    effects: [patch('actions', action, set), recordDecision(ctx, actor(ctx), action, 'approve', 'action')],
  };
}

/** Withdraws an action for its asker: ends the question to its person and the timeout. */
export function withdrawAction(ctx: Ctx, action: Row<'actions'>): Effect<never>[] {
  return [
    patch('actions', action, { status: 'withdrawn', decided_at: ctx.now_ms }),
    { do: 'answer', agent_id: action.agent_id, subject_id: action.id, answered: null },
    ...untimed(action),
  ];
}
