// Hostile bodies on every route that takes one: generated from a fixed seed, and the corpora where they lie beside the
// checkout. Each gets a 2xx or a 4xx that says what is wrong, never a 5xx, and what is refused leaves no row behind.

import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { tables } from '../db/schema/sqlite.ts';
import type { AnyOperation, RestBinding } from '../src/contract/operation.ts';
import { PRO_SCOPES } from '../src/domain/identity/scope.ts';
import { registry } from '../src/operations/registry.ts';
import { naughtyStrings } from './support/corpus.ts';
import { type Example, exampleFor } from './support/examples.ts';
import { often } from './support/nightly.ts';
import { sharedService } from './support/opened.ts';
import { counterpart, type Scene, sceneOf } from './support/scene.ts';
import { readStoredRows } from './support/store.ts';
import { withToolDoors } from './support/tools.ts';

const SEED = 20_260_615;
/** Most of them never reach the store; so the other one sees fewer. */
const BODIES_PER_ROUTE = often(20, process.env['TEST_STORE'] === 'postgres' ? 20 : 60);
const CASES = join(import.meta.dir, '../../shared/corpora/json/cases.json');
/** What a refusal may leave: counted tries, kept refusals, and that the caller was there. */
const TRACES = new Set(['counters', 'idempotency', 'presence', 'key_uses']);

interface Target {
  readonly operation: AnyOperation;
  readonly binding: RestBinding;
  readonly example: Example;
  readonly credential: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly fields?: readonly { path: string; message: string }[];
}

const t = sharedService();
const targets: Target[] = [];
let sent = 0;
/** How many rows there are while nothing is under way; null when that is not known. What was accepted goes on after its
 * answer (letters, deliveries, looks outside) and writes rows of its own, which must not be laid to the next call. */
let resting: string | null = null;

async function credentialFor({ access, scope }: AnyOperation, scene: Scene): Promise<Record<string, string>> {
  const { owner } = scene;
  if (access === 'public') return {};
  if (access === 'platform' || access === 'admin') return { 'X-Internal-Token': t.internal_token };
  const who = { 'X-Agent-Handle': owner.handle };
  if (access === 'session') return { ...who, Authorization: `Bearer ${owner.token}` };
  // What spends takes a key that signup does not give.
  const pays = PRO_SCOPES.some((each) => each === scope);
  return { ...who, 'X-API-Key': pays ? await scene.full_key() : owner.key };
}

const routes = withToolDoors(registry())
  .flatMap((operation) => operation.rest.map((binding) => ({ operation, binding })))
  // Bodies that are no JSON have tests of their own.
  .filter(({ operation }) => operation.raw === undefined && operation.form === undefined)
  .filter(({ binding }) => binding.method !== 'GET' && binding.method !== 'DELETE' && !binding.alias)
  // The clock goes last: a generated second count may end every key of the others.
  .sort((a, b) => Number(a.operation.name === 'platform.clock') - Number(b.operation.name === 'platform.clock'));

beforeAll(async () => {
  await counterpart(t);
  for (const [at, { operation, binding }] of routes.entries()) {
    const scene = await sceneOf(t, `target_${at}`);
    const example = await exampleFor(operation, binding, scene);
    targets.push({ operation, binding, example, credential: await credentialFor(operation, scene) });
  }
}, 600_000);

const counting = Object.keys(tables)
  .filter((name) => !TRACES.has(name))
  .map((name) => `select '${name}' as name, count(*) as n from ${name}`)
  .join(' union all ');

async function rowCounts(): Promise<string> {
  return JSON.stringify(await readStoredRows(t.service.world.settings.data_dir, counting));
}

async function post(
  { binding, example, credential }: Target,
  body: string | Uint8Array,
  type: string,
): Promise<Answer> {
  sent += 1;
  const path = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => example.path?.[name] ?? 'none');
  const headers: Record<string, string> = { ...example.headers, ...credential };
  if (type) headers['Content-Type'] = type;
  const response = await t.fetch(
    new Request(`http://localhost${path}`, { method: binding.method, headers, body: body.slice() }),
  );
  const said = JSON.parse(await response.text());
  return { status: response.status, error: said.error, fields: said.fields };
}

