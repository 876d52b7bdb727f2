// One request to one checked address and its answer. The other server is untrusted: its certificate is verified against the
// name, its redirects are not followed, its bytes are counted, and every failure of the connection has one of a few
// reasons.
import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';

/** Of an answer's header; no receiver needs more. */
const HEAD_BYTES_MAX = 16_384;

/** Of interim answers (1xx) before the final one; a proxy or two send one each. Without a limit they would bypass the byte
 * cap, and their parsing would block the event loop. */
const INTERIM_MAX = 8;

/** The raw bytes per byte of a body: sent alone, it is a chunk of six. More are chunk extensions, zeros before a chunk's size or
 * line ends before a header, all of which can be endless. */
const CHUNK_BYTES_MAX = 6;

/** The limit of a body's pieces, and above it their least average size. Every piece costs two microseconds, and one read of the
 * socket holds half a mebibyte: in pieces of one byte it would block the event loop for a fifth of a second. */
const PIECES_MAX = 2_048;
const PIECE_BYTES = 64;

/** How long a body that may be cut is waited for after the headers. */
const CUT_MS = 500;

/** Of a raw answer: all its headers, its trailers, and its body. */
const rawBytesMax = (bytes_max: number): number => HEAD_BYTES_MAX * (INTERIM_MAX + 2) + CHUNK_BYTES_MAX * bytes_max;

/** The target: the address is dialled, the host is named in TLS and in the Host header. */
export interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  readonly address: string;
  /** Certificate authorities in place of the system's; only for tests. */
  readonly ca: string | undefined;
  /** The most connections at a time, if other than the default. */
  readonly sockets?: number | undefined;
}

export interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly bytes_max: number;
  /** The status is the answer, with as much of the body (at most `bytes_max`) as arrives whole or within half a second. */
  readonly cut?: boolean | undefined;
}

