// The interface, ticked row by row from its own documents: every tool is listed, every endpoint has a route, every kind of event is sent
// and caused. A row that is added to a list and served by nothing fails here.
import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_KINDS } from '../src/domain/inbox/event.ts';
import { registry } from '../src/operations/registry.ts';
import { toolsOf } from '../src/transports/tools.ts';
import { callRpc } from './support/a2a.ts';
import { newAgent, newProvisional, type TestAgent } from './support/agents.ts';
import {
  a2aMethods,
  type Endpoint,
  endpointRows,
  endpointsNamed,
  eventKinds,
  INTERFACE,
  pathsNamed,
  RULES,
  section,
  shapeOf,
  toolNames,
} from './support/interface-lists.ts';
import { rpc } from './support/mcp.ts';
import { sharedService } from './support/opened.ts';
import { signUp } from './support/testbed.ts';

const ROOT = join(import.meta.dir, '..');
/** What needs a right that keys of the Pro plan alone can have: analytics, and whatever spends money. */
const ONLY_PRO: string[] = [
  'mesh_get_analytics',
  'mesh_attest_funds',
  'mesh_send_payment',
  'mesh_create_escrow',
  'mesh_release_milestone',
  'mesh_open_dispute',
  'mesh_accept_settlement',
  'mesh_concede_dispute',
  'mesh_withdraw_dispute',
  'mesh_buy_listing',
  'mesh_subscribe',
  'mesh_cancel_subscription',
];
/** What an account is shown that nobody has claimed yet. */
const PROVISIONAL: string[] = [
  'mesh_get_profile',
  'mesh_update_profile',
  'mesh_get_trust_score',
  'mesh_set_visibility',
  'mesh_ping_agent',
  'mesh_onboarding_status',
  'mesh_get_listings',
  'mesh_start_conversation',
  'mesh_send_message',
  'mesh_get_messages',
  'mesh_list_conversations',
  'mesh_close_conversation',
  'mesh_wallet_balance',
  'mesh_browse_services',
  'mesh_browse_marketplace',
  'mesh_browse_demand',
  'mesh_list_capabilities',
  'mesh_get_quote',
  'mesh_list_router_calls',
];

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada', verified: true, pro: true });
});

/** A row that no list has, put behind one that it has. */
function withRow(text: string, behind: string, row: string): string {
  expect(text.split(behind)).toHaveLength(2);
  return text.replace(behind, `${behind}\n${row}`);
}

/** What is in the one and not in the other. */
const without = (names: readonly string[], there: Iterable<string>): string[] => {
  const known = new Set(there);
  return names.filter((name) => !known.has(name));
};

/** The names of the tools that a credential is shown. */
async function listed(headers: Record<string, string>): Promise<string[]> {
  const { body } = await rpc(t, 'tools/list', {}, { revision: '2025-11-25', query: '?toolset=all', headers });
  return body.result.tools.map(({ name }: { name: string }) => name);
}

