// The calls that end tasks without an answer: after too long a silence, when the conversation was closed, or when one side is
// gone. Tasks of a gone sender are canceled, those of a gone target fail.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { OPEN_MS } from '../../domain/task/task.ts';
import { Id, nullable } from '../../schemas/wire.ts';
import { remind, remindNow } from '../reminder.ts';
import { moveTask, type TaskMove } from './move.ts';

/** The call that ends the open tasks of a conversation. `left_id` is the side that closed it; null where time did. */
export const END_OPEN = {
  name: 'task.end_open',
  input: Type.Object({ conversation_id: Id, left_id: nullable(Id) }),
} as const;

/** The call that ends the open tasks of an agent that is no longer there. */
export const LEAVE = { name: 'task.leave', input: Type.Object({ agent_id: Id }) } as const;

const key = (conversation_id: string, why: 'closed' | 'late'): string => `${conversation_id}:${why}`;

/** Schedules the end of a conversation's open tasks for the longest allowed silence. Set when a task begins; later updates
 * change only their task, which the run reads. */
export function endLater({ now_ms }: Ctx, conversation_id: string): RemindEffect {
  return endAt(now_ms + OPEN_MS, conversation_id, now_ms);
}

/** The same again for tasks with updates meanwhile: when the first of them expires. */
export function endAgain(
  { now_ms }: Ctx,
  conversation_id: string,
  waiting: readonly Pick<Row<'tasks'>, 'updated_at'>[],
): RemindEffect[] {
  if (waiting.length === 0) return [];
  const first = Math.min(...waiting.map(({ updated_at }) => updated_at));
  return [endAt(first + OPEN_MS, conversation_id, now_ms)];
}

function endAt(at: number, conversation_id: string, now_ms: number): RemindEffect {
  return remind(END_OPEN, { conversation_id, left_id: null }, { at, key: key(conversation_id, 'late'), now_ms });
}

/** Ends the open tasks of a conversation that `left_id` closes, before the reply. */
export function endOfConversation(now_ms: number, conversation_id: string, left_id: string): RemindEffect {
  return remindNow(END_OPEN, { conversation_id, left_id }, { key: key(conversation_id, 'closed'), now_ms });
}

/** Ends before the reply what an agent has open that leaves; a run asks for the next slice in the same way. */
export function endOfAgent(now_ms: number, agent_id: string): RemindEffect {
  return remindNow(LEAVE, { agent_id }, { key: agent_id, now_ms });
}

/** A task that ends because of what the service knows: canceled where its sender left, else failed, and why. */
export function endTask(ctx: Ctx, task: Row<'tasks'>, left_id: string | null, why: string): TaskMove {
  const message = {
    message_id: ctx.id(),
    role: 'agent' as const,
    sender: ctx.settings.platform_handle,
    parts: [{ kind: 'text' as const, text: why }],
  };
  return moveTask(ctx, task, { state: task.sender_id === left_id ? 'canceled' : 'failed', message });
}
