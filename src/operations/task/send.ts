// Sends a task to an agent, or continues one: a message in the conversation of the two, and the task's own rows, in one commit. It
// never waits for an answer.
import { type Static, Type } from 'typebox';
import { count, type Effect } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import type { WholeTask } from '../../../db/queries/task.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { actor, type Ctx, type FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { acceptsMessages, messageFault } from '../../domain/conversation/conversation.ts';
import { type Fault, fault, invalid, isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { type Part, partsFault, textOf } from '../../domain/task/part.ts';
import {
  DIALECTS,
  type Dialect,
  isEnded,
  metadataFault,
  OPEN_PER_SENDER,
  openTasksFault,
  openTasksKey,
  taskRoomFault,
  UPDATES_MAX,
} from '../../domain/task/task.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PartsInput, TaskId, TaskShape, type TaskView, taskView } from '../../schemas/task.ts';
import { PushConfigInput } from '../../schemas/webhook.ts';
import { HandleInput, Id } from '../../schemas/wire.ts';
import { agentByHandle } from '../../steps/agent/find.ts';
import { answerMessage, post, type Reached, type StartRefusal, writeTo } from '../../steps/message/post.ts';
import { readAnswer, readBlocking, readReached, threadToPost, untilAlone } from '../../steps/message/thread.ts';
import { urlFault } from '../../steps/outside.ts';
import { beginPush } from '../../steps/push-config.ts';
import { endLater } from '../../steps/task/end.ts';
import { readParts, sentTask } from '../../steps/task/find.ts';
import { beginTask, moveTask, type TaskMove } from '../../steps/task/move.ts';
import { addPushConfig } from '../push-config/create/add.ts';

interface SentTask {
  /** The sender's id of the task. */
  readonly client_id: string | null;
  /** The sender's id of the message. */
  readonly message_id: string | null;
  readonly parts: readonly Part[];
  /** The parts as text for the conversation. */
  readonly content: string;
  readonly metadata: Record<string, unknown>;
  readonly dialect: Dialect | null;
  /** Where its sender wants to be notified. */
  readonly push_config?: Static<typeof PushConfigInput>;
}

/** A new task of the acting agent with its effects, or why it cannot be sent. `answer` is the reply of the platform's agent, which completes it. */
function sendTask(
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

/** The limit of the task's JSON, so that the whole answer can be stored for a repeated request (64 KiB). */
const ANSWER_MAX_BYTES = 56 * 1_024;
/** Messages in the answer; the rest can be read. */
const ANSWER_HISTORY = 10;

const Input = Type.Object({
  target_handle: Type.Optional(HandleInput),
  task_id: Type.Optional(TaskId),
  message_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'your id of the message; default: an id of the service' }),
  ),
  parts: PartsInput,
  conversation_id: Type.Optional(Id),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  dialect: Type.Optional(Type.Enum([...DIALECTS])),
  push_config: Type.Optional(PushConfigInput),
  history_length: Type.Optional(
    Type.Integer({ minimum: 0, description: `newest messages in the response; at most ${ANSWER_HISTORY}` }),
  ),
});

type Asked = Static<typeof Input>;
type Refusal = StartRefusal | 'task_not_found' | 'task_ended';

const NAME_TARGET = invalid({
  path: 'target_handle',
  message: 'Name the receiving agent, or a conversation with it.',
});

/** The other side of a conversation, or the fault. */
async function reachedIn(read: Read, ctx: FlowCtx, id: string): Promise<Reached | Fault<'not_found'>> {
  const me = actor(ctx);
  const thread = await threadToPost(read, id, me.id);
  if (!thread || (thread.opener_id !== me.id && thread.other_id !== me.id)) {
    return fault('not_found', 'There is no such conversation, or it is not yours.');
  }
  const other = await read(agentById, { id: thread.opener_id === me.id ? thread.other_id : thread.opener_id });
  if (!other) return fault('not_found');
  return { other, thread, blocks: await readBlocking(read, me.id, other.id), starts: 0 };
}

async function reachedBy(
  read: Read,
  ctx: FlowCtx,
  { target_handle, conversation_id }: Asked,
): Promise<Reached | Fault<Refusal>> {
  const me = actor(ctx);
  if (conversation_id === undefined) {
    if (target_handle === undefined) return NAME_TARGET;
    const reached = await readReached(read, me.id, target_handle, ctx.now_ms);
    if (!reached || reached.other.deactivated_at !== null) return fault('not_found', 'There is no such agent.');
    if (reached.other.id === me.id) return invalid({ path: 'target_handle', message: 'This is your own agent.' });
    return reached;
  }
  const reached = await reachedIn(read, ctx, conversation_id);
  if (isFault(reached)) return reached;
  const { other, thread } = reached;
  if (other.deactivated_at !== null) return fault('not_found', 'There is no such agent.');
  const named = target_handle === undefined ? other : await agentByHandle(read, target_handle, ctx.now_ms);
  if (named?.id !== other.id) {
    return invalid({ path: 'conversation_id', message: 'That conversation is with another agent.' });
  }
  // A named conversation is not replaced by a new one.
  if (!thread || !acceptsMessages(thread, ctx.now_ms)) {
    return fault('conversation_closed', undefined, { status: thread?.status });
  }
  return reached;
}

