// Server-sent events on real sockets: the first byte, readers that do not read, and ends of every kind.
import { afterEach, expect, jest, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import type { StreamSink } from '../../src/contract/operation.ts';
import { closeStreams, openStream, openStreams } from '../../src/transports/sse.ts';

interface Client {
  readonly socket: Socket;
  readonly sink: StreamSink;
  /** What arrived so far, head and all. */
  text(): string;
  /** Resolves when that much text holds a piece. */
  until(piece: string): Promise<void>;
  readonly closed: Promise<void>;
  /** How often the stream's end was told. */
  ends(): number;
}

const servers: ReturnType<typeof Bun.serve>[] = [];
afterEach(async () => {
  closeStreams();
  for (const server of servers.splice(0)) await server.stop(true);
});

/** One raw connection with an open stream on it. */
async function client(): Promise<Client> {
  const opened = Promise.withResolvers<StreamSink>();
  let ended = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) =>
      openStream(
        request,
        (sink) => {
          sink.onClose(() => {
            ended += 1;
          });
          opened.resolve(sink);
        },
        { 'X-Request-Id': 'r1' },
      ),
  });
  servers.push(server);
  const socket = connect(server.port ?? 0, '127.0.0.1');
  const closed = Promise.withResolvers<void>();
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  socket.on('error', () => {});
  socket.on('close', () => closed.resolve());
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const until = async (piece: string): Promise<void> => {
    while (!text.includes(piece)) await new Promise((resolve) => socket.once('data', resolve));
  };
  await until(': open\n\n');
  return { socket, sink: await opened.promise, text: () => text, until, closed: closed.promise, ends: () => ended };
}

/** Writes until the reader's socket is full and something is queued here, still below what would cut it. */
async function stall(sink: StreamSink): Promise<void> {
  for (let free = true; free; ) {
    if (!sink.write(`data: ${'y'.repeat(16_000)}\n\n`)) throw new Error('the stream ended before its reader was full');
    const drained = sink.waitForDrain().then(() => true);
    free = await Promise.race([drained, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
  }
}

/** Writes until the sink says that it is over; answers how many bytes it took. */
async function flood(sink: StreamSink, chunk: string, most: number): Promise<number> {
  let taken = 0;
  while (taken < most && sink.write(chunk)) {
    taken += chunk.length;
    // The socket is written to between turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return taken;
}

test('the head leaves at once, before any event', async () => {
  const { text } = await client();
  expect(text()).toStartWith('HTTP/1.1 200 OK\r\n');
  expect(text().toLowerCase()).toContain('content-type: text/event-stream; charset=utf-8\r\n');
  expect(text().toLowerCase()).toContain('x-request-id: r1\r\n');
});

test('an event arrives whole, and letters of every script as they were', async () => {
  const { sink, until } = await client();
  sink.write('id: 1\ndata: "Grüße 👋🏽 𝔘"\n\n');
  await until('id: 1\ndata: "Grüße 👋🏽 𝔘"\n\n');
});

test('a reader that does not read is cut once 1 MiB is queued, whatever the kernel took before', async () => {
  const { socket, sink, closed, ends } = await client();
  socket.pause();
  const chunk = `data: ${'x'.repeat(16_000)}\n\n`;
  const taken = await flood(sink, chunk, 64 * 1_048_576);
  expect(taken).toBeLessThan(64 * 1_048_576);
  expect(taken).toBeGreaterThan(1_048_576);
  expect([ends(), sink.write('more'), openStreams()]).toEqual([1, false, 0]);
  socket.resume();
  await closed;
});

test('one that pauses and then takes all is not cut', async () => {
  const { socket, sink, ends } = await client();
  for (let round = 0; round < 3; round++) {
    socket.pause();
    await stall(sink);
    socket.resume();
    await sink.waitForDrain();
  }
  expect([ends(), sink.write('x')]).toEqual([0, true]);
});

test('a reader that goes away is cleaned up after once', async () => {
  const { socket, sink, ends } = await client();
  const gone = new Promise<void>((resolve) => sink.onClose(resolve));
  socket.destroy();
  await gone;
  sink.close();
  expect([ends(), sink.write('x'), openStreams()]).toEqual([1, false, 0]);
});

test('a stream that the server ends arrives to its end, and the connection with it', async () => {
  const { sink, closed, text, ends } = await client();
  sink.write('id: 9\ndata: last\n\n');
  closeStreams();
  await servers[0]?.stop();
  await closed;
  expect([ends(), text().endsWith('id: 9\ndata: last\n\n\r\n0\r\n\r\n')]).toEqual([1, true]);
});

test('stopping does not wait for a reader that does not read', async () => {
  const { socket, sink } = await client();
  socket.pause();
  await stall(sink);
  closeStreams();
  await servers[0]?.stop();
  expect(openStreams()).toBe(0);
});

test('every 25 seconds there is a comment, and a reader that took nothing since two of them is cut', async () => {
  jest.useFakeTimers({ now: Date.now() });
  try {
    const [idle, stuck] = [await client(), await client()];
    jest.advanceTimersByTime(24_900);
    expect(idle.text()).not.toContain('keep-alive');
    jest.advanceTimersByTime(200);
    await idle.until(': keep-alive\n\n');
    stuck.socket.pause();
    await stall(stuck.sink);
    jest.advanceTimersByTime(50_000);
    expect([stuck.ends(), idle.ends()]).toEqual([0, 0]);
    jest.advanceTimersByTime(25_000);
    expect([stuck.ends(), idle.ends()]).toEqual([1, 0]);
  } finally {
    jest.useRealTimers();
  }
});