/** What must hold of every answer; throws what does not. */
async function hold(target: Target, body: string | Uint8Array, type = 'application/json'): Promise<Answer> {
  if (resting === null) {
    await t.rest();
    resting = await rowCounts();
  }
  const answer = await post(target, body, type);
  const shown = `${target.binding.method} ${target.binding.path} ${typeof body === 'string' ? body.slice(0, 300) : 'bytes'}`;
  if (answer.status >= 500) throw new Error(`${answer.status} for ${shown}`);
  if (answer.status < 400) {
    resting = null;
    return answer;
  }
  if (!answer.error) throw new Error(`no code for ${shown}`);
  if (answer.error === 'invalid_request' && !answer.fields?.every(({ path, message }) => path && message)) {
    throw new Error(`no field named for ${shown}`);
  }
  const after = await rowCounts();
  if (after !== resting) throw new Error(`refused, but stored: ${shown}\n${resting}\n${after}`);
  return answer;
}

const deep = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

/** JSON texts that clients never mean to send. */
const TOKENS = [
  ...['1e400', '-1e400', '-0', '9007199254740993', '1e-400', '123456789012345678901234567890', '0.1', '-1'],
  ...['null', 'true', '""', '" "', '[]', '{}', '[null]', '[{}]', '{"":""}', '"2026-02-30T99:99:99Z"'],
  ...['"\\ud800"', '"a\\udfffb"', '"\\u0000"', '["\\ud800"]', '{"\\ud800":1}', '"\\u202e\\u200b"'],
  ...[
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"toString":1}',
    '"__proto__"',
    '["__proto__"]',
  ],
  ...[
    deep(64, '[', ']'),
    deep(5_000, '[', ']'),
    deep(5_000, '{"a":', '}').replace('}', '1}'),
    `"${'x'.repeat(255 * 1024)}"`,
  ],
  ...[`[${'0,'.repeat(20_000)}0]`, `[${'"a",'.repeat(5_000)}"a"]`, `"${'é'.repeat(70_000)}"`],
];

const token = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TOKENS) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(...naughtyStrings()).map((text) => JSON.stringify(text)) },
);

const TYPES = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'text/plain', 'application/xml', 'multipart/form-data', 'application/json5'),
  },
);

/** Bodies for a route: its example with some fields replaced, added, doubled or cut, or nothing like it at all. */
function bodies(fields: readonly (readonly [string, string])[], names: readonly string[]): fc.Arbitrary<string> {
  const object = (pairs: readonly (readonly [string, string])[]): string =>
    `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
  const name = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...names, 'unknown') },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'fault', 'error', 'toString', '') },
  );
  const changes = fc.array(fc.tuple(name, token), { minLength: 1, maxLength: 3 });
  const doubled = changes.map((changed) => object([...fields, ...changed]));
  const replaced = changes.map((changed) =>
    object([...fields.filter(([own]) => !changed.some(([it]) => it === own)), ...changed]),
  );
  const alone = changes.map(object);
  const cut = replaced.chain((text) => fc.nat(Math.min(text.length, 400)).map((at) => text.slice(0, at)));
  return fc.oneof(
    { weight: 6, arbitrary: replaced },
    { weight: 2, arbitrary: doubled },
    { weight: 2, arbitrary: alone },
    cut,
    token,
  );
}

function namesOf({ operation }: Target): string[] {
  const { properties = {} } = operation.input as { properties?: Record<string, unknown> };
  return Object.keys(properties);
}

test('generated bodies get an answer that says what is wrong, and store nothing when refused', async () => {
  for (const target of targets) {
    const fields = Object.entries(target.example.body ?? {}).map(
      ([name, value]) => [name, JSON.stringify(value)] as const,
    );
    const property = fc.asyncProperty(bodies(fields, namesOf(target)), TYPES, async (body, type) => {
      await hold(target, body, type);
    });
    await fc.assert(property, { seed: SEED, numRuns: BODIES_PER_ROUTE, endOnFailure: true });
  }
  expect(sent).toBeGreaterThan(2_000);
}, 600_000);

/** Values of every JSON type, to put where another type belongs. */
const OTHERS: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 7.5,
  boolean: true,
  object: { a: 1 },
  array: ['x', 7],
};

test('nesting is bounded, so that nothing that writes a value out again runs out of stack', async () => {
  const target = targets.find(({ operation }) => operation.name === 'inbox.respond');
  if (!target) throw new Error('nothing answers events');
  for (const nested of [deep(125_000, '[', ']'), deep(40_000, '{"a":', '}').replace('}', '1}'), deep(101, '[', ']')]) {
    const answer = await hold(target, `{"action":"later","input":{"x":${nested},"y":"\\ud800"}}`);
    expect(answer).toMatchObject({ status: 400, fields: [{ path: 'body', message: expect.stringContaining('nest') }] });
  }
  const brackets = '['.repeat(500);
  expect(await hold(target, `{"action":"later","note":"\\"${brackets}"}`)).toMatchObject({
    status: 400,
    error: 'invalid_action',
  });
});

