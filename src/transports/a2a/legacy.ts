// A2A 0.3: JSON-RPC as its JSON schema has it, with `kind` in every object, and HTTP as its protocol buffers have it
// (LEGACY_HTTP), which name some of the same things otherwise.
import { type Static, Type } from 'typebox';
import { invalid, isFault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { PARTS_MAX } from '../../domain/task/part.ts';
import { HistoryLength } from './current.ts';
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
import {
  KindPart,
  kindPartWriter,
  NAMES_MAX,
  ProtoPart,
  readKindPart,
  readProtoPart,
  writeProtoPart,
} from './parts.ts';
import type { Part, PushConfig, Task, TaskState } from './values.ts';

const Name = Type.Optional(Type.String());
const Metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
const Id = Type.String({ minLength: 1 });

const Config = Type.Object({
  id: Name,
  url: Type.String(),
  token: Name,
  authentication: Type.Optional(
    Type.Object({ schemes: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })), credentials: Name }),
  ),
});

const Message = {
  messageId: Id,
  contextId: Name,
  taskId: Name,
  referenceTaskIds: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })),
  metadata: Metadata,
};

const Configuration = {
  acceptedOutputModes: Type.Optional(Type.Array(Type.String(), { maxItems: NAMES_MAX })),
  historyLength: HistoryLength,
  blocking: Type.Optional(Type.Boolean()),
};

const SendParams = Type.Object({
  message: Type.Object({
    ...Message,
    role: Type.Enum(['user']),
    parts: Type.Array(KindPart, { minItems: 1, maxItems: PARTS_MAX }),
  }),
  configuration: Type.Optional(Type.Object({ ...Configuration, pushNotificationConfig: Type.Optional(Config) })),
  metadata: Metadata,
});

const HttpSendParams = Type.Object({
  message: Type.Object({
    ...Message,
    role: Type.Enum(['ROLE_USER']),
    content: Type.Array(ProtoPart, { minItems: 1, maxItems: PARTS_MAX }),
  }),
  configuration: Type.Optional(Type.Object({ ...Configuration, pushNotification: Type.Optional(Config) })),
  metadata: Metadata,
});

const TaskParams = Type.Object({ id: Id, historyLength: HistoryLength });
const SetParams = Type.Object({ taskId: Id, pushNotificationConfig: Config });
const ConfigParams = Type.Object({ id: Id, pushNotificationConfigId: Name });

/** A config as an operation takes it; of several ways to authenticate the first is used. */
export function configInput({ id, url, token, authentication }: Static<typeof Config>): Record<string, unknown> {
  const scheme = authentication?.schemes?.[0];
  const way = scheme !== undefined ? present({ scheme, credentials: given(authentication?.credentials) }) : undefined;
  return present({ id: given(id), url, token: given(token), authentication: way });
}

function readSend({ message, configuration = {}, metadata }: Static<typeof SendParams>, target: string | null) {
  const parts = partsOf(message.parts, 'message.parts', readKindPart);
  if (isFault(parts)) return parts;
  const { pushNotificationConfig: push, ...rest } = configuration;
  return asked(message, parts, { ...rest, push, metadata }, target);
}

function readHttpSend({ message, configuration = {}, metadata }: Static<typeof HttpSendParams>, target: string | null) {
  const parts = partsOf(message.content, 'message.content', readProtoPart);
  if (isFault(parts)) return parts;
  const { pushNotification: push, ...rest } = configuration;
  return asked(message, parts, { ...rest, push, metadata }, target);
}

/** The members beside a message. */
interface Beside extends Omit<NonNullable<Static<typeof SendParams>['configuration']>, 'pushNotificationConfig'> {
  readonly push: Static<typeof Config> | undefined;
  readonly metadata: Json | undefined;
}

function asked(
  message: Omit<Static<typeof SendParams>['message'], 'parts' | 'role'>,
  parts: readonly Part[],
  { historyLength, acceptedOutputModes, blocking, push, metadata }: Beside,
  target: string | null,
): Asked {
  return askedToSend({
    version: '0.3',
    target: targetOf(target, undefined, metadata, message.metadata),
    message,
    parts,
    metadata,
    waits: blocking,
    history_length: historyLength,
    modes: acceptedOutputModes,
    push: push && configInput(push),
  });
}

function readTask({ id, historyLength }: Static<typeof TaskParams>): Asked {
  return { input: present({ task_id: id, history_length: historyLength }) };
}

const STATES: Readonly<Record<TaskState, string>> = {
  submitted: 'submitted',
  working: 'working',
  input_required: 'input-required',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  rejected: 'rejected',
};

/** The states of the protocol buffers, which write the one of them with two l. */
function protoState(state: TaskState): string {
  return state === 'canceled' ? 'TASK_STATE_CANCELLED' : `TASK_STATE_${state.toUpperCase()}`;
}

const SPELLING: Spelling = {
  part: kindPartWriter('kind'),
  role: (role) => role,
  state: (state) => STATES[state],
  message: { kind: 'message' },
  parts: 'parts',
};

