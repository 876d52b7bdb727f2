// What it takes to send a task: its message in the conversation, its first updates, and what counts it, in one commit. The
// service's own agent answers in the same commit.
import type { Static } from 'typebox';
import { count, type Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { type Fault, isFault } from '../../domain/fault.ts';
import type { Part } from '../../domain/task/part.ts';
import { type Dialect, OPEN_PER_SENDER, openTasksFault, openTasksKey, taskRoomFault } from '../../domain/task/task.ts';
import type { PushConfigInput } from '../../schemas/push-config.ts';
import { answerMessage } from '../concierge/answer.ts';
import { type Reached, type StartRefusal, writeTo } from '../message/start.ts';
import { beginPush } from '../push-config.ts';
import { endLater } from './end.ts';
import { beginTask, type TaskMove } from './move.ts';

export interface SentTask {
  /** What its sender calls it. */
  readonly client_id: string | null;
  /** What its sender calls its message. */
  readonly message_id: string | null;
  readonly parts: readonly Part[];
  /** The text that the conversation holds of them. */
  readonly content: string;
  readonly metadata: Record<string, unknown>;
  readonly dialect: Dialect | null;
  /** Where its sender wants to be told what becomes of it. */
  readonly push_config?: Static<typeof PushConfigInput>;
}

/** A task that the acting agent sends: to whom it is said, and all that it takes; or why it cannot be sent. What `answer` says
 * it is completed with: the word of the service's own agent. */
export function sendTask(
  ctx: Ctx,
  reached: Reached,
  sent: SentTask,
  answer: string | null,
): TaskMove<StartRefusal> | Fault<StartRefusal> {
  const me = actor(ctx);
  const { other } = reached;
  const { client_id, message_id, parts, content, metadata, dialect, push_config } = sent;
  const id = ctx.id();
  const as = { task_id: id, ...(answer === null && { begins: taskRoomFault }) };
  const written = writeTo(ctx, reached, content, as);
  if (isFault(written)) return written;
  const { row } = written;
  const { conversation_id } = row;
  const names = { id, client_id, sender_id: me.id, target_id: other.id, conversation_id };
  const begun = {
    ...names,
    dialect,
    metadata,
    remote: null,
    push_configs: push_config ? 1 : 0,
    created_at: ctx.now_ms,
  };
  const message = { message_id: message_id ?? row.id, role: 'user' as const, sender: me.handle, parts };
  const pushes = (task: Row<'tasks'>): Effect<never>[] => (push_config ? beginPush(ctx, task, push_config) : []);
  const first = [{ state: 'submitted' as const, message, update_id: row.id }, { state: 'working' as const }];
  if (answer === null) {
    const begins = beginTask(ctx, begun, first);
    const full = openTasksFault(OPEN_PER_SENDER, 'in all');
    const counted = [count(openTasksKey(me.id), OPEN_PER_SENDER, full), endLater(ctx, conversation_id)];
    return { ...begins, effects: [...written.effects, ...begins.effects, ...counted, ...pushes(begins.task)] };
  }
  const answered = answerMessage(ctx, me, conversation_id, answer);
  const said = [{ kind: 'text' as const, text: answer }];
  const end = {
    state: 'completed' as const,
    message: { message_id: answered.row.id, role: 'agent' as const, sender: other.handle, parts: said },
    artifacts: [{ artifact_id: ctx.id(), parts: said }],
  };
  const begins = beginTask(ctx, begun, [...first, end]);
  return { ...begins, effects: [...written.effects, ...begins.effects, ...answered.effects, ...pushes(begins.task)] };
}
