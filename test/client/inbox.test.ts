// The inbox of meshwork-client over streams that are cut, repeated, silent, refused or no streams at all: each event once, in
// order, until the reader ends it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { EventParser } from '../../src/client/events.ts';
import { installedClient } from '../support/client-package.ts';
import type { Json } from '../support/rest-client.ts';

let MeshworkClient: Json;
beforeAll(async () => {
  const at = join(await installedClient(), 'node_modules/meshwork-client/esm/package.js');
  ({ MeshworkClient } = await import(at));
}, 600_000);

const open: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
});

const event = (seq: number, epoch?: number): object => ({ id: `e${seq}`, seq, epoch, kind: 'test.ping', data: {} });
const sse = (seq: number, epoch?: number): string =>
  `id: ${seq}\nevent: test.ping\ndata: ${JSON.stringify(event(seq, epoch))}\n\n`;
/** What an inbox says to whoever has more than it holds. */
const RESET = { epoch: 2, reset: true, reset_after: 7 };

type Connection = (response: ServerResponse, after: number) => void;

interface Inbox {
  readonly url: string;
  /** What each stream was asked for after, and each pull. */
  readonly streams: number[];
  readonly pulls: string[];
}

/** An inbox of ten events; its streams go as they are told, one after the other, the last way again and again. */
async function inboxOf(...ways: readonly Connection[]): Promise<Inbox> {
  const [streams, pulls]: [number[], string[]] = [[], []];
  const answer = ({ url = '', headers }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const after = Number(headers['last-event-id'] ?? searchParams.get('after'));
    if (pathname.endsWith('/stream')) {
      streams.push(after);
      ways[Math.min(streams.length, ways.length) - 1]?.(response, after);
      return;
    }
    pulls.push(searchParams.toString());
    const events = Array.from({ length: Math.max(0, Math.min(10 - after, 2)) }, (_, at) => event(after + 1 + at));
    const beyond = after > 10 ? RESET : {};
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ events, cursor: after + events.length, has_more: after + 2 < 6, ...beyond }));
  };
  const server = createServer(answer);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, streams, pulls };
}

const begins = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
/** Sends some events, then what a server or the network does. */
const sends =
  (seqs: readonly number[], then: (response: ServerResponse) => void = () => undefined): Connection =>
  (response) => {
    begins(response).write(`: open\n\n${seqs.map((seq) => sse(seq)).join('')}`, () => then(response));
  };
const rest: Connection = (response, after) => {
  const seqs = Array.from({ length: 10 - after }, (_, at) => after + 1 + at);
  sends(seqs)(response, after);
};
const refuses =
  (status: number, error: string): Connection =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' });
    response.end(JSON.stringify({ error, message: error }));
  };

/** The seqs that a client reads until the tenth event. */
async function read({ url }: Inbox, options: object = {}): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of new MeshworkClient({ url, api_key: 'k' }).inbox(options)) {
    seqs.push(seq);
    if (seq === 10) break;
  }
  return seqs;
}
const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

describe('every event comes once and in order', () => {
  test('over a connection that is cut in the middle of an event', async () => {
    const cut: Connection = (response) => begins(response).end(`${sse(1)}${sse(2)}${sse(3).slice(0, 30)}`);
    const server = await inboxOf(cut, rest);
    expect(await read(server)).toEqual(ALL);
    expect(server.streams).toEqual([0, 2]);
  });

  test('over a server that ends its streams, and one that repeats what was sent', async () => {
    const server = await inboxOf(
      sends([1, 2], (response) => response.end()),
      sends([1, 2, 3], (response) => response.end()),
      rest,
    );
    expect(await read(server)).toEqual(ALL);
    expect(server.streams).toEqual([0, 2, 3]);
  });

  test('after the seq that the reader has', async () => {
    const server = await inboxOf(rest);
    expect(await read(server, { after: 7 })).toEqual([8, 9, 10]);
    expect(server.streams).toEqual([7]);
  });

  test('pulled, with nothing marked as read, where there is no place for a stream', async () => {
    const server = await inboxOf(refuses(503, 'stream_unavailable'), rest);
    expect(await read(server)).toEqual(ALL);
    expect(server.pulls).toEqual([0, 2, 4].map((after) => `after=${after}&limit=100&peek=true`));
    expect(server.streams).toEqual([0, 6]);
  });

  test('pulled, where something on the way makes a page of the stream', async () => {
    const page: Connection = (response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end('<html>');
    };
    const server = await inboxOf(page, rest);
    expect(await read(server)).toEqual(ALL);
    expect(server.pulls).toHaveLength(3);
  });

  test('over a connection that falls silent, or never says anything', async () => {
    const server = await inboxOf(sends([1, 2]), () => undefined, rest);
    expect(await read(server, { silence_max_ms: 40 })).toEqual(ALL);
    expect(server.streams.length).toBeGreaterThanOrEqual(3);
  });

  test('over a stream that sends what is no event', async () => {
    const odd: Connection = (response) => begins(response).end(`${sse(1)}data: {"seq": "2"}\n\n`);
    expect(await read(await inboxOf(odd, rest))).toEqual(ALL);
  });
});

test('where the events after its place were deleted it goes on with the first that is kept', async () => {
  const oldest = `id: 7\nevent: oldest\ndata: ${JSON.stringify({ oldest_seq: 8, epoch: 1 })}\n\n`;
  const server = await inboxOf((response) => begins(response).end(`${oldest}${sse(8, 1)}`), rest);
  expect(await read(server, { after: 2 })).toEqual([8, 9, 10]);
  expect(server.streams).toEqual([2, 8]);
});

