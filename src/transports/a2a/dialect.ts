// A dialect of A2A: how the parameters of each call are read, and how its result is written. Dialects differ only in names and
// shapes; calls.ts does the work for all of them.
import type { TSchema } from 'typebox';
import { type Fault, type FieldProblem, invalid } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { InputCheck, PROBLEMS_MAX } from '../../pipeline/validate.ts';
import { tolerantInput } from '../tolerance.ts';
import { type Mark, markFor, type Reader, type WritePart } from './parts.ts';
import type { Artifact, Part, PushConfig, Task, TaskMessage, TaskState, TaskUpdate } from './values.ts';

/** The supported versions, as `task.send` stores them. */
export type Version = '0.2' | '0.3' | '1.0';

export type Does =
  | 'initialize'
  | 'discover'
  | 'ping'
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'follow'
  | 'create_push'
  | 'read_push'
  | 'list_push'
  | 'delete_push'
  | 'card';

/** A call's parameters in the form of the operations. */
export interface Asked {
  readonly input: Record<string, unknown>;
  /** The id of the sent message, which is its Idempotency-Key. */
  readonly message_id?: string;
  /** Whether the send is blocking. */
  readonly waits?: boolean;
  readonly history_length?: number;
  /** The media types that the caller accepts. */
  readonly modes?: readonly string[];
  /** The push config of a sent task: the input of `push_config.create` without the task. */
  readonly push?: Readonly<Record<string, unknown>>;
}

/** Reads parameters; `target` is the agent of the request's address, null when the call names one itself. */
export type ReadParams = (params: Json, target: string | null) => Asked | Fault;

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next_cursor: string | null;
  readonly total: number;
}

export interface Dialect {
  readonly version: Version;
  readonly reads: Readonly<Partial<Record<Does, ReadParams>>>;
  /** A task by itself. */
  task(task: Task, reader: Reader): Json;
  /** The result of a send. */
  sent(task: Task, reader: Reader): Json;
  /** The first event of a stream. */
  opening(task: Task, reader: Reader): Json;
  /** Each later event; `task` is its task. */
  update(update: TaskUpdate, task: Task, reader: Reader): Json;
  page(page: TaskPage, reader: Reader): Json;
  pushConfig(config: PushConfig): Json;
  pushConfigs(configs: readonly PushConfig[]): Json | readonly Json[];
  /** The result of a deletion. */
  readonly deleted: Json | null;
}

/** Reads parameters of a schema; problems are named in the dialect's terms. */
export function reading<P>(shape: TSchema, read: (params: P, target: string | null) => Asked | Fault): ReadParams {
  let check: InputCheck | null = null;
  return (params, target) => {
    check ??= new InputCheck(shape);
    const checked = check.check(tolerantInput(params, shape));
    // `Check` accepted it, so it has the shape.
    return 'fault' in checked ? (checked as unknown as Fault) : read(checked as P, target);
  };
}

/** Treats an empty text as absent, because protocol buffers cannot tell the two apart. */
export function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

export function present(fields: Json): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The parts of a message, or the refusal that names their problems. */
export function partsOf<P>(
  sent: readonly P[],
  path: string,
  read: (part: P, path: string) => Part | FieldProblem,
): readonly Part[] | Fault {
  const made = sent.map((part, at) => read(part, `${path}.${at}`));
  const problems = made.filter((each) => 'path' in each).slice(0, PROBLEMS_MAX);
  return problems.length > 0 ? invalid(...problems) : made.filter((each) => 'kind' in each);
}

/** A sent message in any dialect. */
interface Sent {
  readonly version: Version;
  /** The target agent, if the call names it. */
  readonly target: string | undefined;
  readonly message: {
    readonly messageId?: string;
    readonly contextId?: string;
    readonly taskId?: string;
    readonly referenceTaskIds?: readonly string[];
    readonly metadata?: Json;
  };
  readonly parts: readonly Part[];
  readonly metadata?: Json;
  readonly waits?: boolean;
  readonly history_length?: number;
  readonly modes?: readonly string[];
  readonly push?: Json;
}

