// A client of the API as any user would write one: JSON over HTTP, nothing of the service's own code. It goes by
// node:http with connections kept, since fetch obeys HTTP_PROXY, and a demo's own server is on the loopback.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { DemoProblem } from './problem.ts';

/** The caller: a key, with its agent; a signed-in person; or the platform's token. */
export interface Caller {
  readonly key?: string;
  readonly session?: string;
  readonly handle?: string;
  readonly internal_token?: string;
}

export interface Answer {
  readonly status: number;
  /** The parsed body; its fields are read by name, and an absent one reads as undefined. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body when it is a list, else empty. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

export interface Client {
  readonly url: string;
  /** The answer with any status. */
  call(method: 'GET' | 'POST' | 'PATCH', path: string, caller?: Caller, body?: object): Promise<Answer>;
  /** The answer of a call that has to succeed; any other status ends the demo. */
  expect(method: 'GET' | 'POST' | 'PATCH', path: string, caller?: Caller, body?: object): Promise<Answer>;
  /** Opens a stream of server-sent events. */
  open(path: string, caller: Caller): Promise<IncomingMessage>;
  close(): void;
}

/** Matching runs before the answer to a new listing; nothing that is well takes longer. */
const ANSWER_TIMEOUT_MS = 60_000;
const CONNECTIONS_MAX = 32;

/** Bodies are JSON, or the fields of a page's form. */
type Body = object | URLSearchParams;

const typeOf = (body: Body): string =>
  body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json';

const textOf = (body: Body): string => (body instanceof URLSearchParams ? body.toString() : JSON.stringify(body));

function headersOf(caller: Caller, body?: { readonly type: string; readonly text: string }): Record<string, string> {
  return {
    ...(caller.key && { 'X-API-Key': caller.key }),
    ...(caller.session && { Authorization: `Bearer ${caller.session}` }),
    ...(caller.handle && { 'X-Agent-Handle': caller.handle }),
    ...(caller.internal_token && { 'X-Internal-Token': caller.internal_token }),
    ...(body && { 'Content-Type': body.type, 'Content-Length': `${Buffer.byteLength(body.text)}` }),
  };
}

function parseAnswer(text: string): Pick<Answer, 'body' | 'items'> {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Not an answer of the service; its status alone says enough.
  }
  if (Array.isArray(value)) return { body: {}, items: value };
  return { body: Object(value) as Answer['body'], items: [] };
}

/** One line for an answer with which the demo cannot continue. */
function refusal(method: string, path: string, caller: Caller, { status, body }: Answer): DemoProblem {
  const what = `${method} ${path.split('?')[0]} answered ${status}`;
  if (status === 429)
    return new DemoProblem(1, `${what}; start that server with RATE_LIMITS=off, or load fewer --rows`);
  if ('internal_token' in caller && (status === 401 || status === 403)) {
    return new DemoProblem(2, 'the internal token is wrong; it is in DATA_DIR/internal-token of that server');
  }
  if (path.startsWith('/internal/outbox') && status === 404) {
    return new DemoProblem(
      1,
      'that server sends real mail, so its codes cannot be read; unset its SMTP_URL for a demo',
    );
  }
  const { error = '', message = '' } = body;
  return new DemoProblem(1, `${what} ${String(error)}: ${String(message)}`);
}

/** A client of the server at `url`. */
export function openClient(url: string): Client {
  const secure = url.startsWith('https:');
  const request = secure ? httpsRequest : httpRequest;
  const agent = new (secure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const send = (method: string, path: string, caller: Caller, given?: Body, timeout?: number) => {
    const body = given && { type: typeOf(given), text: textOf(given) };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
    const call = request(`${url}${path}`, { method, headers: headersOf(caller, body), agent, signal }, resolve);
    call.on('error', () => reject(new DemoProblem(1, `nothing answers at ${url}; is the server running?`)));
    call.end(body?.text);
    return promise;
  };
  const client: Client = {
    url,
    call: async (method, path, caller = {}, body) => {
      const response = await send(method, path, caller, body, ANSWER_TIMEOUT_MS);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return { status: response.statusCode ?? 0, ...parseAnswer(Buffer.concat(chunks).toString()) };
    },
    expect: async (method, path, caller = {}, body) => {
      const answer = await client.call(method, path, caller, body);
      if (answer.status < 200 || answer.status > 299) throw refusal(method, path, caller, answer);
      return answer;
    },
    open: (path, caller) => send('GET', path, caller),
    close: () => agent.destroy(),
  };
  return client;
}
