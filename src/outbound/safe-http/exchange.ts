// One request on a connection and its answer; every failure has one of a few reasons. Redirects are not followed.
import { isIP } from 'node:net';
import { AnswerReader } from './answer.ts';
import type { Connection, Target } from './connection.ts';

/** How long a body that may be cut is waited for after the headers. */
const CUT_MS = 500;

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
/** A field that can be sent as it is (RFC 9110, 5.5). */
const FIELD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\t\x20-\x7e\x80-\xff]*$/;

/** The headers that callers cannot set. */
function headersFor({ secure, host, port }: Target, { method, headers, body }: Wanted): Record<string, string> {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const bodiless = body === undefined && (method === 'GET' || method === 'HEAD' || method === 'DELETE');
  return {
    'user-agent': 'Meshwork/0.1',
    ...headers,
    ...(!bodiless && { 'content-length': String(Buffer.byteLength(body ?? '')) }),
    // A compressed answer could grow a thousandfold after it was counted.
    'accept-encoding': 'identity',
    connection: 'keep-alive',
    host: port === (secure ? 443 : 80) ? name : `${name}:${port}`,
  };
}

/** The bytes of a request; null where a header holds what cannot be sent. */
function requestBytes(target: Target, wanted: Wanted): Buffer | null {
  const fields = Object.entries(headersFor(target, wanted)).map(([name, value]) => `${name}: ${value}`);
  if (!fields.every((field) => FIELD.test(field))) return null;
  const head = `${wanted.method} ${wanted.path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(wanted.body ?? '')]);
}

function undone(message: string): Broken {
  return { ok: false, reason: 'reset', message, status: null, unsent: true, stale: false };
}

/** Of a call that was given up before anything was sent. */
export const GIVEN_UP = undone('The call was given up.');
const UNSENDABLE = undone('A header of the call holds what cannot be sent.');

/** Why the end of a connection left no whole answer. */
function failureOf(error: Error | null, has_begun: boolean): [reason: Broken['reason'], message: string] {
  if (!error && has_begun) return ['reset', 'The connection broke within the answer.'];
  if (!error) return ['reset', 'The connection was closed without an answer.'];
  const code = 'code' in error ? String(error.code) : error.message;
  if (TLS_CODE.test(code)) return ['tls', `The certificate or the TLS handshake did not pass (${code}).`];
  return ['reset', `The connection broke (${code}).`];
}

/** Sends the request; never rejects. When `signal` aborts, the connection is torn down at once. */
export function exchange(
  connection: Connection,
  target: Target,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Exchanged | Broken> {
  const request = requestBytes(target, wanted);
  const reader = new AnswerReader(wanted);
  const { used } = connection;
  const { promise, resolve } = Promise.withResolvers<Exchanged | Broken>();
  let sent = used;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (outcome: Exchanged | Broken, keep: boolean): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    connection.leave(keep);
    resolve(outcome);
  };
  const answered = (keep: boolean): void => {
    const { status, headers, body } = reader;
    end({ ok: true, status: status ?? 0, headers: headers ?? {}, body }, keep);
  };
  const broken = (reason: Broken['reason'], message: string): void => {
    if (wanted.cut && reader.headers) {
      answered(false);
      return;
    }
    const stale = reason === 'reset' && used && !reader.hasBegun;
    end({ ok: false, reason, message, status: reader.status, unsent: !sent, stale }, false);
  };
  const stop = (): void => broken('reset', GIVEN_UP.message);
  const came = (bytes: Buffer): void => {
    const told = reader.read(bytes);
    if (told === 'whole') answered(reader.reusable);
    else if (told !== 'more') broken(told.reason, told.message);
    else if (wanted.cut && reader.headers) timer ??= setTimeout(() => answered(false), CUT_MS);
  };
  const ended = (error: Error | null): void => {
    if (!error && reader.endsWhole()) answered(false);
    else broken(...failureOf(error, reader.headers !== null));
  };
  if (request === null) end(UNSENDABLE, used);
  else if (signal.aborted) stop();
  else {
    signal.addEventListener('abort', stop, { once: true });
    const opened = (): void => {
      sent = true;
      connection.write(request);
    };
    connection.carry({ opened, came, ended });
  }
  return promise;
}
