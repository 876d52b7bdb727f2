// Reads the updates of a task: the server-sent events of `task.follow`, which are rewritten in the caller's dialect, or only
// awaited.
import type { Deadlines } from '../../../actors/deadlines.ts';
import type { StreamSink } from '../../contract/operation.ts';
import type { TaskUpdate } from './values.ts';

/** Called when a blocking send's time is over. */
export type Wait = () => void;

/** The updates in a chunk; `rest` is the beginning of an incomplete event. */
function readEvents(chunk: string): { readonly updates: readonly TaskUpdate[]; readonly rest: string } {
  const events = chunk.split('\n\n');
  const rest = events.pop() ?? '';
  const updates = events.flatMap((event) => {
    const data = event.split('\n').find((line) => line.startsWith('data: '));
    // The operation wrote it.
    return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as TaskUpdate];
  });
  return { updates, rest };
}

/** The sink of a stream of updates, each rewritten by `write`. */
export function rewriting(sink: StreamSink, write: (update: TaskUpdate) => string): StreamSink {
  let rest = '';
  return {
    write: (chunk) => {
      const read = readEvents(rest + chunk);
      rest = read.rest;
      return read.updates.length === 0 || sink.write(read.updates.map(write).join(''));
    },
    waitForDrain: () => sink.waitForDrain(),
    close: () => sink.close(),
    onClose: (listener) => sink.onClose(listener),
  };
}

interface Waiting {
  readonly waits: Deadlines<Wait>;
  /** The end of the wait. */
  readonly until: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

const hasAnswer = ({ final, state }: TaskUpdate): boolean => final || state === 'input_required';

/** Resolves, and frees its resources, when an update answers or asks back, the stream ends, the time is over or the caller has
 * gone. */
export function untilAnswered(start: (sink: StreamSink) => void, { waits, until, signal }: Waiting): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listeners: (() => void)[] = [];
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    waits.delete(close);
    signal.removeEventListener('abort', close);
    for (const listener of listeners) listener();
    resolve();
  };
  let rest = '';
  waits.set(close, until);
  signal.addEventListener('abort', close, { once: true });
  start({
    write: (chunk) => {
      const read = readEvents(rest + chunk);
      rest = read.rest;
      if (read.updates.some(hasAnswer)) close();
      return open;
    },
    waitForDrain: () => Promise.resolve(),
    close,
    onClose: (listener) => {
      if (open) listeners.push(listener);
      else listener();
    },
  });
  if (signal.aborted) close();
  return promise;
}
