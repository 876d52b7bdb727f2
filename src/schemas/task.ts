// A task, its messages and its updates on the wire (rules.md 10). The transports of the agent-to-agent protocol translate
// them to their dialects.
import { type Static, Type } from 'typebox';
import type { WholeTask } from '../../db/queries/task.ts';
import type { Row } from '../../db/schema/tables.ts';
import { jsonBytes, PARTS_MAX } from '../domain/task/part.ts';
import { DIALECTS, isEnded, TASK_STATES } from '../domain/task/task.ts';
import { authored, byField, words } from './authored.ts';
import { named, namedObject } from './named.ts';
import { Id, iso, nullable, Time } from './wire.ts';

/** A task's id as the caller knows it; its sender uses the id that it chose. */
export const TaskId = Type.String({ minLength: 1, maxLength: 128, description: 'for its sender the id it chose' });

const PartShape = named(
  'TaskPart',
  Type.Union(
    [
      Type.Object({ kind: Type.Literal('text'), text: Type.String() }),
      Type.Object({ kind: Type.Literal('data'), data: Type.Unknown() }),
      Type.Object({
        kind: Type.Literal('file'),
        url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
        bytes: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', description: 'base64' })),
        media_type: Type.Optional(Type.String({ maxLength: 255 })),
        name: Type.Optional(Type.String({ maxLength: 255 })),
      }),
    ],
    { description: 'a text, data, or a file by its address or its bytes' },
  ),
);

/** The parts of a message that is sent. */
export const PartsInput = Type.Array(PartShape, { minItems: 1, maxItems: PARTS_MAX });

const Parts = words(Type.Array(PartShape));

const TaskMessageShape = authored(
  byField('sender'),
  namedObject('TaskMessage', 'a message of a task', {
    message_id: Type.String({ description: 'the id set by its author, else that of the conversation' }),
    role: Type.Enum(['user', 'agent'], { description: '`user` is the sender of the task' }),
    sender: Type.String({ description: "the writer's handle at that time" }),
    parts: Parts,
    sent_at: Time,
  }),
);

const ArtifactShape = namedObject('TaskArtifact', 'an artifact of a task', {
  artifact_id: Type.String(),
  name: Type.Optional(words(Type.String())),
  description: Type.Optional(words(Type.String())),
  parts: Parts,
});

export const TaskStateShape = named('TaskState', Type.Enum([...TASK_STATES]));

const NullableMessage = nullable(TaskMessageShape);

export const TaskShape = authored(
  byField('target_handle'),
  namedObject('Task', 'a task that one agent sent to another', {
    task_id: TaskId,
    conversation_id: Id,
    sender_handle: Type.String(),
    target_handle: Type.String(),
    state: TaskStateShape,
    status_message: NullableMessage,
    history: Type.Array(TaskMessageShape, { description: 'messages of both sides, oldest first' }),
    artifacts: Type.Array(ArtifactShape),
    metadata: Type.Record(Type.String(), Type.Unknown(), { description: 'as given by its sender' }),
    last_n: Type.Integer({ minimum: 1, description: 'the number of its newest update' }),
    created_at: Time,
    updated_at: Time,
    dialect: nullable(Type.Enum([...DIALECTS])),
  }),
);

/** Sent in streams only; no reply holds one. */
const TaskUpdateShape = namedObject('TaskUpdate', 'an update of a task', {
  n: Type.Integer({ minimum: 1, description: '1, 2, 3 … for each task, without a gap' }),
  task_id: TaskId,
  conversation_id: Id,
  kind: Type.Enum(['status', 'artifact']),
  state: TaskStateShape,
  message: NullableMessage,
  artifact: nullable(ArtifactShape),
  at: Time,
  final: Type.Boolean({ description: 'nothing follows' }),
});

export type TaskView = Static<typeof TaskShape>;
export type TaskUpdateView = Static<typeof TaskUpdateShape>;

function taskIdFor({ id, client_id, sender_id }: Row<'tasks'>, reader_id: string): string {
  return sender_id === reader_id ? (client_id ?? id) : id;
}

function messageView({ message, created_at }: Pick<Row<'task_updates'>, 'message' | 'created_at'>) {
  return message && { ...message, parts: [...message.parts], sent_at: iso(created_at) };
}

function artifactView({ artifact }: Pick<Row<'task_updates'>, 'artifact'>) {
  return artifact && { ...artifact, parts: [...artifact.parts] };
}

/** As many of the newest values as fit, oldest first. */
function newestWithin<T>(newest_first: readonly T[], room: { bytes: number }): T[] {
  const kept: T[] = [];
  for (const value of newest_first) {
    room.bytes -= jsonBytes(value);
    if (room.bytes < 0) break;
    kept.push(value);
  }
  return kept.reverse();
}

/** The contents of a view of a task, newest first, and their limit in bytes. */
export interface TaskParts {
  readonly messages: readonly Row<'task_updates'>[];
  readonly artifacts: readonly Row<'task_updates'>[];
  readonly bytes_max: number;
}

/** A task as `reader_id` sees it. What exceeds the limit is left out, oldest first: messages before artifacts. */
export function taskView(
  { task, sender_handle, target_handle, status }: WholeTask,
  reader_id: string,
  { messages, artifacts, bytes_max }: TaskParts,
): TaskView {
  const room = { bytes: bytes_max };
  const shown = newestWithin(
    artifacts.flatMap((row) => artifactView(row) ?? []),
    room,
  );
  return {
    task_id: taskIdFor(task, reader_id),
    conversation_id: task.conversation_id,
    sender_handle,
    target_handle,
    state: task.state,
    status_message: status?.message?.role === 'agent' ? messageView(status) : null,
    history: newestWithin(
      messages.flatMap((row) => messageView(row) ?? []),
      room,
    ),
    artifacts: shown,
    metadata: task.metadata,
    last_n: task.last_n,
    created_at: iso(task.created_at),
    updated_at: iso(task.updated_at),
    dialect: task.dialect,
  };
}

/** An update as `reader_id` sees it. It holds words of the task's target only; those of the sender are in the history. */
export function taskUpdateView(task: Row<'tasks'>, row: Row<'task_updates'>, reader_id: string): TaskUpdateView {
  return {
    n: row.n,
    task_id: taskIdFor(task, reader_id),
    conversation_id: task.conversation_id,
    kind: row.kind,
    state: row.state,
    message: row.message?.role === 'agent' ? messageView(row) : null,
    artifact: artifactView(row),
    at: iso(row.created_at),
    final: row.kind === 'status' && isEnded(row.state),
  };
}

/** The update as one server-sent event: an end that is no success is an `error` (interface.md, Streams). */
export function encodeTaskUpdate(update: TaskUpdateView): string {
  const failed = update.final && (update.state === 'failed' || update.state === 'rejected');
  return `id: ${update.n}\nevent: ${failed ? 'error' : update.kind}\ndata: ${JSON.stringify(update)}\n\n`;
}
