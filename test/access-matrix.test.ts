// Who gets in where: every address of every operation, asked by every kind of caller, against a golden table. A change of
// it is seen in the commit; `UPDATE_GOLDEN=1 bun test test/access-matrix.test.ts` writes it anew.
import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { AnyOperation, RestBinding } from '../src/contract/operation.ts';
import { SCOPES } from '../src/domain/identity/scope.ts';
import { registry } from '../src/operations/registry.ts';
import { newAgent, newProvisional, signIn, type TestAgent } from './support/agents.ts';
import { type Example, exampleFor, sentBody } from './support/examples.ts';
import { sharedService } from './support/opened.ts';
import { absentScene, counterpart, keyWith, type Scene, sceneOf } from './support/scene.ts';
import { withToolDoors } from './support/tools.ts';

const GOLDEN = join(import.meta.dir, 'golden/access-matrix.md');
const COLUMNS = [
  'none',
  'bad key',
  'expired key',
  'provisional key',
  'no scope',
  'scope',
  "other's key",
  "other's session",
  'session',
  'internal',
] as const;
/** Well-formed but never issued. */
const BAD_KEY = 'mesh_live_0000000000000000000000000000000000000000000_0000000';

/** What a key of any account may ask about the agent that the example names as the caller's own, or about what stands on a board
 * for all, and what goes well but once. Where an example names `SAMPLE.other_handle`, there is nothing to be said here. */
const MEANT_FOR_ALL: ReadonlySet<string> = new Set(['agent.read', 'agent.unblock', 'demand.quote']);

/** What whoever may do it does to its own account, so that each who does it is somebody new. */
const ENDS_ACCOUNT: ReadonlySet<string> = new Set(['account.delete']);

type Column = (typeof COLUMNS)[number];
type Sent = Readonly<Record<string, string>>;

const t = sharedService();
let stranger: TestAgent;
/** Owns what callers name that must not get in; never changed, or a refusal was none. */
let shared: Scene;
let scenes = 0;

beforeAll(async () => {
  await counterpart(t);
  stranger = await newAgent(t, { handle: 'stranger', verified: true, pro: true });
  shared = await sceneOf(t, 'shared_owner');
});

const routes = withToolDoors(registry()).flatMap((operation) =>
  operation.rest.map((binding) => ({ operation, binding })),
);

function addressOf(binding: RestBinding, example: Example): string {
  const path = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(example.path?.[name] ?? `no-${name}`),
  );
  return example.query ? `${path}?${example.query}` : path;
}

async function answered(binding: RestBinding, example: Example, credential: Sent): Promise<string> {
  const reads = binding.method === 'GET' || binding.method === 'DELETE';
  const { type, text } = sentBody(example);
  const headers = { 'Content-Type': type, ...example.headers, ...credential };
  const body = reads ? undefined : text;
  const response = await t.fetch(
    new Request(`http://localhost${addressOf(binding, example)}`, { method: binding.method, headers, body }),
  );
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return String(response.status);
  }
  const said: { error?: string } = JSON.parse(await response.text());
  return response.ok ? String(response.status) : `${response.status} ${said.error}`;
}

/** Whether a request names what belongs to its owner, apart from the caller itself. */
function isNaming(binding: RestBinding, example: Example): boolean {
  return example.names === true || (example.path !== undefined && binding.path.includes('{'));
}

function scopesOf(operation: AnyOperation): (typeof SCOPES)[number][] {
  return operation.scope && operation.scope !== 'any' ? [operation.scope] : ['discovery:read'];
}

/** A cell in which the caller gets in and changes something has an owner of its own: the request may use up what it names. */
async function ownerFor({ access, kind }: AnyOperation): Promise<Scene> {
  if (access === 'public' || kind === 'query' || kind === 'stream') return shared;
  scenes += 1;
  return sceneOf(t, `owner_${scenes}`);
}

