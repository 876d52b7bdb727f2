// The A2A calls, independent of the dialect: the operations that each runs, and its result.
import type { Deadlines } from '../../../actors/deadlines.ts';
import type { AnyOperation, StreamSink } from '../../contract/operation.ts';
import { FAULTS, fault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import type { Addresses } from '../../domain/next-step.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import type { Answer, Call, Ended, Opened } from '../../pipeline/call.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { Observe } from '../rest.ts';
import type { Asked, Dialect, Does, TaskPage } from './dialect.ts';
import { type Problem, problem, problemOf } from './errors.ts';
import { METHOD_NAMES } from './methods.ts';
import type { Reader } from './parts.ts';
import { rewriting, untilAnswered, type Wait } from './updates.ts';
import type { PushConfig, Task, TaskUpdate } from './values.ts';

// One A2A request and the operations that it runs, whose refusals become the protocol's errors.

export interface A2aPorts {
  readonly pipeline: Pick<Pipeline, 'run' | 'enter'>;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly addresses: Addresses;
  readonly observe: Observe;
  readonly clock: { now(): number };
  readonly base_url: string;
  readonly instance_name: string;
  readonly platform_handle: string;
  /** The deadlines of blocking sends. */
  readonly waits: Deadlines<Wait>;
}

export interface Asking {
  readonly ports: A2aPorts;
  readonly request: Request;
  readonly from: Pick<Call, 'credential' | 'origin' | 'acting' | 'request_id' | 'bytes'>;
  readonly started_ms: number;
  /** Authenticates a call that runs no operation. */
  readonly enter: (what: string, needs_credential: boolean) => Promise<Problem | null>;
  readonly does: Does;
  /** The dialect of the answer; for some requests that of the task. */
  readonly dialect: (task: Task | null) => Dialect;
}

/** The outcome: a result in the dialect, a refusal, or a stream of results, each with the n of its update. */
export type Performed =
  | { readonly result: unknown }
  | { readonly problem: Problem }
  | { readonly opening: Json; readonly n: number; readonly start: (sink: StreamSink, write: WriteEvent) => void };

/** Encodes a result as an event of its stream. */
export type WriteEvent = (result: Json, n: number) => string;

async function run(asking: Asking, name: string, input: Json, more: Partial<Call> = {}): Promise<Ended> {
  const { ports, from, started_ms } = asking;
  const operation = ports.operations.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const ended = await ports.pipeline.run({ ...from, operation, input, idempotency_key: null, ...more });
  const status = 'refusal' in ended ? FAULTS[ended.refusal.fault].status : 200;
  ports.observe('a2a', name, status, started_ms, from.origin);
  return ended;
}

function readerOf({ ports: { platform_handle } }: Asking, { agent_handle }: Answer | Opened): Reader {
  return { handle: agent_handle ?? null, platform_handle };
}

interface Seen {
  readonly task: Task;
  readonly reader: Reader;
}

/** The current task, for a request that was already counted. */
async function getTask(asking: Asking, task_id: string, history_length?: number): Promise<Seen | Problem> {
  const input = history_length === undefined ? { task_id } : { task_id, history_length };
  const ended = await run(asking, 'task.get', input, { counted: true });
  if (!('reply' in ended)) return refused(asking, ended);
  return { task: ended.reply.value as Task, reader: readerOf(asking, ended) };
}

function refused({ does, dialect }: Asking, ended: Ended): Problem {
  if (!('refusal' in ended)) throw new Error('a stream answered where a value was asked for');
  return problemOf(ended.refusal, does, dialect(null).version);
}

// Sending messages and following tasks: answers at once, blocking answers, and streams. A request of two operations counts
// once.

/** The longest blocking send, in service time; agents may take days (rules.md 10). */
const WAIT_MS = 25_000;
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected']);
/** The media types of agents' answers, in the forms that callers may name. */
const MODES: ReadonlySet<string> = new Set([
  'text/plain',
  'application/json',
  'text/*',
  'application/*',
  '*/*',
  'text',
]);

/** The idempotency key of a message: its id, or the hash of an id that is no valid key. */
function keyOf({ request }: Asking, message_id: string | undefined): string | null {
  const sent = request.headers.get('idempotency-key');
  if (sent !== null || message_id === undefined) return sent;
  return KEY_SHAPE.test(message_id) ? message_id : sha256Hex(message_id);
}

/** A task with at most `length` of its newest messages. */
function cutHistory(task: Task, length: number | undefined): Task {
  if (length === undefined || task.history.length <= length) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}

async function sendTask(
  asking: Asking,
  { input, message_id, modes = [], push, history_length }: Asked,
): Promise<Seen | Problem> {
  if (modes.length > 0 && !modes.some((mode) => MODES.has(mode.split(';')[0]?.trim().toLowerCase() ?? ''))) {
    return problem(
      'CONTENT_TYPE_NOT_SUPPORTED',
      'Incompatible content types: agents here answer with text/plain and application/json.',
    );
  }
  // Created in the same call as the task, so that no update is missed.
  const sent = {
    ...input,
    ...(push && { push_config: push['config'] }),
    ...(history_length !== undefined && { history_length }),
  };
  const ended = await run(asking, 'task.send', sent, { idempotency_key: keyOf(asking, message_id) });
  if (!('reply' in ended)) return refused(asking, ended);
  if (ended.notes.receipt) {
    const message = 'This message was taken before, and its answer was too large to keep; list your tasks to find it.';
    return { refusal: fault('idempotency_conflict', message), error: null };
  }
  const task = ended.reply.value as Task;
  // A replayed answer may be out of date.
  return ended.replayed ? getTask(asking, task.task_id) : { task, reader: readerOf(asking, ended) };
}

/** Waits until the task has an answer or asks for one, the time is over, or the caller has gone. */
async function awaitAnswer(asking: Asking, { task_id, last_n }: Task): Promise<void> {
  const { ports, request } = asking;
  const followed = await run(asking, 'task.follow', { task_id, after: last_n }, { counted: true });
  // At the limit of streams, the current task is returned.
  if (!('start' in followed)) return;
  await untilAnswered(followed.start, {
    waits: ports.waits,
    until: ports.clock.now() + WAIT_MS,
    signal: request.signal,
  });
}

function hasEnded({ state }: Task): boolean {
  return ENDED.has(state);
}

/** Sends a message; a blocking send waits for the task's answer. */
async function send(asking: Asking, asked: Asked): Promise<Performed> {
  const sent = await sendTask(asking, asked);
  if ('refusal' in sent) return { problem: sent };
  let seen: Seen | Problem = sent;
  if (asked.waits && !hasEnded(sent.task) && sent.task.state !== 'input_required') {
    await awaitAnswer(asking, sent.task);
    seen = await getTask(asking, sent.task.task_id);
    if ('refusal' in seen) return { problem: seen };
  }
  const task = cutHistory(seen.task, asked.history_length);
  return { result: asking.dialect(task).sent(task, seen.reader) };
}

/** The update with a task's current state. */
function lastUpdate(task: Task): TaskUpdate {
  const { task_id, conversation_id, state, status_message: message, updated_at: at, last_n: n } = task;
  return { n, task_id, conversation_id, kind: 'status', state, message, artifact: null, at, final: true };
}

/** The task, and then its updates after `after`. */
async function streamFrom(asking: Asking, { task, reader }: Seen, shown: Task, after: number): Promise<Performed> {
  const dialect = asking.dialect(task);
  const opening = dialect.opening(shown, reader);
  if (hasEnded(task) && after >= task.last_n) {
    const start = (sink: StreamSink, event: WriteEvent): void => {
      // Before 1.0 the last update is marked as such.
      if (dialect.version !== '1.0') sink.write(event(dialect.update(lastUpdate(task), task, reader), task.last_n));
      sink.close();
    };
    return { opening, n: task.last_n, start };
  }
  const followed = await run(asking, 'task.follow', { task_id: task.task_id, after }, { counted: true });
  if (!('start' in followed)) return { problem: refused(asking, followed) };
  const write = (update: TaskUpdate): Json => dialect.update(update, task, reader);
  const start = (sink: StreamSink, event: WriteEvent) =>
    followed.start(rewriting(sink, (update) => event(write(update), update.n)));
  return { opening, n: after, start };
}

/** Sends a message, and streams the updates of its task. */
async function stream(asking: Asking, asked: Asked): Promise<Performed> {
  const sent = await sendTask(asking, asked);
  if ('refusal' in sent) return { problem: sent };
  const { task } = sent;
  const shown = cutHistory(task, asked.history_length);
  const streamed = await streamFrom(asking, sent, shown, task.last_n);
  if (!('problem' in streamed)) return streamed;
  // At the limit of streams the task exists all the same, and can be followed later.
  return { opening: asking.dialect(task).opening(shown, sent.reader), n: task.last_n, start: (sink) => sink.close() };
}

/** The n after which a stream resumes; null for a new stream. */
function lastEventOf({ headers }: Request): number | null {
  const id = headers.get('last-event-id');
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

/** Streams the updates of an existing task. */
async function follow(asking: Asking, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, 'task.get', input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const task = ended.reply.value as Task;
  // The stream begins with the whole task; after a restore the reader may name an update that does not exist yet.
  const after = Math.min(lastEventOf(asking.request) ?? task.last_n, task.last_n);
  if (hasEnded(task) && after >= task.last_n && asking.dialect(task).version === '1.0') {
    return { problem: problem('UNSUPPORTED_OPERATION', 'This task has ended, so nothing follows; get it instead.') };
  }
  return streamFrom(asking, { task, reader: readerOf(asking, ended) }, task, after);
}

async function oneTask(asking: Asking, operation: string, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, operation, input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const task = ended.reply.value as Task;
  const dialect = asking.dialect(task);
  // In the interface's dialect a caller gets messages only on request.
  const quiet = dialect.version === '0.2' && input['history_length'] === undefined;
  return { result: dialect.task(quiet ? cutHistory(task, 0) : task, readerOf(asking, ended)) };
}

async function list(asking: Asking, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, 'task.list', input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const page = ended.reply.value as TaskPage;
  return { result: asking.dialect(null).page(page, readerOf(asking, ended)) };
}

async function push(asking: Asking, operation: string, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, operation, input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const dialect = asking.dialect(null);
  const { value } = ended.reply;
  if (asking.does === 'list_push') return { result: dialect.pushConfigs(value as readonly PushConfig[]) };
  return { result: dialect.pushConfig(value as PushConfig) };
}

/** Deleting a missing config succeeds (A2A 1.0, 3.1.10); for a task that is not the caller's it is 404. */
async function deletePush(asking: Asking, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, 'push_config.delete', input);
  const { deleted } = asking.dialect(null);
  if ('reply' in ended) return { result: deleted };
  const problem = refused(asking, ended);
  if (problem.error !== 'TASK_NOT_FOUND') return { problem };
  const seen = await getTask(asking, String(input['task_id']), 0);
  return 'refusal' in seen ? { problem: seen } : { result: deleted };
}

/** Runs an operation whose value is the result in every dialect. */
async function plain(asking: Asking, operation: string, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, operation, input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const { addresses, operations } = asking.ports;
  const output = operations.get(operation)?.output;
  return { result: output ? JSON.parse(ended.reply.textFor(addresses, output)) : ended.reply.value };
}

/** The handshake of the oldest dialect (interface.md, Agent-to-agent JSON-RPC). */
async function initialize({ ports: { base_url, instance_name }, enter }: Asking): Promise<Performed> {
  const barred = await enter('initialize', false);
  if (barred) return { problem: barred };
  const capabilities = { streaming: true, pushNotifications: true, stateTransitionHistory: true };
  return {
    result: {
      name: instance_name,
      protocol_version: '0.2.0',
      versions: ['0.2', '0.3', '1.0'],
      capabilities,
      methods: METHOD_NAMES,
      agent_card: `${base_url}/.well-known/agent.json`,
    },
  };
}

export function perform(asking: Asking, asked: Asked): Promise<Performed> {
  switch (asking.does) {
    case 'send':
      return send(asking, asked);
    case 'stream':
      return stream(asking, asked);
    case 'get':
      return oneTask(asking, 'task.get', asked);
    case 'cancel':
      return oneTask(asking, 'task.cancel', asked);
    case 'follow':
      return follow(asking, asked);
    case 'list':
      return list(asking, asked);
    case 'create_push':
      return push(asking, 'push_config.create', asked);
    case 'read_push':
      return push(asking, 'push_config.read', asked);
    case 'list_push':
      return push(asking, 'push_config.list', asked);
    case 'delete_push':
      return deletePush(asking, asked);
    case 'card':
      return plain(asking, 'agent.extended_card', asked);
    case 'discover':
      return plain(asking, 'agent.discover', asked);
    case 'ping':
      return plain(asking, 'agent.ping', asked);
    case 'initialize':
      return initialize(asking);
  }
}