export interface Exchanged {
  readonly ok: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Broken {
  readonly ok: false;
  readonly reason: 'too_large' | 'tls' | 'reset';
  readonly message: string;
  /** The status, when only the body failed. */
  readonly status: number | null;
  /** Nothing was sent yet, so another address may be tried. */
  readonly unsent: boolean;
  /** A kept connection that the other side had closed meanwhile; a fresh one may be tried. */
  readonly stale: boolean;
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/;

function headersOf(message: http.IncomingMessage): Record<string, string> {
  const entries = Object.entries(message.headers).map(([name, value]) => [name, String(value ?? '')] as const);
  return Object.fromEntries(entries);
}

/** The headers that callers cannot set. */
function headersFor({ secure, host, port }: Target, { headers, body }: Wanted): Record<string, string> {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return {
    'user-agent': 'Meshwork/0.1',
    ...headers,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    // A compressed answer could grow a thousandfold after it was counted.
    'accept-encoding': 'identity',
    host: port === (secure ? 443 : 80) ? name : `${name}:${port}`,
  };
}

function optionsFor(target: Target, wanted: Wanted, agent: http.Agent | false): https.RequestOptions {
  const { secure, host, address, port, ca } = target;
  return {
    host: address,
    port,
    method: wanted.method,
    path: wanted.path,
    headers: headersFor(target, wanted),
    agent,
    maxHeaderSize: HEAD_BYTES_MAX,
    // Explicit, so that no environment variable disables the check.
    ...(secure && { rejectUnauthorized: true, ca, ...(isIP(host) === 0 && { servername: host }) }),
  };
}

/** The request, or why it cannot be made: a header or the path holds characters that HTTP does not allow. */
function begin(target: Target, wanted: Wanted, agent: http.Agent | false): http.ClientRequest | Broken {
  try {
    return (target.secure ? https : http).request(optionsFor(target, wanted, agent));
  } catch (error) {
    const message = `The request cannot be sent (${codeOf(error)}).`;
    return { ok: false, reason: 'reset', message, status: null, unsent: true, stale: false };
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

/** The sockets that have been connected, with TLS where it is wanted. Between two requests an agent may keep one, or give it at
 * once to the next that waits, which does not set `reusedSocket`. */
const connected = new WeakSet<Socket>();

/** Tells when the request has a connection, and whether others used it before. */
function whenConnected(request: http.ClientRequest, { secure }: Target, then: (reused: boolean) => void): void {
  request.on('socket', (socket) => {
    if (request.reusedSocket || connected.has(socket)) then(true);
    else
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        connected.add(socket);
        then(false);
      });
  });
}

/** An answer that has no body, whatever its headers say and whatever follows. */
const isBodiless = ({ method }: Wanted, status: number): boolean =>
  method === 'HEAD' || status === 204 || status === 304;

type Break = (reason: Broken['reason'], message: string) => void;

/** Bounds the raw bytes of a connection, independent of the parser; the returned function ends the watch. */
function watch(request: http.ClientRequest, { bytes_max }: Wanted, broken: Break): () => void {
  let raw_bytes = 0;
  let interim = 0;
  // Counted on arrival, because the parser swallows some bytes silently.
  const weigh = (bytes: Uint8Array): void => {
    raw_bytes += bytes.byteLength;
    if (raw_bytes > rawBytesMax(bytes_max)) broken('too_large', 'What came is far longer than the answer in it.');
  };
  request.on('socket', (socket) => socket.on('data', weigh));
  request.on('information', () => {
    interim += 1;
    if (interim > INTERIM_MAX) broken('too_large', `More than ${INTERIM_MAX} interim answers came before the answer.`);
  });
  return () => request.socket?.off('data', weigh);
}

/** Sends the request; never rejects. When `signal`, which is not aborted yet, aborts, the connection is torn down at once. */
export function exchange(
  target: Target,
  wanted: Wanted,
  agent: http.Agent | false,
  signal: AbortSignal,
): Promise<Exchanged | Broken> {
  const request = begin(target, wanted, agent);
  if ('ok' in request) return Promise.resolve(request);
  return new Promise((resolve) => {
    let kept = false;
    let sent = false;
    let ended = false;
    let status: number | null = null;
    /** Ends with what came so far, where that is an answer. */
    let cutNow: (() => void) | null = null;
    const end = (outcome: Exchanged | Broken): void => {
      ended = true;
      unwatch();
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    const broken: Break = (reason, message) => {
      // After a whole answer the connection is back in its pool and must not be destroyed.
      if (ended) return;
      if (cutNow) return cutNow();
      const stale = reason === 'reset' && status === null && kept;
      end({ ok: false, reason, message, status, unsent: !sent, stale });
      request.destroy();
    };
    const unwatch = watch(request, wanted, broken);
    const failed = (error: Error): void => {
      const code = codeOf(error);
      if (TLS_CODE.test(code)) broken('tls', `The certificate or the TLS handshake did not pass (${code}).`);
      else broken('reset', `The connection broke (${code}).`);
    };
    const stop = (): void => broken('reset', 'The call was given up.');
    signal.addEventListener('abort', stop, { once: true });
    whenConnected(request, target, (reused) => {
      [sent, kept] = [true, reused];
    });
    request.on('error', failed);
    request.on('close', () => broken('reset', 'The connection was closed without an answer.'));
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      // No upgrade was requested, and another protocol's stream has no end.
      if (status === 101) {
        broken('reset', 'The connection was switched to another protocol.');
        return;
      }
      const answer = { status, headers: headersOf(response) };
      const done = (body: Uint8Array): void => end({ ok: true, ...answer, body });
      if (isBodiless(wanted, status)) cutNow = withoutBody(response, done);
      if (wanted.cut) cutNow = glance(response, wanted.bytes_max, done);
      else gather(response, wanted, broken, done);
    });
    request.end(wanted.body);
  });
}

/** Ends an answer that has no body, whatever follows it. */
function withoutBody(response: http.IncomingMessage, done: (body: Uint8Array) => void): () => void {
  return () => {
    done(new Uint8Array());
    response.destroy();
  };
}

/** Gathers the start of a body; the returned function ends it early. A body that is too long, too slow or broken ends its
 * connection, which cannot be kept. */
function glance(response: http.IncomingMessage, bytes_max: number, done: (body: Uint8Array) => void): () => void {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const finish = (whole = false): void => {
    clearTimeout(timer);
    response.off('data', take);
    done(Buffer.concat(chunks).subarray(0, bytes_max));
    if (!whole) response.destroy();
  };
  const take = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    chunks.push(chunk);
    if (bytes > bytes_max || chunks.length > PIECES_MAX) finish();
  };
  const timer = setTimeout(() => finish(), CUT_MS);
  response.on('data', take);
  response.on('error', () => finish());
  response.on('end', () => finish(response.complete));
  return finish;
}

/** Gathers the body up to its limit. */
function gather(response: http.IncomingMessage, wanted: Wanted, broken: Break, done: (body: Uint8Array) => void): void {
  const { bytes_max } = wanted;
  const tooLarge = (): void => broken('too_large', `The answer is longer than ${bytes_max} bytes.`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const bodiless = isBodiless(wanted, response.statusCode ?? 0);
  const announced = bodiless ? 0 : Number(response.headers['content-length'] ?? 0);
  if (announced > bytes_max) {
    tooLarge();
    return;
  }
  const take = (chunk: Uint8Array): void => {
    bytes += chunk.byteLength;
    chunks.push(chunk);
    const crumbled = chunks.length > PIECES_MAX + bytes / PIECE_BYTES;
    if (bytes <= bytes_max && !crumbled) return;
    // Data that was already read from the connection is ignored.
    response.off('data', take);
    if (crumbled) broken('too_large', 'The answer came in too many small pieces.');
    else tooLarge();
  };
  response.on('data', take);
  response.on('error', () => broken('reset', 'The connection broke within the answer.'));
  response.on('end', () => {
    // The length is checked too, because an early end of the connection can look like the end of the answer.
    if (response.complete && bytes >= announced) done(Buffer.concat(chunks));
    else broken('reset', 'The connection broke within the answer.');
  });
}
