// The interface's dialect (interface.md, Agent-to-agent JSON-RPC), version 0.2.0: the caller may choose the task's id, parts have a
// `type`, and the conversation is a field beside the task.
import { type Static, Type } from 'typebox';
import { type Fault, isFault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { PARTS_MAX } from '../../domain/task/part.ts';
import { HistoryLength } from './current.ts';
import { type Asked, askedToSend, type Dialect, partsOf, present, reading, targetOf } from './dialect.ts';
import { configInput, writeConfig } from './legacy.ts';
import { KindPart, kindPartWriter, markFor, NAMES_MAX, type Reader, readKindPart } from './parts.ts';
import type { Artifact, PushConfig, Task, TaskMessage, TaskState } from './values.ts';

const Name = Type.Optional(Type.String());
const Metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
const Id = Type.String({ minLength: 1 });

const SendParams = Type.Object({
  id: Name,
  tenant: Name,
  message: Type.Object({
    role: Type.Optional(Type.Enum(['user'])),
    parts: Type.Array(KindPart, { minItems: 1, maxItems: PARTS_MAX }),
    messageId: Name,
    metadata: Metadata,
  }),
  historyLength: HistoryLength,
  acceptedOutputModes: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })),
  metadata: Metadata,
});

const TaskParams = Type.Object({ id: Id, historyLength: HistoryLength });
const SetParams = Type.Object({
  id: Id,
  pushNotificationConfig: Type.Object({
    id: Name,
    url: Type.String(),
    token: Name,
    authentication: Type.Optional(
      Type.Object({ schemes: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })), credentials: Name }),
    ),
  }),
});

const STATES: Readonly<Record<TaskState, string>> = {
  submitted: 'submitted',
  working: 'working',
  input_required: 'input-required',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  // The dialect does not have this state.
  rejected: 'failed',
};

const ListParams = Type.Object({
  conversation_id: Name,
  state: Type.Optional(Type.Enum(Object.values(STATES))),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Name,
});

const DiscoverParams = Type.Object({
  handle: Name,
  query: Name,
  labels: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })),
  limit: Type.Optional(Type.Integer()),
});

const PingParams = Type.Object({ agent_handle: Type.String() });

function readSend(params: Static<typeof SendParams>, target: string | null): Asked | Fault {
  const { id, message, metadata, tenant, historyLength, acceptedOutputModes } = params;
  const parts = partsOf(message.parts, 'message.parts', readKindPart);
  if (isFault(parts)) return parts;
  return askedToSend({
    version: '0.2',
    target: targetOf(target, tenant, metadata, message.metadata),
    message: { ...message, taskId: id },
    parts,
    metadata,
    // The result is the task's state; messages are included only on request.
    history_length: historyLength ?? 0,
    modes: acceptedOutputModes,
  });
}

function stateOf(name: string | undefined): string | undefined {
  return Object.entries(STATES).find(([, known]) => known === name)?.[0];
}

const part = kindPartWriter('type');

function writeMessage({ role, parts }: TaskMessage, task: Task, reader: Reader): Json {
  const mark = markFor(role === 'user' ? task.sender_handle : task.target_handle, reader);
  return { role, parts: parts.map((each) => part(each, mark)), ...(mark && { metadata: mark }) };
}

function writeArtifact(artifact: Artifact, task: Task, reader: Reader): Json {
  const mark = markFor(task.target_handle, reader);
  const { name, description, parts } = artifact;
  return present({
    name,
    description,
    parts: parts.map((each) => part(each, mark)),
    index: 0,
    metadata: mark ?? undefined,
  });
}

function writeStatus(state: TaskState, message: TaskMessage | null, task: Task, reader: Reader): Json {
  return { state: STATES[state], ...(message && { message: writeMessage(message, task, reader) }) };
}

function writeTask(task: Task, reader: Reader): Json {
  const { history, artifacts } = task;
  return {
    id: task.task_id,
    status: writeStatus(task.state, task.status_message, task, reader),
    conversation_id: task.conversation_id,
    ...(history.length > 0 && { history: history.map((each) => writeMessage(each, task, reader)) }),
    ...(artifacts.length > 0 && { artifacts: artifacts.map((each) => writeArtifact(each, task, reader)) }),
  };
}

function writePushConfig(config: PushConfig): Json {
  return { id: config.task_id, pushNotificationConfig: writeConfig(config) };
}

export const SEED: Dialect = {
  version: '0.2',
  reads: {
    initialize: () => ({ input: {} }),
    discover: reading(DiscoverParams, (params: Static<typeof DiscoverParams>) => ({ input: { ...params } })),
    ping: reading(PingParams, ({ agent_handle }: Static<typeof PingParams>) => ({ input: { agent_handle } })),
    send: reading(SendParams, readSend),
    stream: reading(SendParams, readSend),
    get: reading(TaskParams, ({ id, historyLength }: Static<typeof TaskParams>) => ({
      input: { task_id: id, history_length: historyLength ?? 0 },
    })),
    cancel: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
    follow: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
    list: reading(ListParams, ({ state, ...rest }: Static<typeof ListParams>, target) => ({
      input: present({ ...rest, state: stateOf(state), counterparty_handle: target ?? undefined }),
    })),
    create_push: reading(SetParams, ({ id, pushNotificationConfig }: Static<typeof SetParams>) => ({
      input: { task_id: id, config: configInput(pushNotificationConfig), dialect: '0.2' },
    })),
    read_push: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
  },
  task: writeTask,
  sent: writeTask,
  opening: writeTask,
  update: (update, task, reader) => {
    if (update.artifact) return { id: task.task_id, artifact: writeArtifact(update.artifact, task, reader) };
    const status = { ...writeStatus(update.state, update.message, task, reader), timestamp: update.at };
    return { id: task.task_id, status, final: update.final };
  },
  page: ({ tasks, next_cursor }, reader) => ({
    tasks: tasks.map((task) => writeTask(task, reader)),
    ...(next_cursor !== null && { next_cursor }),
  }),
  pushConfig: writePushConfig,
  pushConfigs: (configs) => ({ configs: configs.map(writePushConfig) }),
  deleted: null,
};
