// The load client: keep-alive HTTP/1.1 over raw sockets, requests made beforehand, answers read by Content-Length.
// fetch would cost more than the servers that are measured. Any answer that is not 2xx fails the run.
import type { Socket } from 'bun';
import { cpuTime } from './process-figures.ts';
import { percentile } from './statistics.ts';

/** Gives the bytes of the next request; they may be overwritten once they were written to a socket. */
export type Requests = () => Uint8Array;

export interface Target {
  readonly port: number;
  readonly pid: number;
}

/** One contender's figures in one round. */
export interface Sample {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Of the server process, per request. */
  readonly cpu_us: number;
  /** How busy the server's core was: below 0.9 the client or the disk was what held it up. */
  readonly busy: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const REPLAYED = '\r\nIdempotent-Replayed: true';

/** The Content-Length of an answer's head. */
function lengthOf(head: string): number {
  const found = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (found === undefined) throw new Error(`an answer without a length: ${head.slice(0, 200)}`);
  return Number(found);
}

/** Cuts answers out of the bytes of one connection. */
export class Answers {
  #rest: Buffer = Buffer.alloc(0);

  /** Whether these bytes end an answer; there is never more than one under way. */
  ends(chunk: Buffer): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const head_end = bytes.indexOf(HEAD_END);
    if (head_end >= 0) {
      const head = bytes.toString('latin1', 0, head_end);
      const end = head_end + HEAD_END.length + lengthOf(head);
      if (head.charCodeAt(9) !== 0x32 && bytes.length >= end) {
        throw new Error(`a request was refused: ${bytes.toString('utf8', 0, 1_000)}`);
      }
      // Nothing is written for it: what was meant to be measured was not.
      if (head.includes(REPLAYED)) throw new Error('an answer was replayed: its Idempotency-Key was sent before');
      if (bytes.length === end) {
        this.#rest = Buffer.alloc(0);
        return true;
      }
    }
    this.#rest = bytes === chunk ? Buffer.from(chunk) : bytes;
    return false;
  }
}

interface Connection {
  readonly answers: Answers;
  unsent: Uint8Array | null;
  started_ms: number;
}

function send(socket: Socket<Connection>, bytes: Uint8Array): void {
  const written = socket.write(bytes);
  // The caller may reuse the bytes, so what the kernel did not take is copied.
  socket.data.unsent = written < bytes.length ? bytes.slice(Math.max(0, written)) : null;
}

/** Loads a server over so many connections, for a time and at least so many requests; the latencies are of single
 * requests, in milliseconds. */
export async function timed(
  port: number,
  connections: number,
  window_ms: number,
  requests: Requests,
  least: number,
): Promise<number[]> {
  const latencies: number[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ends_ms = performance.now() + window_ms;
  let open = connections;
  let sent = 0;
  const leave = (socket: Socket<Connection>): void => {
    socket.end();
    open -= 1;
    if (open === 0) resolve();
  };
  const next = (socket: Socket<Connection>, now_ms: number): void => {
    socket.data.started_ms = now_ms;
    sent += 1;
    send(socket, requests());
  };
  const socket = {
    open: (s: Socket<Connection>) => next(s, performance.now()),
    drain: (s: Socket<Connection>) => {
      if (s.data.unsent) send(s, s.data.unsent);
    },
    data: (s: Socket<Connection>, chunk: Buffer) => {
      try {
        if (!s.data.answers.ends(chunk)) return;
      } catch (error) {
        reject(error);
        s.terminate();
        return;
      }
      const now_ms = performance.now();
      latencies.push(now_ms - s.data.started_ms);
      if (now_ms < ends_ms || sent < least) next(s, now_ms);
      else leave(s);
    },
    error: (_: Socket<Connection>, error: Error) => reject(error),
    close: (s: Socket<Connection>) => {
      if (performance.now() < ends_ms || sent < least) reject(new Error('the server closed a connection'));
      s.data.unsent = null;
    },
  };
  for (let i = 0; i < connections; i++) {
    const data: Connection = { answers: new Answers(), unsent: null, started_ms: 0 };
    Bun.connect({ hostname: '127.0.0.1', port, socket, data }).catch(reject);
  }
  await promise;
  return latencies;
}

/** Loads a server and sums up what was seen. */
export async function load(
  target: Target,
  connections: number,
  window_ms: number,
  requests: Requests,
  least = 0,
): Promise<Sample> {
  const cpu_before = cpuTime(target.pid);
  const started_ms = performance.now();
  const latencies = await timed(target.port, connections, window_ms, requests, least);
  const elapsed_ms = performance.now() - started_ms;
  const cpu_us = cpuTime(target.pid) - cpu_before;
  return {
    per_second: (latencies.length / elapsed_ms) * 1_000,
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    cpu_us: cpu_us / latencies.length,
    busy: cpu_us / 1_000 / elapsed_ms,
  };
}

/** The bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** Takes the requests of a list in turn. */
export function inTurn(list: readonly Uint8Array[]): Requests {
  let next = 0;
  return () => {
    const bytes = list[next];
    if (!bytes) throw new Error('there is no request to send');
    next = (next + 1) % list.length;
    return bytes;
  };
}

const STAMP = 'idempotency-key-0000000000';
const STAMP_DIGITS = 10;

/** The header value that `stamped` makes new in each request. */
export const STAMPED_KEY = STAMP;

/** Takes the requests in turn, and gives each a new Idempotency-Key where STAMPED_KEY stands in it. */
export function stamped(list: readonly Buffer[]): Requests {
  const take = inTurn(list);
  const at = new Map<Uint8Array, number>(list.map((bytes) => [bytes, bytes.indexOf(STAMP) + STAMP.length]));
  let n = 0;
  return () => {
    const bytes = take();
    n += 1;
    let rest = n;
    const end = at.get(bytes) ?? 0;
    for (let i = 1; i <= STAMP_DIGITS; i++) {
      bytes[end - i] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    return bytes;
  };
}