/** The answer: the task after the commit. `known` are the earlier updates, newest first. */
function replyOf(
  { task, updates }: Pick<TaskMove, 'task' | 'updates'>,
  names: Pick<WholeTask, 'sender_handle' | 'target_handle'>,
  known: { messages: readonly Row<'task_updates'>[]; artifacts: readonly Row<'task_updates'>[] },
  { history_length = ANSWER_HISTORY }: Asked,
): TaskView {
  const fresh = updates.toReversed();
  const status = fresh.find(({ kind }) => kind === 'status') ?? null;
  return taskView({ ...names, task, status }, task.sender_id, {
    messages: [...fresh.filter(({ message }) => message !== null), ...known.messages].slice(0, history_length),
    artifacts: [...fresh.filter(({ artifact }) => artifact !== null), ...known.artifacts],
    bytes_max: ANSWER_MAX_BYTES,
  });
}

const NOTHING = { messages: [], artifacts: [] };

async function begin(
  read: Read,
  ctx: FlowCtx,
  ports: FlowPorts,
  asked: Asked,
  sent: SentTask,
): Promise<Decision<TaskView, Refusal>> {
  const reached = await reachedBy(read, ctx, asked);
  if (isFault(reached)) return reached;
  const answer = await readAnswer(read, ctx, ports, actor(ctx), { id: reached.other.id, text: sent.content });
  const begun = sendTask(ctx, reached, sent, answer);
  if (isFault(begun)) return begun;
  const names = { sender_handle: actor(ctx).handle, target_handle: reached.other.handle };
  return { reply: replyOf(begun, names, NOTHING, asked), effects: begun.effects };
}

/** Whether a handle names an agent; an earlier handle has to be looked up. */
async function isNamed(read: Read, ctx: FlowCtx, named: string, agent: { id: string; handle: string }) {
  return parseHandle(named) === agent.handle || (await agentByHandle(read, named, ctx.now_ms))?.id === agent.id;
}

/** Adds a message to an existing task; a task that waited for it continues. */
async function goOn(
  read: Read,
  ctx: FlowCtx,
  task: Row<'tasks'>,
  asked: Asked,
  { content, parts, message_id, dialect, push_config: config }: SentTask,
): Promise<Decision<TaskView, Refusal>> {
  if (isEnded(task.state)) return fault('task_ended', undefined, { state: task.state });
  if (task.last_n >= UPDATES_MAX) return fault('task_ended', 'This task has its maximum of messages; send a new one.');
  const me = actor(ctx);
  const { target_handle, conversation_id, history_length = ANSWER_HISTORY } = asked;
  const thread = await threadToPost(read, task.conversation_id, me.id);
  if (!thread) return fault('task_not_found');
  const target_now = thread.opener_id === task.target_id ? thread.opener_handle : thread.other_handle;
  const target = { id: task.target_id, handle: target_now };
  if (conversation_id !== undefined && conversation_id !== task.conversation_id) {
    return invalid({ path: 'conversation_id', message: 'The task is of another conversation.' });
  }
  if (target_handle !== undefined && !(await isNamed(read, ctx, target_handle, target))) {
    return invalid({ path: 'target_handle', message: 'The task was sent to another agent.' });
  }
  // The newest message is the one being sent.
  const history = Math.min(history_length, ANSWER_HISTORY) - 1;
  const known = await readParts(read, task.id, { history, artifacts: true });
  const posted = post(ctx, me, thread, content, { task_id: task.id });
  if (isFault(posted)) return posted;
  const message = { message_id: message_id ?? posted.row.id, role: 'user' as const, sender: me.handle, parts };
  const moved = moveTask(ctx, task, { state: 'working', message, update_id: posted.row.id });
  const pushed = config ? await addPushConfig(read, ctx, task, config, dialect) : [];
  if (isFault(pushed)) return pushed;
  return {
    reply: replyOf(moved, { sender_handle: me.handle, target_handle: target.handle }, known, asked),
    effects: [...posted.effects, ...moved.effects, ...pushed],
  };
}

export const taskSend = flow({
  name: 'task.send',
  needed_by: 'clients of A2A',
  noun: 'Tasks of the agent-to-agent protocol (A2A).',
  summary: 'Send a task',
  description:
    'A message in the conversation with the agent, existing or new, and a task that is completed by that ' +
    "agent's next message there. With the id of your task: its next message; an ended task is 409 `task_ended`. " +
    'In the oldest dialect an unknown id becomes the id of the new task; otherwise it is 404 `task_not_found`.',
  input: Input,
  output: TaskShape,
  example: { target_handle: SAMPLE.other_handle, parts: [{ kind: 'text', text: 'Draw a logo.' }] },
  effect: 'adds',
  open_world: true,
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  faults: [
    'not_found',
    'task_not_found',
    'task_ended',
    'invalid_request',
    'blocked',
    'conversation_closed',
    'first_contact_limit',
    'plan_limit',
    'conflict',
  ],
  // Only the address of a push config is checked outside the turn.
  single: ({ push_config }) => push_config === undefined,
  run: async (asked, ctx, ports) => {
    const { parts, metadata = {}, task_id, dialect = null, message_id = null, push_config } = asked;
    const content = textOf(parts);
    const wrong = partsFault(parts) ?? messageFault(content, 'parts') ?? metadataFault(metadata);
    if (wrong) return wrong;
    const unusable = await urlFault(ports, push_config?.url, 'push_config.url');
    if (unusable) return unusable;
    const me = actor(ctx);
    const sent = { client_id: task_id ?? null, message_id, parts, content, metadata, dialect, push_config };
    return untilAlone(() =>
      ctx.turn<TaskView, Refusal>({
        final: true,
        attempt: async (read) => {
          const task = task_id === undefined ? null : await sentTask(read, me.id, task_id, ctx.now_ms);
          if (task) return goOn(read, ctx, task, asked, sent);
          if (task_id !== undefined && dialect !== '0.2') return fault('task_not_found');
          return begin(read, ctx, ports, asked, sent);
        },
      }),
    );
  },
});
