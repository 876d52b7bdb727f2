// A provider of capabilities as a developer would write one: it checks the signature, does what its path says, and remembers which
// calls it was paid to answer.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { RECEIVERS } from './authority.ts';

export interface Dispatched {
  readonly path: string;
  readonly call_id: string;
  readonly test: boolean;
  /** Whether its signature is by one of the secrets that the provider was given. */
  readonly signed: boolean;
  readonly body: { readonly capability: string; readonly payload: Record<string, unknown> };
}

export interface Provider {
  readonly port: number;
  readonly dispatched: readonly Dispatched[];
  /** Secrets by which signatures are checked. */
  readonly secrets: Set<string>;
  /** The address of an endpoint that behaves so; `name` tells it from others that do, and `host` is a name right under
   * `PROVIDER_HOST`. */
  url(behaviour: string, name: string, host?: string): string;
  /** Which of them a path came to, trials left out. */
  calls(behaviour: string, name: string): readonly Dispatched[];
  /** Answers all that is held, as it should be answered. */
  release(): void;
  /** Ends every connection, whatever waits on it. */
  drop(): void;
  close(): Promise<void>;
}

/** By which name in the DNS of a test it is reached. */
export const PROVIDER_HOST = 'receivers.example';

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

/** Two gibibytes, as announced; nobody ever read so far. */
const GIGABYTES = 2_147_483_648;
/** What keeps its callers waiting, and answers trials all the same. */
const SLOW: ReadonlySet<string> = new Set(['hold', 'drip', 'hang']);

type Behave = (response: ServerResponse, dispatched: Dispatched) => void;

const BEHAVIOURS: Readonly<Record<string, Behave>> = {
  serve: (response, { path, body }) => json(response, { by: path.split('/')[2], ...body.payload }),
  cheap: (response) => json(response, { ok: true }, { 'x-service-price-cents': '3', 'x-service-usage': '12 words' }),
  dear: (response) => json(response, { ok: true }, { 'x-service-price-cents': '999999' }),
  number: (response) => json(response, 42),
  hang: () => {},
  /** One byte after the other, without an end. */
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const dripping = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(dripping));
  },
  reset: (response) => void response.socket?.destroy(),
  half: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"only":');
    response.socket?.end();
  },
  html: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>{}</p>'),
  events: (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {}\n\n'),
  broken: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
  deep: (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(100_000) + ']'.repeat(100_000)),
  empty: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(),
  none: (response) => void response.writeHead(204).end(),
  away: (response) => void response.writeHead(302, { location: '/serve/away' }).end(),
  refuse: (response) => void response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":"no"}'),
  fail: (response) => void response.writeHead(500).end(),
  gigabytes: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(GIGABYTES) });
    response.write('"');
  },
  huge: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const block = 'x'.repeat(65_536);
    const more = (): void => {
      if (!response.destroyed && response.socket && !response.socket.destroyed)
        response.write(block, () => setImmediate(more));
    };
    response.write('"');
    more();
  },
};

/** Behaviours that answer otherwise each time: `once` fails once. */
function behaviourOf(what: string, before: number): Behave | undefined {
  return what === 'once' ? BEHAVIOURS[before === 0 ? 'fail' : 'serve'] : BEHAVIOURS[what];
}

function isSigned(secrets: ReadonlySet<string>, { headers }: IncomingMessage, body: string): boolean {
  const given = Buffer.from(String(headers['x-service-signature'] ?? ''));
  return [...secrets].some((secret) => {
    const right = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${body}`).digest('hex');
    return given.length === right.length && timingSafeEqual(given, Buffer.from(right));
  });
}

/** Starts one on a free port of this machine. */
export async function startProvider(): Promise<Provider> {
  const dispatched: Dispatched[] = [];
  const secrets = new Set<string>();
  const held = new Set<ServerResponse>();
  const server = https.createServer({ ...RECEIVERS, keepAliveTimeout: 5_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { url: path = '', headers } = request;
      const before = dispatched.filter((each) => each.path === path && !each.test).length;
      const came: Dispatched = {
        path,
        call_id: String(headers['x-service-call-id']),
        test: headers['x-service-test'] === 'true',
        signed: isSigned(secrets, request, text),
        body: JSON.parse(text),
      };
      dispatched.push(came);
      const what = path.split('/')[1] ?? '';
      const behave = behaviourOf(came.test && SLOW.has(what) ? 'serve' : what, before);
      if (what === 'hold' && !came.test) held.add(response);
      else if (behave) behave(response, came);
      else response.writeHead(404).end();
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    dispatched,
    secrets,
    url: (behaviour, name, host) => {
      const at = host === undefined ? PROVIDER_HOST : `${host}.${PROVIDER_HOST}`;
      return `https://${at}:${port}/${behaviour}/${name}`;
    },
    calls: (behaviour, name) => dispatched.filter(({ path, test }) => path === `/${behaviour}/${name}` && !test),
    release: () => {
      for (const response of held) json(response, { late: true });
      held.clear();
    },
    drop: () => server.closeAllConnections(),
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