const HTTP_SPELLING: Spelling = {
  part: writeProtoPart,
  role: (role) => (role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT'),
  state: protoState,
  message: {},
  parts: 'content',
};

/** A config without its task. */
export function writeConfig({ id, url, token, authentication }: PushConfig): Json {
  const { scheme, credentials } = authentication ?? {};
  const way = scheme === undefined ? null : { schemes: [scheme], ...(credentials && { credentials }) };
  return { id, url, ...(token && { token }), ...(way && { authentication: way }) };
}

function writeTaskConfig(config: PushConfig): Json {
  return { taskId: config.task_id, pushNotificationConfig: writeConfig(config) };
}

function writeHttpConfig(config: PushConfig): Json {
  const name = `tasks/${config.task_id}/pushNotificationConfigs/${config.id}`;
  return { name, pushNotificationConfig: writeConfig(config) };
}

const readConfig = reading(ConfigParams, ({ id, pushNotificationConfigId: config_id }: Static<typeof ConfigParams>) => {
  return { input: present({ task_id: id, config_id: given(config_id) }) };
});

/** The reads shared by both bindings of 0.3. */
const SHARED: Dialect['reads'] = {
  get: reading(TaskParams, readTask),
  cancel: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
  follow: reading(TaskParams, ({ id }: Static<typeof TaskParams>) => ({ input: { task_id: id } })),
  read_push: readConfig,
  list_push: readConfig,
  delete_push: readConfig,
  card: (_params, target) => ({ input: present({ handle: target ?? undefined }) }),
};

function legacyTask(task: Task, reader: Parameters<Dialect['task']>[1]): Json {
  return { kind: 'task', ...writeTask(task, reader, SPELLING) };
}

/** A2A 0.3 over JSON-RPC. */
export const LEGACY: Dialect = {
  version: '0.3',
  reads: {
    ...SHARED,
    send: reading(SendParams, readSend),
    stream: reading(SendParams, readSend),
    create_push: reading(SetParams, ({ taskId, pushNotificationConfig }: Static<typeof SetParams>) => ({
      input: { task_id: taskId, config: configInput(pushNotificationConfig), dialect: '0.3' },
    })),
  },
  task: legacyTask,
  sent: legacyTask,
  opening: legacyTask,
  update: (update, task, reader) => {
    const at = { taskId: task.task_id, contextId: task.conversation_id };
    if (update.artifact) {
      const artifact = writeArtifact(update.artifact, task, reader, SPELLING);
      return { kind: 'artifact-update', ...at, artifact, lastChunk: true };
    }
    const status = writeStatus(update, task, reader, SPELLING);
    return { kind: 'status-update', ...at, status, final: update.final };
  },
  page: ({ tasks, next_cursor }, reader) => ({
    tasks: tasks.map((task) => legacyTask(task, reader)),
    nextPageToken: next_cursor ?? '',
  }),
  pushConfig: writeTaskConfig,
  pushConfigs: (configs) => configs.map(writeTaskConfig),
  deleted: null,
};

const HttpListParams = Type.Object({
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  pageToken: Name,
  historyLength: HistoryLength,
});

function httpTask(task: Task, reader: Parameters<Dialect['task']>[1]): Json {
  return writeTask(task, reader, HTTP_SPELLING);
}

/** The config of a request: the binding of SDKs names it by its parent. */
const HttpSetParams = Type.Object({
  taskId: Id,
  name: Name,
  pushNotificationConfig: Type.Optional(Config),
  config: Type.Optional(Type.Object({ pushNotificationConfig: Config })),
});

/** A2A 0.3 over HTTP. */
export const LEGACY_HTTP: Dialect = {
  ...LEGACY,
  reads: {
    ...SHARED,
    send: reading(HttpSendParams, readHttpSend),
    stream: reading(HttpSendParams, readHttpSend),
    list: reading(HttpListParams, ({ pageSize, pageToken, historyLength }: Static<typeof HttpListParams>, target) => ({
      input: present({
        limit: pageSize,
        cursor: pageToken || undefined,
        history_length: historyLength,
        counterparty_handle: target ?? undefined,
      }),
    })),
    create_push: reading(HttpSetParams, (params: Static<typeof HttpSetParams>) => {
      const config = params.pushNotificationConfig ?? params.config?.pushNotificationConfig;
      if (!config) return invalid({ path: 'pushNotificationConfig', message: 'is required' });
      return { input: { task_id: params.taskId, config: configInput(config), dialect: '0.3' } };
    }),
  },
  task: httpTask,
  sent: (task, reader) => ({ task: httpTask(task, reader) }),
  opening: (task, reader) => ({ task: httpTask(task, reader) }),
  update: (update, task, reader) => {
    const at = { taskId: task.task_id, contextId: task.conversation_id };
    if (update.artifact) {
      const artifact = writeArtifact(update.artifact, task, reader, HTTP_SPELLING);
      return { artifactUpdate: { ...at, artifact, lastChunk: true } };
    }
    return { statusUpdate: { ...at, status: writeStatus(update, task, reader, HTTP_SPELLING), final: update.final } };
  },
  page: ({ tasks, next_cursor }, reader) => ({
    tasks: tasks.map((task) => httpTask(task, reader)),
    nextPageToken: next_cursor ?? '',
  }),
  pushConfig: writeHttpConfig,
  pushConfigs: (configs) => ({ configs: configs.map(writeHttpConfig), nextPageToken: '' }),
  deleted: {},
};
