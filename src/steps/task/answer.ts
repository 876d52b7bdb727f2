// Stores the target endpoint's answer about a task: its text as the agent's message in the conversation, and as a step of this
// task.
import type { Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import { type Part, partsFault, shownText } from '../../domain/task/part.ts';
import type { Artifact, TaskState } from '../../domain/task/task.ts';
import type { Recipient } from '../event.ts';
import { type PostThread, post } from '../message/post.ts';
import { moveTask } from './move.ts';

/** An endpoint's answer about a task. */
export interface Told {
  readonly state: TaskState;
  /** Its words; without any, what it brought about is shown in their place. */
  readonly parts?: readonly Part[];
  readonly artifacts?: readonly Artifact[];
}

export interface Answered {
  readonly task: Row<'tasks'>;
  /** The id of the message made from its text, if any. */
  readonly message_id?: string;
  readonly effects: readonly Effect<'blocked' | 'conversation_closed'>[];
}

/**
 * The step of `task` and its message from `target`, the agent that the task was sent to. `thread` is the task's
 * conversation, read for the target (steps/message/thread.ts), and the task as the turn read it, not ended. The other open
 * tasks of the conversation stay as they are. Words that are too long for a task are the fault `invalid_request`; a conversation
 * that takes none refuses in the commit.
 */
export function answerTask(
  ctx: Ctx,
  target: Recipient,
  thread: NonNullable<PostThread>,
  task: Row<'tasks'>,
  { state, parts = [], artifacts = [] }: Told,
): Answered | Fault<'not_found' | 'invalid_request'> {
  const said = parts.length > 0 ? parts : artifacts.flatMap((artifact) => artifact.parts);
  if (said.length === 0) return moveTask(ctx, task, { state, artifacts });
  const wrong = [said, ...artifacts.map((artifact) => artifact.parts)].map((each) => partsFault(each)).find(Boolean);
  if (wrong) return wrong;
  const posted = post(ctx, target, { ...thread, answers: [] }, shownText(said), {
    asks: state === 'input_required',
  });
  if (isFault(posted)) return posted;
  const message = { message_id: posted.row.id, role: 'agent' as const, sender: target.handle, parts: said };
  const made = state === 'completed' && artifacts.length === 0 ? [{ artifact_id: ctx.id(), parts: said }] : artifacts;
  const moved = moveTask(ctx, task, { state, message, artifacts: made });
  return { task: moved.task, message_id: posted.row.id, effects: [...posted.effects, ...moved.effects] };
}
