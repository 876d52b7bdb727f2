// llms.txt is true: two agents who know nothing else follow it word for word against a real server, from no key to a talk,
// over each of the doors that it tells of.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, type ServerChild, startServer } from '../support/child.ts';
import { onPostgres, sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const TOKEN = 'token-of-the-guide-test';

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON came back.
type Json = any;

/** A request of the guide, and where its reader finds what later ones need. */
interface Step {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Names of placeholders by the fields of the answer that give them. */
  readonly gives: ReadonlyMap<string, string>;
}

/** What an agent knows: the values of placeholders. */
type Known = Map<string, string>;

let data_dir: string;
let server: ServerChild;
let guide: string;

beforeAll(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-guide-'));
  const database: Record<string, string> = onPostgres
    ? { DATABASE_URL: (await (await sharedPostgres())?.migrated()) ?? '' }
    : {};
  server = await startServer(data_dir, { INTERNAL_TOKEN: TOKEN, ...database });
  guide = await (await fetch(`${server.url}/llms.txt`)).text();
});
afterAll(async () => {
  await server.end('SIGTERM');
  endServers();
  rmSync(data_dir, { recursive: true, force: true });
});

/** The requests of the guide, in order. A sentence before the next one says what comes of its answer. */
function stepsOf(text: string): Step[] {
  const parts = text.split(/^```(?:http)?$/m);
  const promised = new Map<string, string>();
  const steps: Step[] = [];
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      for (const [, field = '', name = ''] of part.matchAll(/`(\w+)` of the (?:second )?answer is `\$(\w+)`/g)) {
        promised.set(field, name);
      }
      continue;
    }
    const [head = '', body = null] = part.trim().split('\n\n');
    const [line = '', ...lines] = head.split('\n');
    const [method = '', url = ''] = line.split(' ');
    const headers = Object.fromEntries(lines.map((each) => each.split(/: (.*)/s).slice(0, 2) as [string, string]));
    steps.push({ method, url, headers, body, gives: new Map(promised) });
  }
  return steps;
}

/** The first text under a name, anywhere in a value. */
function textUnder(value: Json, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof value[name] === 'string') return value[name];
  for (const each of Object.values(value)) {
    const found = textUnder(each, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code in the newest letter or text message to somebody, as a human would read it out. */
async function codeFor(to: string): Promise<string> {
  const headers = { 'X-Internal-Token': TOKEN };
  const sent: Json = await (
    await fetch(`${server.url}/internal/outbox?to=${encodeURIComponent(to)}`, { headers })
  ).json();
  for (const { text } of sent) {
    const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1] ?? /\b(\d{6})\b/.exec(text)?.[1];
    if (code) return code;
  }
  throw new Error(`no code was sent to ${to}`);
}

const filled = (text: string, known: Known): string =>
  text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = known.get(name);
    if (value === undefined) throw new Error(`the guide asks for $${name}, and has not said where it is from`);
    return value;
  });

/** Sends a request as it stands; answers what came. */
async function send({ method, url, headers, body }: Step, known: Known): Promise<{ status: number; body: Json }> {
  if (body?.includes('$CODE'))
    known.set('CODE', await codeFor(known.get(body.includes('$PHONE') ? 'PHONE' : 'EMAIL') ?? ''));
  known.set('MESSAGE_ID', crypto.randomUUID());
  const named = Object.entries(headers).map(([name, value]) => [name, filled(value, known)] as [string, string]);
  const response = await fetch(filled(url, known), {
    method,
    headers: named,
    ...(body !== null && { body: filled(body, known) }),
  });
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('event-stream')) return { status: response.status, body: await response.json() };
  // What is open ends with its reader; the first event will do.
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let said = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    said += decoder.decode(part.value, { stream: true });
    if (/^data: .*\n/m.test(said)) break;
  }
  await reader?.cancel();
  return { status: response.status, body: JSON.parse(/^data: (.*)$/m.exec(said)?.[1] ?? 'null') };
}

/** Does one step, and keeps what its answer gives. */
async function follow(step: Step, known: Known): Promise<Json> {
  const answer = await send(step, known);
  expect([step.url, answer.status < 300, answer.body?.error ?? null]).toEqual([step.url, true, null]);
  for (const [field, name] of step.gives) {
    const value = textUnder(answer.body, field);
    if (value !== undefined && !known.has(name)) known.set(name, value);
  }
  return answer.body;
}

const isThere = async (path: string): Promise<boolean> =>
  (await fetch(`${server.url}${path}`, { method: 'POST', body: '{}' })).status !== 404;

test('two agents who follow it join, are matched and talk, over each door', async () => {
  const [ada, bob] = ['ada', 'bob'].map(
    (handle, at): Known =>
      new Map([
        ['EMAIL', `${handle}@example.org`],
        ['HANDLE', handle],
        ['NAME', handle],
        ['HEADLINE', 'Everything for yachts'],
        ['PHONE', `+1555010020${at}`],
      ]),
  ) as [Known, Known];
  const steps = stepsOf(guide);
  const listings = steps.filter(({ url }) => url.endsWith('/cards'));
  expect([steps.length > 15, listings.length]).toEqual([true, 2]);
  const followed: string[] = [];
  for (const step of steps) {
    if (!step.url.startsWith(`${server.url}/`)) throw new Error(`${step.url} is not an address of the service`);
    const path = step.url.slice(server.url.length);
    // A door that this build does not have.
    if (/^\/(mcp|a2a\/agents\/\$OTHER\/)$/.test(path) && !(await isThere(filled(path, ada)))) {
      console.log(`SKIPPED: nothing stands at ${path}`);
      continue;
    }
    followed.push(path);
    for (const known of [ada, bob]) {
      // One offers, the other seeks.
      if (listings.includes(step) && listings.indexOf(step) !== [ada, bob].indexOf(known)) continue;
      if (path.endsWith('/feed')) {
        await until(async () => {
          await follow(step, known);
          return known.has('MATCH_ID');
        });
        continue;
      }
      const said = await follow(step, known);
      // A refusal of a tool or a method comes with 200.
      expect([path, said?.result?.isError ?? false]).toEqual([path, false]);
    }
  }
  expect([ada.get('OTHER'), bob.get('OTHER')]).toEqual(['bob', 'ada']);
  expect(ada.get('CONVERSATION_ID')).toBe(bob.get('CONVERSATION_ID') ?? '');
  expect(followed.at(-1)).toBeDefined();
}, 600_000);

test('it is short, names the whole of the API and stands where the front page says', async () => {
  expect(Buffer.byteLength(guide)).toBeLessThanOrEqual(12_000);
  // To the end of the job, and back in.
  const calls = [
    '/propose',
    '/approve',
    '/wallet/fund',
    '/deliverable',
    '/release',
    '/review',
    'payments/connect',
    'withdraw',
  ];
  const ways = ['session/refresh', 'concierge', 'activated', 'onboarding/intake', 'matching/run', '?tag='];
  for (const word of [...calls, ...ways]) expect(guide).toContain(word);
  expect(guide).toContain(`${server.url}/openapi.json`);
  const front: Json = await (await fetch(server.url)).json();
  const reply = await fetch(`${server.url}${front.guide}`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  for (const path of [front.agent_card, front.a2a_card]) expect((await fetch(`${server.url}${path}`)).status).toBe(200);
});
