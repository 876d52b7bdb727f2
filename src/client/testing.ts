/// <reference lib="esnext.disposable" preserve="true" />
// meshwork-client/testing: a Meshwork of one's own for a test file, under Bun and Node. It starts the program `meshwork` on a free port of
// the loopback, with its data in a temporary folder that goes with it, a clock that the test moves on, and agents that are
// verified, on the Pro plan, and have play money.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MeshworkClient } from './client.ts';

/** The options of the started service. */
export interface StartOptions {
  /** The program with its first arguments; `MESHWORK_BINARY`, else `meshwork` on the PATH, unless said. */
  readonly command?: readonly string[];
  /** The handles of the agents, each of an account of its own; `ada` and `bob` unless said. */
  readonly agents?: readonly string[];
  /** The balance of each wallet, in cents; 100,000 by default. */
  readonly balance_cents?: number;
  /** More settings, or others, as `meshwork config show --reference` names them. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An agent of the service. */
export interface TestAgent {
  readonly handle: string;
  readonly email: string;
  readonly api_key: string;
  /** Calls with the key, as the agent's program does. */
  readonly client: MeshworkClient;
  /** Calls as its signed-in person, who may spend, approve and change the account. */
  readonly person: MeshworkClient;
}

export interface TestMeshwork {
  readonly url: string;
  readonly internal_token: string;
  /** By handle; throws on one that there is not. */
  agent(handle: string): TestAgent;
  /** Moves the time of the service, and runs due work at each instant on the way: `3 days`, `90 minutes`, or milliseconds. */
  advance(time: string | number): Promise<void>;
  /** Ends the service and removes its data. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const UNITS_MS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
const TIME = /^(\d{1,9}) ?(second|minute|hour|day|week)s?$/;
const START_TIMEOUT_MS = 30_000;
const BALANCE_CENTS = 100_000;

/** How long a text such as `3 days` says, in milliseconds. */
function millisecondsOf(time: string | number): number {
  if (typeof time === 'number') return time;
  const [, count, unit] = TIME.exec(time.trim()) ?? [];
  if (unit === undefined) throw new TypeError(`advance takes milliseconds, or a text such as "3 days", not "${time}"`);
  return Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

type Body = Readonly<Record<string, unknown>>;

/** Sends JSON and answers the parsed body; throws what the service refuses. */
async function ask(url: string, headers: Readonly<Record<string, string>>, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/** The settings of a service for tests: all that is not said stays inside this machine. */
function settingsOf(
  folder: string,
  internal_token: string,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    // Programs written for Node and Bun alike find theirs by it.
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    INTERNAL_TOKEN: internal_token,
    TEST_CLOCK: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...env,
  };
}

interface Running {
  readonly url: string;
  end(): Promise<void>;
}

/** Starts the program; resolves once it listens. */
async function startProgram(command: readonly string[], cwd: string, env: Record<string, string>): Promise<Running> {
  const [named = 'meshwork', ...rest] = command;
  // A path is of the caller's folder, not of the service's.
  const program = named.includes('/') ? resolve(named) : named;
  const child = spawn(program, [...rest, 'serve'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = once(child, 'close');
  gone.catch(() => undefined);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.pid === undefined) return;
    child.kill('SIGTERM');
    await gone;
  };
  const [said, problem] = [{ text: '' }, { text: '' }];
  child.stderr.on('data', (chunk: Buffer) => {
    problem.text += chunk;
  });
  const url = await new Promise<string>((started, reject) => {
    const fail = (why: string): void => {
      clearTimeout(late);
      reject(new Error(`meshwork did not start: ${why} ${problem.text}`.trim()));
    };
    const late = setTimeout(() => fail('it said nothing for 30 seconds.'), START_TIMEOUT_MS);
    child.on('error', (error) => fail(`${program}: ${error.message}. Install it, or name it by MESHWORK_BINARY.`));
    child.on('close', () => fail('it ended.'));
    child.stdout.on('data', (chunk: Buffer) => {
      said.text += chunk;
      const found = /listening on (\S+)\n/.exec(said.text)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      child.stdout.removeAllListeners('data').resume();
      started(found);
    });
  }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  // Ends the service also when a test exits without stopping it.
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  gone.then(() => process.off('exit', kill));
  return { url, end };
}

/** Half of what an access token lives. */
const TOKEN_LIFE_MS = 450_000;

interface Made {
  readonly agent: TestAgent;
  /** Called when its person's session may have expired. */
  readonly aged: () => void;
}

/** An account with its agent, made as people make theirs. */
async function makeAgent(url: string, internal_token: string, handle: string, balance_cents: number): Promise<Made> {
  const operator = { 'X-Internal-Token': internal_token };
  const email = `${handle}@example.org`;
  const signIn = async (): Promise<string> => {
    await ask(`${url}/api/auth/session/start`, operator, { email });
    const sent = (await ask(`${url}/internal/outbox?to=${encodeURIComponent(email)}`, operator)) as Body[];
    // The newest letter that holds one; other letters may have come after it.
    const code = sent.flatMap(({ text }) => /^\d{6}$/m.exec(String(text))?.[0] ?? [])[0] ?? '';
    const answer = (await ask(`${url}/api/auth/session/verify`, operator, { email, code })) as Body;
    return String(answer['access_token']);
  };
  let signed_in: { readonly token: Promise<string>; readonly at: number } | null = null;
  const aged = (): void => {
    signed_in = null;
  };
  // Calls at once share one sign-in: a code is good once.
  const access_token = (): Promise<string> => {
    if (signed_in === null || Date.now() - signed_in.at > TOKEN_LIFE_MS) {
      const token = signIn();
      token.catch(aged);
      signed_in = { token, at: Date.now() };
    }
    return signed_in.token;
  };
  const session = { Authorization: `Bearer ${await access_token()}` };
  await ask(`${url}/api/agents`, session, { handle, display_name: handle });
  const fund = async (): Promise<void> => {
    const page = (await ask(`${url}/api/wallet/fund`, session, { amount_cents: balance_cents })) as Body;
    // The page of the sandbox, where a person would press a button.
    const paying = new URL(new URL(String(page['checkout_url'])).pathname, url);
    const paid = await fetch(paying, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }) });
    if (!paid.ok) throw new Error(`the sandbox answered ${paid.status}`);
  };
  // At once, since none of them needs another.
  const [key] = await Promise.all([
    ask(`${url}/api/developer/keys`, session, { name: 'test' }) as Promise<Body>,
    ask(`${url}/api/admin/agents/${handle}/identity`, operator, {
      reference: `test ${handle}`,
      reason: 'a test agent',
    }),
    ask(`${url}/internal/admin/set-plan`, operator, { email, plan: 'pro' }),
    ...(balance_cents > 0 ? [fund()] : []),
  ]);
  const api_key = String(key['api_key']);
  const client = new MeshworkClient({ url, api_key, agent: handle });
  const person = new MeshworkClient({ url, access_token, agent: handle });
  return { agent: { handle, email, api_key, client, person }, aged };
}

/** Starts a service for tests; throws where the program is missing or does not start. */
export async function startMeshwork(options: StartOptions = {}): Promise<TestMeshwork> {
  const { agents: handles = ['ada', 'bob'], balance_cents = BALANCE_CENTS, env = {} } = options;
  const command = options.command ?? [process.env['MESHWORK_BINARY'] ?? 'meshwork'];
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-test-'));
  const internal_token = env['INTERNAL_TOKEN'] ?? crypto.randomUUID();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const running = await startProgram(command, folder, settingsOf(folder, internal_token, env)).catch(
    (error: unknown) => {
      remove();
      throw error;
    },
  );
  const { url } = running;
  const stop = async (): Promise<void> => {
    await running.end();
    remove();
  };
  const made = await Promise.all(handles.map((handle) => makeAgent(url, internal_token, handle, balance_cents))).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  return {
    url,
    internal_token,
    agent: (handle) => {
      const found = made.find(({ agent }) => agent.handle === handle);
      if (!found) throw new TypeError(`there is no agent ${handle}; startMeshwork({ agents: […] }) names them`);
      return found.agent;
    },
    advance: async (time) => {
      const moved = { advance_seconds: millisecondsOf(time) / 1_000 };
      try {
        await ask(`${url}/internal/clock`, { 'X-Internal-Token': internal_token }, moved);
      } finally {
        for (const { aged } of made) aged();
      }
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