async function cell(column: Column, operation: AnyOperation, binding: RestBinding): Promise<string> {
  const asked = async (scene: Scene, credential: Sent): Promise<string> =>
    answered(binding, await exampleFor(operation, binding, scene), credential);
  switch (column) {
    case 'none':
      return asked(shared, {});
    case 'bad key':
      return asked(shared, { 'X-API-Key': BAD_KEY });
    case 'expired key': {
      const key = await keyWith(t, shared.owner.email, SCOPES, t.clock.now() - 1);
      return asked(shared, { 'X-API-Key': key });
    }
    case 'provisional key': {
      const { key, agent } = await newProvisional(t, `provisional_${++scenes}`);
      const example = await exampleFor(operation, binding, shared);
      const path = example.path && binding.acting ? { ...example.path, [binding.acting]: agent.handle } : example.path;
      return answered(binding, { ...example, path }, { 'X-API-Key': key });
    }
    case 'no scope': {
      const others = SCOPES.filter((scope) => scope !== operation.scope);
      return asked(shared, { 'X-API-Key': await keyWith(t, shared.owner.email, others) });
    }
    case 'scope': {
      const scene = await ownerFor(operation);
      return asked(scene, { 'X-API-Key': await keyWith(t, scene.owner.email, scopesOf(operation)) });
    }
    case "other's key":
      return asked(
        shared,
        await strangers(operation, binding, { 'X-API-Key': await keyWith(t, stranger.email, SCOPES) }),
      );
    case "other's session":
      return asked(
        shared,
        await strangers(operation, binding, { Authorization: `Bearer ${await strangersToken(operation)}` }),
      );
    case 'session': {
      const scene = await ownerFor(operation);
      return asked(scene, { Authorization: `Bearer ${scene.owner.token}` });
    }
    case 'internal':
      // Whoever runs the server may do what an administrator does.
      return asked(operation.access === 'admin' ? await ownerFor(operation) : shared, {
        'X-Internal-Token': t.internal_token,
      });
  }
}

async function strangersToken({ name }: AnyOperation): Promise<string> {
  if (!ENDS_ACCOUNT.has(name)) return signIn(t, stranger.email);
  scenes += 1;
  return (await newAgent(t, { handle: `leaver_${scenes}` })).token;
}

/** Where the request itself names nothing of the owner's, the stranger asks to act as the owner's agent. */
async function strangers(operation: AnyOperation, binding: RestBinding, credential: Sent): Promise<Sent> {
  if (operation.agent !== 'required') return credential;
  const naming = isNaming(binding, await exampleFor(operation, binding, shared));
  return { ...credential, 'X-Agent-Handle': naming ? stranger.handle : shared.owner.handle };
}

async function table(): Promise<string> {
  const lines: string[] = [];
  for (const { operation, binding } of routes) {
    const cells: string[] = [];
    for (const column of COLUMNS) cells.push(await cell(column, operation, binding));
    lines.push(`| ${operation.name} | ${binding.method} ${binding.path} | ${cells.join(' | ')} |`);
  }
  const head = ['operation', 'address', ...COLUMNS];
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...lines.sort(), ''].join('\n');
}

test('everyone gets in where the golden table says, and nowhere else', async () => {
  const now = await table();
  if (process.env['UPDATE_GOLDEN']) await Bun.write(GOLDEN, now);
  expect(now.split('\n')).toEqual((await Bun.file(GOLDEN).text()).split('\n'));
}, 600_000);

test('what is somebody else’s answers as if it did not exist, but for what tells who is no party to it', async () => {
  const key = await keyWith(t, stranger.email, SCOPES);
  const told: string[] = [];
  const closed = routes.filter(({ operation }) => operation.access === 'key' && !MEANT_FOR_ALL.has(operation.name));
  for (const { operation, binding } of closed) {
    const example = await exampleFor(operation, binding, shared);
    if (!isNaming(binding, example)) continue;
    const credential = await strangers(operation, binding, { 'X-API-Key': key });
    const theirs = await answered(binding, example, credential);
    const absent = await answered(binding, await exampleFor(operation, binding, absentScene(shared)), credential);
    // An answer to an event declares what escrows refuse with, and is itself about an event.
    const tells = operation.faults.includes('not_a_party') && binding.path.includes('{escrow_id}');
    const expected = tells ? '403 not_a_party' : absent;
    if (theirs !== expected) told.push(`${operation.name}: ${theirs}, but ${absent} when absent`);
  }
  expect(told).toEqual([]);
}, 600_000);

test('a refused request changed nothing of what it named', async () => {
  const { owner } = shared;
  const own = await t.call('GET', `/api/agents/${owner.handle}`, { key: owner.key });
  expect([own.status, own.body.handle, own.body.headline]).toEqual([200, owner.handle, '']);
  expect((await t.call('GET', '/api/v1/listings', { key: owner.key })).body).toHaveLength(1);
});