test('a field of a wrong type is refused by its name', async () => {
  const silent: string[] = [];
  for (const target of targets) {
    const { properties = {} } = target.operation.input as { properties?: Record<string, { type?: string }> };
    for (const [name, { type }] of Object.entries(properties)) {
      if (type === undefined || target.example.path?.[name] !== undefined) continue;
      const wrong = Object.entries(OTHERS).filter(
        ([kind]) => kind !== type && !(type === 'integer' && kind === 'number'),
      );
      for (const [, value] of wrong) {
        const answer = await hold(target, JSON.stringify({ ...target.example.body, [name]: value }));
        const named = answer.fields?.some(({ path }) => path === name || path.startsWith(`${name}.`));
        if (answer.status !== 400 || !named) silent.push(`${target.operation.name} ${name}: ${JSON.stringify(answer)}`);
      }
    }
  }
  expect(silent).toEqual([]);
}, 600_000);

/** Every copy of a value in which one text, at any depth, has grown a NUL; with the path of that text. */
function* withNul(value: unknown, path: string): Generator<{ path: string; grown: unknown }> {
  if (typeof value === 'string') yield { path, grown: `${value.slice(0, 3)}\0${value.slice(3)}` };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const { path: at, grown } of withNul(inner, path ? `${path}.${key}` : key)) {
      yield { path: at, grown: Array.isArray(value) ? value.with(Number(key), grown) : { ...value, [key]: grown } };
    }
  }
}

test('NUL, which one engine keeps and the other does not, is refused by the name of its field', async () => {
  let tried = 0;
  for (const target of targets) {
    const { properties = {} } = target.operation.input as { properties?: Record<string, { type?: string }> };
    const texts = Object.entries(properties).flatMap(([name, { type }]) => (type === 'string' ? [[name, 'text']] : []));
    const inPath = Object.keys(target.example.path ?? {});
    const whole = {
      ...Object.fromEntries(texts.filter(([name = '']) => !inPath.includes(name))),
      ...target.example.body,
    };
    for (const { path, grown } of withNul(whole, '')) {
      tried += 1;
      const answer = await hold(target, JSON.stringify(grown));
      expect({ operation: target.operation.name, ...answer }).toMatchObject({ status: 400, error: 'invalid_request' });
      expect(answer.fields?.map((field) => field.path)).toEqual([path]);
    }
  }
  expect(tried).toBeGreaterThan(50);
}, 600_000);

describe('the corpora', () => {
  const there = existsSync(CASES);
  if (!there) console.warn(`skipped: the JSON cases are not at ${CASES}`);

  test.skipIf(!there)(
    'what JSON refuses is never accepted, whatever the route',
    async () => {
      const cases: { name: string; expect: string; base64: string }[] = await Bun.file(CASES).json();
      for (const [at, { name, expect: expected, base64 }] of cases.entries()) {
        const bytes = Buffer.from(base64, 'base64');
        for (const target of [targets[at % targets.length], targets[(at * 7 + 3) % targets.length]]) {
          if (!target || target.operation.name === 'platform.clock') continue;
          const { status } = await hold(target, new Uint8Array(bytes));
          // No bytes at all are the same as {}, by decision.
          if (expected === 'refuse' && bytes.length > 0 && status < 400) throw new Error(`${name} was accepted`);
        }
      }
    },
    600_000,
  );

  test('naughty strings come back as they were sent, or are refused', async () => {
    const target = targets.find(({ operation }) => operation.name === 'message.send');
    if (!target) throw new Error('nothing sends messages');
    resting = null;
    const { owner, conversation_id } = await sceneOf(t, 'naughty');
    const path = `/api/messages/${await conversation_id()}`;
    for (const content of naughtyStrings()) {
      const answer = await t.call('POST', path, { key: owner.key, body: { content } });
      if (answer.status < 300) expect(answer.body.content).toBe(content);
      else expect(answer.status).toBe(400);
    }
  }, 600_000);
});
