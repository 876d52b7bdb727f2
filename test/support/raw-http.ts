// Bytes straight onto a socket, for requests that no HTTP client would send. Answers are parsed just far enough to
// assert on: one after the other, as they came.
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Long enough for any answer on loopback of a busy machine; a server that says nothing until then is the finding. */
const PATIENCE_MS = 30_000;

function parseAnswers(bytes: Buffer, bodiless: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes.toString('latin1');
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const pairs = lines.map((each) => [
      each.slice(0, each.indexOf(':')).toLowerCase(),
      each.slice(each.indexOf(':') + 1).trim(),
    ]);
    const headers: Record<string, string> = Object.fromEntries(pairs);
    const status = Number(line.split(' ')[1]);
    const length =
      bodiless || status < 200 || status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8');
    answers.push({ status, headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** Sends the parts, one write each, and resolves with what came back by the time the server closed or `count` answers
 * were there. `drop` closes the connection after the last part instead of waiting. */
export function rawRequest(
  port: number,
  parts: readonly (string | Uint8Array)[],
  { count = 1, drop = false, bodiless = false }: { count?: number; drop?: boolean; bodiless?: boolean } = {},
): Promise<RawAnswer[]> {
  const { promise, resolve } = Promise.withResolvers<RawAnswer[]>();
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  const finish = (): void => {
    clearTimeout(timer);
    socket.destroy();
    resolve(parseAnswers(Buffer.concat(chunks), bodiless));
  };
  const timer = setTimeout(finish, PATIENCE_MS);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    const final = parseAnswers(Buffer.concat(chunks), bodiless).filter(({ status }) => status >= 200);
    const whole = final.every(
      ({ headers, body }) => bodiless || Buffer.byteLength(body) >= Number(headers['content-length'] ?? 0),
    );
    if (final.length >= count && whole) finish();
  });
  socket.on('close', finish);
  socket.on('error', finish);
  socket.on('connect', () => {
    for (const part of parts) socket.write(part);
    if (drop) socket.end(() => setTimeout(finish, 50));
  });
  return promise;
}

/** The text of a request with a JSON body and whatever headers are asked for. */
export function rawText(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const all: Record<string, string> = { Host: 'localhost', ...headers };
  if (body && !('Content-Length' in all) && !('Transfer-Encoding' in all))
    all['Content-Length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