/** The caller's own metadata of a task, without the target. */
function ownMetadata({ message, metadata }: Sent): Json | undefined {
  const { target_handle: _target, ...own }: Json = { ...metadata, ...message.metadata };
  const { referenceTaskIds } = message;
  const all = referenceTaskIds?.length ? { ...own, referenceTaskIds } : own;
  return Object.keys(all).length > 0 ? all : undefined;
}

/** The target of a call: the agent of its address, else the one that it names. */
export function targetOf(
  target: string | null,
  tenant?: string,
  ...metadata: (Json | undefined)[]
): string | undefined {
  const named = metadata.map((each) => each?.['target_handle']).find((handle) => typeof handle === 'string');
  return target ?? given(tenant) ?? named;
}

/** A message in the form of `task.send`. */
export function askedToSend(sent: Sent): Asked {
  const { version, target, message, parts, waits, history_length, modes, push } = sent;
  const message_id = given(message.messageId);
  const input = {
    target_handle: target,
    task_id: given(message.taskId),
    message_id,
    parts,
    conversation_id: given(message.contextId),
    metadata: ownMetadata(sent),
    dialect: version,
  };
  return {
    input: present(input),
    ...(message_id !== undefined && { message_id }),
    ...(waits && { waits }),
    ...(history_length !== undefined && { history_length }),
    ...(modes && { modes }),
    ...(push && { push: { config: push, dialect: version } }),
  };
}

/** The author of a task's message, by its role. */
function authorOf({ sender_handle, target_handle }: Task, role: TaskMessage['role']): string {
  return role === 'user' ? sender_handle : target_handle;
}

/** How a dialect writes parts, roles and states. */
export interface Spelling {
  readonly part: WritePart;
  readonly role: (role: TaskMessage['role']) => string;
  readonly state: (state: TaskState) => string;
  /** The first fields of a message. */
  readonly message: Json;
  /** The name of a message's parts. */
  readonly parts: 'parts' | 'content';
}

const metadataOf = (mark: Mark | null): Json => (mark ? { metadata: mark } : {});

/** A message of a task as 0.3 and 1.0 write it. */
function writeMessage(message: TaskMessage, task: Task, reader: Reader, spelling: Spelling): Json {
  const mark = markFor(authorOf(task, message.role), reader);
  return {
    ...spelling.message,
    messageId: message.message_id,
    role: spelling.role(message.role),
    [spelling.parts]: message.parts.map((part) => spelling.part(part, mark)),
    contextId: task.conversation_id,
    taskId: task.task_id,
    ...metadataOf(mark),
  };
}

/** An artifact, whose author is the task's target. */
export function writeArtifact(artifact: Artifact, task: Task, reader: Reader, spelling: Spelling): Json {
  const mark = markFor(task.target_handle, reader);
  return present({
    artifactId: artifact.artifact_id,
    name: artifact.name,
    description: artifact.description,
    parts: artifact.parts.map((part) => spelling.part(part, mark)),
    ...metadataOf(mark),
  });
}

/** The status of a task in 0.3 and 1.0. */
export function writeStatus(
  { state, message, at }: { readonly state: TaskState; readonly message: TaskMessage | null; readonly at: string },
  task: Task,
  reader: Reader,
  spelling: Spelling,
): Json {
  const said = message && { message: writeMessage(message, task, reader, spelling) };
  return { state: spelling.state(state), ...said, timestamp: at };
}

/** A task in 0.3 and 1.0, without empty fields. */
export function writeTask(task: Task, reader: Reader, spelling: Spelling): Json {
  const { state, status_message: message, updated_at: at, history, metadata } = task;
  // The sender's own fields; the mark overrides fields of the same names.
  const kept = { ...metadata, ...markFor(task.sender_handle, reader) };
  return {
    id: task.task_id,
    contextId: task.conversation_id,
    status: writeStatus({ state, message, at }, task, reader, spelling),
    ...(history.length > 0 && { history: history.map((each) => writeMessage(each, task, reader, spelling)) }),
    ...(task.artifacts.length > 0 && {
      artifacts: task.artifacts.map((each) => writeArtifact(each, task, reader, spelling)),
    }),
    ...(Object.keys(metadata).length > 0 && { metadata: kept }),
  };
}
