// Receivers as the internet has them, over real TLS on loopback: those that answer, redirect and refuse, and those that
// hang, drip, break off, never end, or show the wrong certificate. What a receiver does is the first part of the path.
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import net from 'node:net';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { type Identity, RECEIVERS } from './authority.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** By `performance.now()`. */
  readonly at_ms: number;
}

export interface Receiver {
  readonly port: number;
  /** Whole requests, oldest first. */
  readonly received: readonly Received[];
  /** Sockets accepted so far. */
  connections(): number;
  /** Bytes that a `huge` answer got rid of. */
  sent(): number;
  close(): Promise<void>;
}

const BLOCK = Buffer.alloc(65_536, 'x');
const HUGE_BYTES = 2 * 1024 ** 3;
const QUEUE_BYTES = 1_048_576;
const DRIP_MS = 20;

type Behaviour = (response: ServerResponse, socket: Socket, sent: (bytes: number) => void) => void;

/** Writes blocks as fast as they are taken, until `bytes` are out or nobody takes them. The turns between blocks are for
 * the client, which may live in the same process. */
function pour(socket: Socket, bytes: number, block: Buffer, sent: (bytes: number) => void): void {
  let left = bytes;
  const more = (): void => {
    if (left <= 0 || socket.destroyed) return;
    if (socket.writableLength < QUEUE_BYTES) {
      left -= block.length;
      sent(block.length);
      socket.write(block);
    }
    setImmediate(more);
  };
  more();
}

/** A byte every few milliseconds, as long as somebody listens. */
function drip(socket: Socket, head: string): void {
  socket.write(head);
  const timer = setInterval(() => socket.write('a'), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  hang: () => {},
  drip: (_response, socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'),
  'drip-slow': (_response, socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n'),
  'drip-head': (_response, socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: '),
  reset: (_response, socket) => void socket.destroy(),
  close: (_response, socket) => socket.end(),
  half: (_response, socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this'),
  most: (_response, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${BLOCK.length}\r\n\r\n`);
    socket.end(BLOCK.subarray(1));
  },
  garbage: (_response, socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  huge: (_response, socket, sent) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    pour(socket, HUGE_BYTES, Buffer.concat([Buffer.from('10000\r\n'), BLOCK, Buffer.from('\r\n')]), sent);
  },
  'huge-announced': (_response, socket, sent) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${HUGE_BYTES}\r\n\r\n`);
    pour(socket, HUGE_BYTES, BLOCK, sent);
  },
  'huge-head': (_response, socket, sent) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
    pour(socket, HUGE_BYTES, BLOCK, sent);
  },
  continues: (_response, socket, sent) =>
    pour(socket, HUGE_BYTES, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)), sent),
  upgrade: (_response, socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  bomb: (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(10 * 1024 ** 2)));
  },
  a2a: (response) => response.end('{"jsonrpc":"2.0","id":1,"result":{"kind":"message"}}'),
  'a2a-error': (response) => response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}'),
  // A zero byte, one that is no UTF-8, and letters of two bytes across the place where a log cuts.
  bytes: (response) =>
    response.writeHead(502).end(Buffer.concat([Buffer.from([0, 0xff]), Buffer.from(`<b>${'é'.repeat(1_000)}`)])),
  301: (response) => response.writeHead(301, { location: 'https://receivers.example/200' }).end(),
  204: (response) => response.writeHead(204).end(),
};

function answer(request: IncomingMessage, response: ServerResponse, sent: (bytes: number) => void): void {
  const [, what = ''] = /^\/([^/?]*)/.exec(request.url ?? '') ?? [];
  const behave = BEHAVIOURS[what];
  if (behave) behave(response, request.socket, sent);
  else
    response
      .writeHead(/^\d{3}$/.test(what) ? Number(what) : 404, { 'content-type': 'text/plain' })
      .end(`this is ${what}`);
}

/** Starts one on a free port of `host`, with the certificate of `identity`. */
export async function startReceiver(identity: Identity = RECEIVERS, host = '127.0.0.1', port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let bytes = 0;
  const server = https.createServer({ ...identity, keepAliveTimeout: 5_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString(), at_ms: performance.now() });
      answer(request, response, (count) => {
        bytes += count;
      });
    });
  });
  return { received, sent: () => bytes, ...(await openServer(server, host, port)) };
}

/** A listener that accepts and says nothing, so that not even TLS begins. */
export async function startSilentListener(host = '127.0.0.1', port = 0): Promise<Omit<Receiver, 'received' | 'sent'>> {
  return openServer(net.createServer(), host, port);
}

/** A listener that answers over TLS, first with one text, then with another without end; `sent` counts that one's bytes. */
export async function startEndlessListener(first: string, then: string): Promise<Omit<Receiver, 'received'>> {
  let sent = 0;
  const block = Buffer.from(then.repeat(Math.ceil(BLOCK.length / then.length)));
  const server = tls.createServer(RECEIVERS, (socket) => {
    socket.once('data', () => {
      socket.write(first);
      pour(socket, HUGE_BYTES, block, (bytes) => {
        sent += bytes;
      });
    });
  });
  return { ...(await openServer(server, '127.0.0.1', 0)), sent: () => sent };
}

/** A listener that answers over plain TCP: `head` so many times (for ever when null), then `rest`. */
export async function startInterimListener(
  head: string,
  times: number | null,
  rest = '',
): Promise<Omit<Receiver, 'received' | 'sent'>> {
  const answer = (socket: Socket): void => {
    if (times !== null) {
      socket.end(`${head.repeat(times)}${rest}`);
      return;
    }
    const many = head.repeat(1_000);
    const pump = (): void => {
      if (!socket.destroyed) socket.write(many, () => setImmediate(pump));
    };
    pump();
  };
  const server = net.createServer((socket) => void socket.once('data', () => answer(socket)));
  return openServer(server, '127.0.0.1', 0);
}

/** A listener that resets every connection. */
export async function startResettingListener(): Promise<Omit<Receiver, 'received' | 'sent'>> {
  return openServer(
    net.createServer((socket) => void socket.resetAndDestroy()),
    '127.0.0.1',
    0,
  );
}

async function openServer(
  server: Server,
  host: string,
  port: number,
): Promise<{ port: number; connections(): number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => listening());
  });
  // A listening TCP server always has an address with a port.
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    connections: () => connections,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
