// What cannot be decoded names nobody: every parameter of every path and every field of every query string, with texts
// that no percent-decoder can turn into Unicode, that no engine keeps or that are not there. Nothing acts on any of them,
// least of all the caller's only agent in the place of the one that was meant.
import { beforeAll, expect, test } from 'bun:test';
import { tables } from '../db/schema/sqlite.ts';
import type { AnyOperation, RestBinding } from '../src/contract/operation.ts';
import { registry } from '../src/operations/registry.ts';
import { type Example, exampleFor, sentBody } from './support/examples.ts';
import { sharedService } from './support/opened.ts';
import { counterpart, type Scene, sceneOf } from './support/scene.ts';
import { readStoredTables } from './support/store.ts';

/** Bytes that spell no text, and what no engine keeps. */
const NO_TEXT = {
  'a byte that begins nothing': '%ff',
  'an overlong slash': '%C0%AF',
  'an overlong NUL': '%C0%80',
  'half of a surrogate pair': '%ED%A0%80',
  'the beginning of a letter': 'caf%C3',
  'more than Unicode has': '%F4%90%80%80',
  'a NUL': '%00',
  'a NUL inside': 'a%00b',
} as const;

/** In a path also a percent sign that begins no escape, which no router takes; a query string's stands for itself. */
const UNDECODABLE = { 'half an escape': '%', 'an escape of no digits': '%zz', ...NO_TEXT };

/** What any request may leave behind, refused or not, and what is carried out while the test goes on. */
const TRACES = new Set(['counters', 'inboxes', 'presence', 'key_uses', 'reminders', 'outbound', 'mail_marks']);

const routes = registry().flatMap((operation) => operation.rest.map((binding) => ({ operation, binding })));

const t = sharedService();
let scene: Scene;

beforeAll(async () => {
  await counterpart(t);
  scene = await sceneOf(t, 'only_agent');
});

async function stored(): Promise<Record<string, string>> {
  const names = Object.keys(tables).filter((name) => !TRACES.has(name));
  const rows = await readStoredTables(
    t.service.world.settings.data_dir,
    names.map((name) => `select * from ${name} order by id`),
  );
  return Object.fromEntries(names.map((name, n) => [name, JSON.stringify(rows[n])]));
}

/** The tables that are not as they were. */
async function changed(before: Record<string, string>): Promise<string[]> {
  const now = await stored();
  return Object.keys(now).filter((name) => now[name] !== before[name]);
}

function credentialFor({ access }: AnyOperation): Record<string, string> {
  if (access === 'platform' || access === 'admin') return { 'X-Internal-Token': t.internal_token };
  return { Authorization: `Bearer ${scene.owner.token}` };
}

function pathOf({ path }: RestBinding, example: Example, instead: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => instead[name] ?? example.path?.[name] ?? 'none');
}

async function asked(
  { operation, binding }: (typeof routes)[number],
  example: Example,
  address: string,
): Promise<{ status: number; error?: string; fields?: readonly { path: string }[] }> {
  const reads = binding.method === 'GET' || binding.method === 'DELETE';
  const { type, text } = sentBody(example);
  const headers = { 'Content-Type': type, ...example.headers, ...credentialFor(operation) };
  const body = reads ? undefined : text;
  const request = new Request(`http://localhost${address}`, { method: binding.method, headers, body });
  const response = await t.fetch(request);
  return { status: response.status, ...JSON.parse(await response.text()) };
}

const named = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

test('in a path it is answered 404, and nothing is done to anybody', async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const route of routes.filter(({ binding }) => binding.path.includes('{'))) {
    const { operation, binding } = route;
    const example = await exampleFor(operation, binding, scene);
    const before = await stored();
    for (const name of named(binding.path)) {
      // An empty last segment is the path of the list above it, with its slash.
      const empty = binding.path.endsWith(`{${name}}`) ? {} : { nothing: '' };
      for (const [what, text] of Object.entries({ ...UNDECODABLE, ...empty })) {
        tried += 1;
        const answer = await asked(route, example, pathOf(binding, example, { [name]: text }));
        if (answer.status === 404 && answer.error === 'not_found') continue;
        wrong.push(`${binding.method} ${binding.path}, ${name} is ${what}: ${answer.status} ${answer.error}`);
      }
    }
    for (const table of await changed(before)) wrong.push(`${binding.method} ${binding.path} has changed ${table}`);
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(300);
}, 600_000);