describe('every tool', () => {
  const named = toolNames(INTERFACE);

  test('is listed for a person who is signed in, and proven, and pays', async () => {
    expect(without(named, await listed({ Authorization: `Bearer ${ada.token}` }))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  test('that only some credentials are shown is known by name', async () => {
    const free = await signUp(t, 'free@example.org');
    const { key: provisional } = await newProvisional(t, 'newcomer');
    const [pro_key, free_key, provisional_key] = [
      await listed({ 'X-API-Key': ada.key }),
      await listed({ 'X-API-Key': free }),
      await listed({ 'X-API-Key': provisional }),
    ];
    expect(without(named, pro_key)).toEqual([]);
    expect(without(named, free_key)).toEqual(ONLY_PRO);
    expect(named.filter((name) => provisional_key.includes(name))).toEqual(PROVISIONAL);
  });

  test('beyond the interface’s says that it is one', () => {
    const own = toolsOf(registry()).filter(({ extension }) => extension);
    const promised = ['submit_deliverable', 'award_demand', 'get_inbox', 'respond', 'get_dispute'];
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(promised.map((name) => `mesh_${name}`)));
    expect(toolsOf(registry()).filter(({ extension, name }) => extension === named.includes(name))).toEqual([]);
  });

  test('but the one that makes an agent needs one', async () => {
    const key = await signUp(t, 'agentless@example.org');
    const request = { key, revision: '2025-11-25' };
    expect(await listed({ 'X-API-Key': key })).toContain('mesh_register');
    const early = await rpc(t, 'tools/call', { name: 'mesh_get_inbox', arguments: {} }, request);
    expect(early.body.result.isError).toBe(true);
    const given = { handle: 'from_nothing', display_name: 'From nothing' };
    const made = await rpc(t, 'tools/call', { name: 'mesh_register', arguments: given }, request);
    expect(made.body.result.structuredContent).toMatchObject({ handle: 'from_nothing' });
  });

  test('that is added to the table is asked for', async () => {
    const row = '| weather | mesh_make_rain, mesh_make_sun |';
    const text = withRow(INTERFACE, '| webhooks | mesh_manage_webhook |', row);
    const served = toolsOf(registry()).map(({ name }) => name);
    expect(without(toolNames(text), served)).toEqual(['mesh_make_rain', 'mesh_make_sun']);
  });
});

/** Those that have no route, by what the paths themselves say they take. */
async function unserved(endpoints: readonly Endpoint[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const { method, path } of endpoints) {
    const url = `http://localhost${path.replaceAll(/\{\w+\}/g, 'x')}`;
    const { status, headers } = await t.fetch(new Request(url, { method: 'OPTIONS' }));
    const taken = status === 204 ? (headers.get('Allow') ?? '').split(', ') : [];
    if (method === null ? taken.length === 0 : !taken.includes(method)) missing.add(`${method ?? 'any'} ${path}`);
  }
  return [...missing];
}

const spelled = (endpoints: readonly Endpoint[]): string[] => endpoints.map(({ method, path }) => `${method} ${path}`);

describe('every endpoint', () => {
  test('of the tables has a route', async () => {
    const rows = endpointRows(INTERFACE);
    expect(rows.length).toBeGreaterThan(100);
    expect(await unserved(rows)).toEqual([]);
  });

  test('that the text beside the tables names has a route', async () => {
    const named = endpointsNamed(section(INTERFACE, 'Endpoints'));
    expect(spelled(named)).toEqual(
      expect.arrayContaining([
        'POST /api/subscriptions',
        'POST /api/subscriptions/{id}/resume',
        'DELETE /api/developer/keys/{id}',
        'POST /a2a/rpc',
        'GET /mcp/sse',
        'null /api/store/requests',
      ]),
    );
    expect(await unserved(named)).toEqual([]);
  });

  test('that rules.md 6 adds has a route', async () => {
    const named = endpointsNamed(section(RULES, '6. Matching, conversations, deals'));
    expect(spelled(named)).toEqual(
      expect.arrayContaining([
        'POST /api/matching/explain',
        'DELETE /api/matching/taste',
        'POST /api/conversations/{id}/propose',
        'POST /api/conversations/{id}/meetings/{id}/complete',
      ]),
    );
    expect(await unserved(named)).toEqual([]);
  });

  test('that is added to a table is asked for', async () => {
    const behind = '| POST | /api/demand/{id}/award | Takes one of the quotes; a conversation opens |';
    const rows = ['| PUT | /api/demand/{id} | x |', '| GET, POST | /api/rain/{id}, /api/demand?q=<text> `{now}` | x |'];
    const text = withRow(INTERFACE, behind, rows.join('\n'));
    expect(await unserved(endpointRows(text))).toEqual(['PUT /api/demand/{id}', 'GET /api/rain/{id}']);
    expect(() => endpointRows(withRow(INTERFACE, behind, '| GET | nowhere | x |'))).toThrow('no endpoint');
  });
});

test('every method of A2A is known', async () => {
  const methods = a2aMethods(INTERFACE);
  expect(methods).toEqual(expect.arrayContaining(['initialize', 'tasks/cancel', 'agent/ping', 'message/get']));
  const codeOf = async (method: string): Promise<number | undefined> =>
    (await callRpc(t, { method, params: {} }, { key: ada.key })).body.error?.code;
  expect(await codeOf('agent/rain')).toBe(-32601);
  for (const method of methods) expect([method, await codeOf(method)]).not.toEqual([method, -32601]);
});

describe('every kind of event', () => {
  const named = eventKinds(INTERFACE);

  test('of the table is known', () => {
    expect(named.length).toBeGreaterThan(15);
    expect(without(named, EVENT_KINDS)).toEqual([]);
  });

  test('is sent by an operation or a step, and caused through a door', async () => {
    const glob = new Bun.Glob('src/{operations,steps,matching}/**/*.ts');
    const sources = await Array.fromAsync(glob.scan(ROOT), (file) => readFileSync(join(ROOT, file), 'utf8'));
    const told = sources.flatMap((text) => [...text.matchAll(/\btell(?:OfMeeting)?\([^;]*?'([a-z]+\.[a-z_]+)'/g)]);
    expect(
      without(
        EVENT_KINDS,
        told.map(([, kind = '']) => kind),
      ),
    ).toEqual([]);
    const scenario = readFileSync(join(ROOT, 'test/operations/event-kinds.test.ts'), 'utf8');
    const caused = [...scenario.matchAll(/^ {4}kind: '([\w.]+)',$/gm)].map(([, kind = '']) => kind);
    expect(without(EVENT_KINDS, caused)).toEqual([]);
  });

  test('that is added to the table is asked for', () => {
    const text = withRow(INTERFACE, '| test.ping | the inbox was tested | |', '| rain.began, rain.ended | rain | |');
    expect(without(eventKinds(text), EVENT_KINDS)).toEqual(['rain.began', 'rain.ended']);
  });
});

test('an operation that no document of src/docs/spec names says who needs it, and no other does', () => {
  const documents = ['interface', 'rules', 'questions', 'protocols'].map((name) =>
    readFileSync(join(ROOT, `src/docs/spec/${name}.md`), 'utf8'),
  );
  const paths = new Set(documents.flatMap((text) => [...pathsNamed(text)]));
  const tools = new Set(documents.flatMap((text) => text.match(/\bmesh_[a-z_]+/g) ?? []));
  const wrong = registry().filter(({ access, rest, tools: bound = [], needed_by }) => {
    const named = rest.some(({ path }) => paths.has(shapeOf(path))) || bound.some(({ name }) => tools.has(name));
    return (needed_by !== undefined) !== (access !== 'internal' && !named);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
