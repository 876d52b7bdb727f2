// The server that holds DATA_DIR, if one runs, and calls to it. It writes its own address to DATA_DIR/server.json, because
// BASE_URL may belong to a proxy and PORT may be 0. Calls use node:http, which ignores HTTP_PROXY, unlike fetch.
import { readFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as overTls } from 'node:https';
import { join } from 'node:path';
import { addresses, type Config, speaksTls, UnusableSetting } from '../config.ts';
import { leave } from './settings.ts';

/** The content of DATA_DIR/server.json, which main writes once it listens, and removes when it stops. */
interface ServerNote {
  readonly url: string;
  readonly pid: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Of a page: the cursor of the next one. */
  readonly next: string | null;
}

/** An administrative act is one turn; a healthy server answers within this time. */
const ANSWER_TIMEOUT_MS = 10_000;

function readNote(config: Config): ServerNote | undefined {
  try {
    // Only the service writes to this folder.
    return JSON.parse(readFileSync(join(config.dataDir, 'server.json'), 'utf8')) as ServerNote;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The server that holds DATA_DIR. A note left by one that was killed does not count. */
export function serverProcess(config: Config): ServerNote | undefined {
  const note = readNote(config);
  return note && isAlive(note.pid) ? note : undefined;
}

/** Its address. */
export function runningServer(config: Config): string | undefined {
  return serverProcess(config)?.url;
}

/** Where a server with these settings would listen, as seen from this machine. */
export function expectedServer(config: Config): string {
  const wildcards: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const host = wildcards[config.host] ?? config.host;
  return `http${speaksTls(config) ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

/** The value of X-Internal-Token: as set, else as the server generated it; undefined when this user cannot read it. */
export function internalToken(config: Config): string | undefined {
  if (config.internalToken !== undefined) return config.internalToken;
  try {
    return readFileSync(join(config.dataDir, 'internal-token'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** One call to the server; rejects without an answer in time. */
export function callServer(
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string> = {},
  body?: string,
  timeout_ms: number = ANSWER_TIMEOUT_MS,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const signal = AbortSignal.timeout(timeout_ms);
  // The address is this machine's own; its certificate is for the name that others use.
  const request = url.startsWith('https:') ? overTls : plain;
  const options = { method, headers, agent: false as const, signal, rejectUnauthorized: false };
  const call = request(url, options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const next = response.headers['x-next-cursor'];
      const body = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, body, next: typeof next === 'string' ? next : null });
    });
  });
  call.on('error', reject);
  call.end(body);
  return promise;
}

// The server for an administrative command: the one that holds DATA_DIR, else a temporary one on a free loopback port. Either
// way an act takes the same path, with the same checks, caches and single writer.

interface Reached {
  readonly url: string;
  /** Whether it ran before this command. */
  readonly running: boolean;
  release(): Promise<void>;
}

/** For the temporary server, which only this command uses. */
const PLAIN = { tlsCert: undefined, tlsKey: undefined, acmeDomain: undefined };

/** Reaches the running server or starts one; the caller releases it. */
export async function reachServer(
  config: Config,
  how: { readonly while_older_nodes_run?: boolean } = {},
): Promise<Reached> {
  const found = runningServer(config);
  if (found !== undefined) return { url: found, running: true, release: () => Promise.resolve() };
  const { start } = await import('../main.ts');
  // Links still name the service's own address, not the temporary port.
  const { baseUrl } = addresses(config, config.port);
  const alone = { ...config, ...PLAIN, baseUrl, host: '127.0.0.1', port: 0, logLevel: 'warn' } as const;
  const own = await start(alone, how).catch((error: unknown) => {
    if (error instanceof UnusableSetting) leave(2, error.message);
    throw error;
  });
  const url = runningServer(config);
  if (url === undefined) throw new Error('the server that was started did not note its address in DATA_DIR');
  return { url, running: false, release: () => own.stop() };
}
