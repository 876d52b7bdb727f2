// Many open event streams on raw sockets: opened a few at a time, then only listened to. `heard` is called with the
// number of the stream and the time as soon as a chunk with an event is there.
import type { Socket } from 'bun';
import { requestBytes } from './load.ts';
import { monotonicMs } from './monotonic.ts';
import type { Member } from './population.ts';

/** Connecting at once; a listener's queue of waiting connections is bounded. */
const OPENING = 100;
const EVENT = Buffer.from('data:');

interface Stream {
  readonly index: number;
  opened: boolean;
  readonly ready: () => void;
  readonly failed: (error: Error) => void;
}

export interface Streams {
  /** Called for each event, from now on. */
  listen(heard: (index: number, at_ms: number) => void): void;
  close(): void;
}

/** Asks for the stream of a member's inbox. */
export const subscription = ({ key }: Member): Buffer =>
  requestBytes('GET', '/api/inbox/stream', { 'X-API-Key': key, Accept: 'text/event-stream' });

/** Opens one stream for each request; resolves when all of them have answered 200. */
export async function openStreams(
  port: number,
  requests: readonly Uint8Array[],
  progress: (share: number) => void,
): Promise<Streams> {
  let heard: (index: number, at_ms: number) => void = () => {};
  const sockets: Socket<Stream>[] = [];
  const socket = {
    open: (s: Socket<Stream>) => {
      s.write(requests[s.data.index] ?? new Uint8Array());
    },
    data: (s: Socket<Stream>, chunk: Buffer) => {
      const now_ms = monotonicMs();
      const stream = s.data;
      if (stream.opened) {
        if (chunk.includes(EVENT)) heard(stream.index, now_ms);
        return;
      }
      stream.opened = true;
      if (chunk.toString('latin1', 0, 12) === 'HTTP/1.1 200') stream.ready();
      else stream.failed(new Error(`a stream was refused: ${chunk.toString('utf8', 0, 1_000)}`));
    },
    error: (s: Socket<Stream>, error: Error) => s.data.failed(error),
    close: (s: Socket<Stream>) => s.data.failed(new Error('a stream was closed')),
  };
  const opened = async (index: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const data: Stream = { index, opened: false, ready: resolve, failed: reject };
    sockets.push(await Bun.connect({ hostname: '127.0.0.1', port, socket, data }));
    await promise;
  };
  for (let first = 0; first < requests.length; first += OPENING) {
    progress(first / requests.length);
    const some = Math.min(OPENING, requests.length - first);
    await Promise.all(Array.from({ length: some }, (_, i) => opened(first + i)));
  }
  return {
    listen: (listener) => {
      heard = listener;
    },
    close: () => {
      for (const each of sockets) each.terminate();
    },
  };
}
