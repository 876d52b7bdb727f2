// Messages that are sent, and tasks that are followed: what is answered at once, what waits, and what streams. A request of two
// operations counts once.

import type { StreamSink } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import { type Asking, getTask, type Performed, readerOf, refused, run, type Seen, type WriteEvent } from './asking.ts';
import type { Asked } from './dialect.ts';
import { type Problem, problem } from './errors.ts';
import { rewriting, untilAnswered } from './updates.ts';
import type { Task, TaskUpdate } from './values.ts';

/** How long a send that waits does so, on the service's clock; agents may take days (rules.md 10). */
const WAIT_MS = 25_000;
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled', 'rejected']);
/** What agents here answer with, and how callers may name it. */
const MODES: ReadonlySet<string> = new Set([
  'text/plain',
  'application/json',
  'text/*',
  'application/*',
  '*/*',
  'text',
]);

/** The key under which a message is sent once: its id, by its hash where that is no key. */
function keyOf({ request }: Asking, message_id: string | undefined): string | null {
  const sent = request.headers.get('idempotency-key');
  if (sent !== null || message_id === undefined) return sent;
  return KEY_SHAPE.test(message_id) ? message_id : sha256Hex(message_id);
}

/** A task with so many of its newest messages at most. */
export function cutHistory(task: Task, length: number | undefined): Task {
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
  // With the task, so that nothing of it is missed.
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
  // What was answered then may be long out of date.
  return ended.replayed ? getTask(asking, task.task_id) : { task, reader: readerOf(asking, ended) };
}

/** Waits until the task has an answer or asks for one, the time is over, or nobody waits any more. */
async function awaitAnswer(asking: Asking, { task_id, last_n }: Task): Promise<void> {
  const { ports, request } = asking;
  const followed = await run(asking, 'task.follow', { task_id, after: last_n }, { counted: true });
  // Where there is no place among the streams, the task is answered as it stands.
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

/** Sends a message; the answer may wait for that of the task. */
export async function send(asking: Asking, asked: Asked): Promise<Performed> {
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

/** The update that told how a task stands. */
function lastUpdate(task: Task): TaskUpdate {
  const { task_id, conversation_id, state, status_message: message, updated_at: at, last_n: n } = task;
  return { n, task_id, conversation_id, kind: 'status', state, message, artifact: null, at, final: true };
}

/** The task, and then what becomes of it from the update after `after` on. */
async function streamFrom(asking: Asking, { task, reader }: Seen, shown: Task, after: number): Promise<Performed> {
  const dialect = asking.dialect(task);
  const opening = dialect.opening(shown, reader);
  if (hasEnded(task) && after >= task.last_n) {
    const start = (sink: StreamSink, event: WriteEvent): void => {
      // Before 1.0 an update says that it is the last.
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

/** Sends a message, and streams what becomes of its task. */
export async function stream(asking: Asking, asked: Asked): Promise<Performed> {
  const sent = await sendTask(asking, asked);
  if ('refusal' in sent) return { problem: sent };
  const { task } = sent;
  const shown = cutHistory(task, asked.history_length);
  const streamed = await streamFrom(asking, sent, shown, task.last_n);
  if (!('problem' in streamed)) return streamed;
  // Where there is no place among the streams, the task stands all the same, and can be followed later.
  return { opening: asking.dialect(task).opening(shown, sent.reader), n: task.last_n, start: (sink) => sink.close() };
}

/** The n behind which a stream goes on, as its reader names it; null for one that begins. */
function lastEventOf({ headers }: Request): number | null {
  const id = headers.get('last-event-id');
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

/** Streams what becomes of a task that stands. */
export async function follow(asking: Asking, { input }: Asked): Promise<Performed> {
  const ended = await run(asking, 'task.get', input);
  if (!('reply' in ended)) return { problem: refused(asking, ended) };
  const task = ended.reply.value as Task;
  const after = lastEventOf(asking.request) ?? task.last_n;
  if (hasEnded(task) && after >= task.last_n && asking.dialect(task).version === '1.0') {
    return { problem: problem('UNSUPPORTED_OPERATION', 'This task has ended, so nothing follows; get it instead.') };
  }
  return streamFrom(asking, { task, reader: readerOf(asking, ended) }, task, after);
}
