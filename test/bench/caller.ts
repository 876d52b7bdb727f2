// One keep-alive connection for single requests: what lies between `sent_ms` and the server is one write to a socket.
import { Answers } from './load.ts';
import { monotonicMs } from './monotonic.ts';

export interface Caller {
  /** Sends a request at once; `answered` rejects unless the answer is 2xx. One at a time. */
  call(request: Uint8Array): { readonly sent_ms: number; readonly answered: Promise<void> };
  close(): void;
}

/** Connects to a server on loopback. */
export async function connectCaller(port: number): Promise<Caller> {
  const answers = new Answers();
  let waiting: PromiseWithResolvers<void> | null = null;
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, chunk: Buffer) => {
        try {
          if (answers.ends(chunk)) waiting?.resolve();
        } catch (error) {
          waiting?.reject(error);
        }
      },
      close: () => waiting?.reject(new Error('the server closed the connection')),
    },
  });
  return {
    call: (request) => {
      const next = Promise.withResolvers<void>();
      waiting = next;
      const sent_ms = monotonicMs();
      if (socket.write(request) !== request.length) throw new Error('a small request did not fit the socket');
      return { sent_ms, answered: next.promise };
    },
    close: () => {
      waiting = null;
      socket.end();
    },
  };
}