describe('after a restore of the service it goes on with what came since, and says so', () => {
  const told: unknown[] = [];
  const options = { on_reset: (reset: unknown) => told.push(reset) };
  const restored = [{ epoch: 2, reset_after: 7 }];
  beforeEach(() => told.splice(0));

  test('where the stream says that the reader has more than there is', async () => {
    const server = await inboxOf((response) => {
      const reset = `id: 7\nevent: reset\ndata: ${JSON.stringify(RESET)}\n\n`;
      begins(response).end(`${reset}${sse(8, 2)}`);
    }, rest);
    expect(await read(server, { ...options, after: 40 })).toEqual([8, 9, 10]);
    expect([server.streams, told]).toEqual([[40, 8], restored]);
  });

  test('where an event is of a later epoch than the one before, or than the reader names', async () => {
    const since: Connection = (response) => begins(response).end([8, 9, 10].map((seq) => sse(seq, 2)).join(''));
    const one = await inboxOf(
      (response) => begins(response).end(sse(1, 1)),
      (response) => begins(response).end(sse(9, 2)),
      since,
    );
    expect(await read(one, options)).toEqual([1, 8, 9, 10]);
    expect([one.streams, told]).toEqual([[0, 1, 7], restored]);
    told.splice(0);
    const named = await inboxOf((response) => begins(response).write(sse(9, 2)), since);
    expect(await read(named, { ...options, after: 8, epoch: 1 })).toEqual([8, 9, 10]);
    expect([named.streams, told]).toEqual([[8, 7], restored]);
  });

  test('where it is pulled', async () => {
    const server = await inboxOf(refuses(503, 'stream_unavailable'), rest);
    expect(await read(server, { ...options, after: 40 })).toEqual([8, 9, 10]);
    expect(told).toEqual(restored);
  });
});

describe('it ends', () => {
  test('quietly when its signal fires, and leaves no connection', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await inboxOf((response, after) => {
      response.on('close', () => closed.resolve());
      sends([1])(response, after);
    });
    const ending = new AbortController();
    const seen: number[] = [];
    const { signal } = ending;
    await new MeshworkClient({ url: server.url }).inbox({ signal }).run({
      'test.ping': ({ seq }: Json) => {
        seen.push(seq);
        ending.abort();
      },
    });
    expect(seen).toEqual([1]);
    await closed.promise;
    expect(server.streams).toEqual([0]);
  });

  test('when its reader leaves the loop: the server loses the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await inboxOf((response, after) => {
      response.on('close', () => closed.resolve());
      rest(response, after);
    });
    expect(await read(server)).toEqual(ALL);
    await closed.promise;
  });

  test.each([
    [401, 'unauthorized'],
    [403, 'insufficient_scope'],
    [400, 'agent_required'],
  ])('with what only its reader can mend: %d %s', async (status, error) => {
    const server = await inboxOf(refuses(status, error));
    const told = await read(server).catch((thrown: unknown) => thrown);
    expect(told).toMatchObject({ name: 'MeshworkError', code: error, status });
    expect(server.streams).toEqual([0]);
  });

  test('with what a handler throws', async () => {
    const server = await inboxOf(rest);
    const run = new MeshworkClient({ url: server.url }).inbox().run({
      other: () => {
        throw new Error('mine');
      },
    });
    expect(await run.catch((thrown: Error) => thrown.message)).toBe('mine');
  });
});

test('another stream is resumed by the last id, and gives its data parsed', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers['last-event-id'] as string | undefined);
    const id = `a:${asked.length}`;
    begins(response).end(`id: ${id}\nevent: notification\ndata: {"title": "Hello"}\n\n`);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const seen: unknown[] = [];
  for await (const message of new MeshworkClient({ url: `http://127.0.0.1:${port}` }).notification.stream()) {
    seen.push(message);
    if (seen.length === 2) break;
  }
  expect(seen).toEqual(['a:1', 'a:2'].map((id) => ({ id, event: 'notification', data: { title: 'Hello' } })));
  expect(asked).toEqual([undefined, 'a:1']);
});

test('another stream that is cut before its first event comes back with the id that it began with', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers['last-event-id'] as string | undefined);
    // The id of an event that is cut in the middle is no place to come back to: the event would be lost.
    const cut = 'id: a:8\nevent: notification\ndata: {"ti';
    const whole = `id: a:8\nevent: notification\ndata: {"title": "Hello"}\n\n`;
    begins(response).end(asked.length === 1 ? `id: a:7\n\n${cut}` : whole);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  for await (const { id } of new MeshworkClient({ url: `http://127.0.0.1:${port}` }).notification.stream()) {
    expect(id).toBe('a:8');
    break;
  }
  expect(asked).toEqual([undefined, 'a:7']);
});

describe('server-sent events', () => {
  const TEXT =
    ': hi\r\n\r\nid: 1\rdata: one\rdata:two\r\revent: x\nid\ndata\n\ndata: é€\u{1F4AC}\n\nid: 9\ndata: unfinished';

  test('are read alike however their bytes are cut', () => {
    const bytes = new TextEncoder().encode(TEXT);
    const expected = [
      { id: '1', event: 'message', data: 'one\ntwo' },
      { id: '', event: 'x', data: '' },
      { id: '', event: 'message', data: 'é€\u{1F4AC}' },
    ];
    for (let size = 1; size <= bytes.length; size++) {
      const parser = new EventParser();
      const found = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...parser.take(bytes.subarray(at, at + size)));
      expect([size, found]).toEqual([size, expected]);
    }
  });

  test('without an end are given up, in one line or in many', () => {
    for (const line of ['data: '.padEnd(65_536, 'x'), `data: ${'x'.repeat(65_000)}\n`]) {
      const parser = new EventParser();
      const chunk = new TextEncoder().encode(line);
      expect(() => {
        for (let at = 0; at < 200; at++) parser.take(chunk);
      }).toThrow(RangeError);
    }
  });
});
