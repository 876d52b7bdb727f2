// A2A 1.0, for JSON-RPC and HTTP: ProtoJSON of `a2a.proto`, in which default values may be left out.
import { type Static, Type } from 'typebox';
import { type Fault, invalid, isFault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { PARTS_MAX } from '../../domain/task/part.ts';
import {
  type Asked,
  askedToSend,
  type Dialect,
  given,
  partsOf,
  present,
  reading,
  type Spelling,
  targetOf,
  writeArtifact,
  writeStatus,
  writeTask,
} from './dialect.ts';
import { CurrentPart, NAMES_MAX, readCurrentPart, writeCurrentPart } from './parts.ts';
import type { PushConfig, TaskState } from './values.ts';

const Name = Type.Optional(Type.String());
const Metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
/** The number of history messages to return. */
export const HistoryLength = Type.Optional(Type.Integer({ minimum: 0 }));

const Config = Type.Object({
  tenant: Name,
  id: Name,
  taskId: Name,
  url: Type.String(),
  token: Name,
  authentication: Type.Optional(Type.Object({ scheme: Type.String(), credentials: Name })),
});

const SendParams = Type.Object({
  tenant: Name,
  message: Type.Object({
    messageId: Type.String({ minLength: 1 }),
    role: Type.Enum(['ROLE_USER']),
    parts: Type.Array(CurrentPart, { minItems: 1, maxItems: PARTS_MAX }),
    contextId: Name,
    taskId: Name,
    referenceTaskIds: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })),
    metadata: Metadata,
  }),
  configuration: Type.Optional(
    Type.Object({
      acceptedOutputModes: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })),
      taskPushNotificationConfig: Type.Optional(Config),
      historyLength: HistoryLength,
      returnImmediately: Type.Optional(Type.Boolean()),
    }),
  ),
  metadata: Metadata,
});

const STATES = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  input_required: 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
} as const satisfies Record<TaskState, string>;

const ListParams = Type.Object({
  tenant: Name,
  contextId: Name,
  status: Type.Optional(Type.Enum(['TASK_STATE_UNSPECIFIED', 'TASK_STATE_AUTH_REQUIRED', ...Object.values(STATES)])),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  pageToken: Name,
  historyLength: HistoryLength,
  statusTimestampAfter: Type.Optional(Type.String({ format: 'date-time' })),
  includeArtifacts: Type.Optional(Type.Boolean()),
});

const TaskParams = Type.Object({ tenant: Name, id: Type.String({ minLength: 1 }), historyLength: HistoryLength });
const ConfigParams = Type.Object({ tenant: Name, taskId: Type.String({ minLength: 1 }), id: Type.String() });
const ConfigsParams = Type.Object({ tenant: Name, taskId: Type.String({ minLength: 1 }) });
const CardParams = Type.Object({ tenant: Name });

function configInput({ id, url, token, authentication }: Static<typeof Config>): Record<string, unknown> {
  return present({ id: given(id), url, token: given(token), authentication });
}

function readSend(
  { message, configuration = {}, metadata, tenant }: Static<typeof SendParams>,
  target: string | null,
): Asked | Fault {
  const parts = partsOf(message.parts, 'message.parts', readCurrentPart);
  if (isFault(parts)) return parts;
  const { historyLength, acceptedOutputModes, taskPushNotificationConfig: push, returnImmediately } = configuration;
  return askedToSend({
    version: '1.0',
    target: targetOf(target, tenant, metadata, message.metadata),
    message,
    parts,
    metadata,
    waits: returnImmediately !== true,
    history_length: historyLength,
    modes: acceptedOutputModes,
    push: push && configInput(push),
  });
}

/** A non-existent conversation, so that an unknown context, or a state that no task here has, finds nothing. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';
const ID_SHAPE = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function conversationOf({ contextId, status }: Static<typeof ListParams>): string | undefined {
  if (status === 'TASK_STATE_AUTH_REQUIRED') return NOWHERE;
  const id = given(contextId);
  return id === undefined || ID_SHAPE.test(id) ? id : NOWHERE;
}

function readList(params: Static<typeof ListParams>, target: string | null): Asked {
  const { statusTimestampAfter: after, historyLength, tenant } = params;
  return {
    input: present({
      counterparty_handle: targetOf(target, tenant),
      conversation_id: conversationOf(params),
      state: Object.entries(STATES).find(([, name]) => name === params.status)?.[0],
      limit: params.pageSize,
      cursor: given(params.pageToken),
      updated_after: after && new Date(after).toISOString(),
      history_length: historyLength,
      include_artifacts: params.includeArtifacts,
    }),
  };
}

function readTask({ id, historyLength }: Static<typeof TaskParams>): Asked {
  return { input: present({ task_id: id, history_length: historyLength }) };
}

const SPELLING: Spelling = {
  part: writeCurrentPart,
  role: (role) => (role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT'),
  state: (state) => STATES[state],
  message: {},
  parts: 'parts',
};

function writeConfig({ task_id, id, url, token, authentication }: PushConfig): Json {
  return {
    taskId: task_id,
    id,
    url,
    ...(token && { token }),
    ...(authentication && { authentication: present({ ...authentication }) }),
  };
}

/** A2A 1.0. */
export const CURRENT: Dialect = {
  version: '1.0',
  reads: {
    send: reading(SendParams, readSend),
    stream: reading(SendParams, readSend),
    get: reading(TaskParams, readTask),
    cancel: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
    follow: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
    list: reading(ListParams, readList),
    create_push: reading(Config, (config: Static<typeof Config>) => {
      if (!config.taskId) return invalid({ path: 'taskId', message: 'is required' });
      return { input: { task_id: config.taskId, config: configInput(config), dialect: '1.0' } };
    }),
    read_push: reading(ConfigParams, ({ taskId, id }: Static<typeof ConfigParams>) => ({
      input: { task_id: taskId, config_id: id },
    })),
    list_push: reading(ConfigsParams, ({ taskId }: Static<typeof ConfigsParams>) => ({ input: { task_id: taskId } })),
    delete_push: reading(ConfigParams, ({ taskId, id }: Static<typeof ConfigParams>) => ({
      input: { task_id: taskId, config_id: id },
    })),
    card: reading(CardParams, ({ tenant }: Static<typeof CardParams>, target) => ({
      input: present({ handle: target ?? given(tenant) }),
    })),
  },
  task: (task, reader) => writeTask(task, reader, SPELLING),
  sent: (task, reader) => ({ task: writeTask(task, reader, SPELLING) }),
  opening: (task, reader) => ({ task: writeTask(task, reader, SPELLING) }),
  update: (update, task, reader) => {
    const at = { taskId: task.task_id, contextId: task.conversation_id };
    if (update.artifact) {
      const artifact = writeArtifact(update.artifact, task, reader, SPELLING);
      return { artifactUpdate: { ...at, artifact, lastChunk: true } };
    }
    return { statusUpdate: { ...at, status: writeStatus(update, task, reader, SPELLING) } };
  },
  page: ({ tasks, next_cursor, total }, reader) => ({
    tasks: tasks.map((task) => writeTask(task, reader, SPELLING)),
    nextPageToken: next_cursor ?? '',
    pageSize: tasks.length,
    totalSize: total,
  }),
  pushConfig: writeConfig,
  pushConfigs: (configs) => ({ configs: configs.map(writeConfig), nextPageToken: '' }),
  deleted: {},
};
