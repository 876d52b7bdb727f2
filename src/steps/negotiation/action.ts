// What deciding on a stored action does to it, however its operation is done: its state, the record of the decision, and the end of
// the waiting for an answer.
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../operations/context.ts';
import { recordDecision } from './standing.ts';
import { untimed } from './timeout.ts';

/** An action as it is once it was decided, and the effects of that. */
export interface DecidedRow {
  readonly row: Row<'actions'>;
  readonly effects: readonly Effect<never>[];
}

/** Decides on one. The version stops the second of two that decide at once. */
export function decideAction(
  ctx: Ctx,
  action: Row<'actions'>,
  decision: 'approve' | 'reject',
  result: Row<'actions'>['result'],
): DecidedRow {
  const me = actor(ctx);
  const status = decision === 'approve' ? ('approved' as const) : ('rejected' as const);
  const set = { status, result, decided_at: ctx.now_ms };
  const answered = { action: decision, note: null, reason: null, at: ctx.now_ms };
  return {
    row: { ...action, ...set },
    effects: [
      patch('actions', action, set),
      recordDecision(ctx, me, action, decision, 'action'),
      { do: 'answer', agent_id: me.id, subject_id: action.id, answered },
      ...untimed(action),
    ],
  };
}

/** What those who are to be paid are called now. */
export async function payeesOf(
  read: Read,
  rows: readonly Row<'actions'>[],
): Promise<(to_id: string | null) => string | null> {
  const ids = [...new Set(rows.flatMap(({ to_id }) => to_id ?? []))];
  const agents = await Promise.all(ids.map((id) => read.peek(agentById, { id })));
  const handles = new Map(agents.flatMap((agent) => (agent ? [[agent.id, agent.handle]] : [])));
  return (to_id) => (to_id === null ? null : (handles.get(to_id) ?? null));
}