test('in a query string it is answered 400 by the name of its field', async () => {
  const wrong: string[] = [];
  let tried = 0;
  const reading = ({ operation, binding }: (typeof routes)[number]): boolean =>
    binding.method === 'GET' || binding.method === 'DELETE' || operation.raw !== undefined;
  for (const route of routes.filter(reading)) {
    const { operation, binding } = route;
    const example = await exampleFor(operation, binding, scene);
    const { properties = {} } = operation.input as { properties?: Record<string, unknown> };
    const inPath = named(binding.path);
    const before = await stored();
    for (const name of Object.keys(properties).filter((field) => !inPath.includes(field) && field !== 'raw')) {
      for (const [what, text] of Object.entries(NO_TEXT)) {
        tried += 1;
        // What a header says as well would stand in the place of the query's.
        const answer = await asked(route, { ...example, headers: {} }, `${pathOf(binding, example)}?${name}=${text}`);
        // In a list of texts the place is named as well.
        const [field] = answer.fields?.[0]?.path.split('.') ?? [];
        if (answer.status === 400 && answer.error === 'invalid_request' && field === name) continue;
        wrong.push(`${binding.method} ${binding.path}?${name} is ${what}: ${answer.status} ${answer.error}`);
      }
    }
    for (const table of await changed(before)) wrong.push(`${binding.method} ${binding.path} has changed ${table}`);
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(300);
}, 600_000);

test('under a name of a query string that the operation does not take, it is not looked at', async () => {
  const { token } = scene.owner;
  const thread = await scene.conversation_id();
  for (const text of Object.values(NO_TEXT)) {
    for (const query of [`utm=${text}`, `utm=${text}&limit=1`, `limit=1&${text}=1`, `q${text}`, `__proto__=${text}`]) {
      expect(await t.call('GET', `/api/messages/${thread}?${query}`, { token })).toMatchObject({ status: 200 });
    }
    expect((await t.call('GET', `/api/messages/${thread}?utm=1&q=${text}`, { token })).status).toBe(400);
  }
});

test('in X-Agent-Handle it is an agent that nobody has, and in Idempotency-Key no key', async () => {
  const call = (headers: Record<string, string>) =>
    t.call('PATCH', '/api/agents/bounds', { token: scene.owner.token, headers, body: { max_pay_cents: 1 } });
  const before = await stored();
  for (const handle of [...Object.values(UNDECODABLE), '', '\u00ff', '\u00c0\u00af']) {
    expect((await call({ 'X-Agent-Handle': handle })).status).toBe(404);
  }
  for (const key of ['', '\u00ff', '\u00ed\u00a0\u0080', 'a b', 'x'.repeat(256)]) {
    expect((await call({ 'Idempotency-Key': key })).body.fields?.[0]?.path).toBe('Idempotency-Key');
  }
  expect(await changed(before)).toEqual([]);
});

test('what a path or a query spells in Unicode is taken as it is', async () => {
  const { token } = scene.owner;
  const thread = await scene.conversation_id();
  for (const text of ['%F0%9F%92%A9', '100%25', 'a+b', '%EF%BF%BD', 'caf%C3%A9', '', 'x&utm=1', 'a&&b']) {
    expect((await t.call('GET', `/api/messages/${thread}?q=${text}x`, { token })).status).toBe(200);
  }
  const handle = '%6Fnly_agent';
  expect((await t.call('GET', `/api/agents/${handle}/cards`, { token })).status).toBe(200);
});

test('a percent sign of a query string that begins no escape stands for itself', async () => {
  const { token } = scene.owner;
  const thread = await scene.conversation_id();
  const said = await t.call('POST', `/api/messages/${thread}`, { token, body: { content: 'I am 100% sure, 5%zz' } });
  expect(said.status).toBe(200);
  const found = async (q: string): Promise<string[]> =>
    (await t.call('GET', `/api/messages/${thread}?q=${q}`, { token })).body.map(({ message_id }: never) => message_id);
  for (const q of ['100%25', '100%', '0%+sure', '%zz', '5%25zz'])
    expect(await found(q)).toEqual([said.body.message_id]);
  expect(await found('100%%')).toEqual([]);
  expect((await t.call('GET', '/api/inbox?utm_source=50%off', { token })).status).toBe(200);
});
