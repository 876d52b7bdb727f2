// The updates of a task as the door reads them: `task.follow` writes server-sent events, which are rewritten in the dialect of
// whoever asked, or only waited for.
import type { Deadlines } from '../../../actors/deadlines.ts';
import type { StreamSink } from '../../contract/operation.ts';
import type { TaskUpdate } from './values.ts';

/** A send that waits; called when its time is over. */
export type Wait = () => void;

/** What comes of the events in a chunk; the rest of it begins one whose end is still to come. */
function readEvents(chunk: string): { readonly updates: readonly TaskUpdate[]; readonly rest: string } {
  const events = chunk.split('\n\n');
  const rest = events.pop() ?? '';
  const updates = events.flatMap((event) => {
    const data = event.split('\n').find((line) => line.startsWith('data: '));
    // It was written by the operation.
    return data === undefined ? [] : [JSON.parse(data.slice('data: '.length)) as TaskUpdate];
  });
  return { updates, rest };
}

/** The sink of a stream of updates, each of which goes on as `write` makes it. */
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
  /** The instant at which the wait is over. */
  readonly until: number;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

const hasAnswer = ({ final, state }: TaskUpdate): boolean => final || state === 'input_required';

/** Resolves when an update answers or asks back, the stream ends, the time is over or the caller has gone; then nothing of the
 * wait is left. */
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
