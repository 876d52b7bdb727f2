// The platform's agent: there from the first start, on a fresh database and on one that had none, made once however many
// nodes start; messaged like any other agent, and met by nobody anywhere else.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insert } from '../../db/effects.ts';
import { agentById, handleById } from '../../db/queries/agent.ts';
import { accountById, keysOfAccount } from '../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../db/query.ts';
import { PLATFORM_ACCOUNT_ID, PLATFORM_AGENT_ID } from '../../src/domain/agent/platform.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { blankAgent } from '../../src/steps/agent/blank.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { handIn } from '../support/mail.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { dropStore, openStore } from '../support/store.ts';
import { openTestService, START_MS, type TestService } from '../support/testbed.ts';

const handleRow = (t: TestService, id: string) => t.service.world.store.read(handleById, { id });
const agentRow = (t: TestService) => t.service.world.store.read(agentById, { id: PLATFORM_AGENT_ID });

describe('on a network with an agent beside it', () => {
  let t: TestService;
  let ada: TestAgent;
  beforeAll(async () => {
    t = await openTestService();
    ada = await newAgent(t, { handle: 'ada', verified: true });
  });
  afterAll(() => t.close());

  test('it has its row, its handle and an account that nobody can sign in to', async () => {
    const { read } = t.service.world.store;
    expect(await agentRow(t)).toMatchObject({ handle: 'concierge', kind: 'platform', account_id: PLATFORM_ACCOUNT_ID });
    expect(await handleRow(t, 'concierge')).toMatchObject({ kind: 'current', agent_id: PLATFORM_AGENT_ID });
    expect(await read(accountById, { id: PLATFORM_ACCOUNT_ID })).toMatchObject({ email: null });
    const keys = { account_id: PLATFORM_ACCOUNT_ID, now_ms: 0, before: HIGHEST_ID, limit: 9 };
    expect(await read(keysOfAccount, keys)).toEqual([]);
  });

  test('no list shows it, and who asks for it by its handle finds its profile and its card', async () => {
    const handles = async (path: string): Promise<string[]> =>
      (await t.call('GET', path)).body.map(({ handle }: { handle: string }) => handle);
    expect(await handles('/api/registry')).toEqual(['ada']);
    expect(await handles('/api/people/browse')).toEqual(['ada']);
    for (const path of ['agents/public/concierge', 'agents/concierge', 'agents/public/concierge/track-record']) {
      const { status, body } = await t.call('GET', `/api/${path}`, { key: ada.key });
      expect([status, body.handle]).toEqual([200, 'concierge']);
    }
    expect((await t.call('GET', '/api/agents/concierge/cards', { key: ada.key })).body).toEqual([]);
    const card = await t.call('GET', '/.well-known/agent.json?handle=concierge');
    expect([card.status, card.body['x-mesh'].handle]).toEqual([200, 'concierge']);
    expect((await t.call('GET', '/api/agents/check/concierge')).body).toMatchObject({ reason: 'reserved' });
  });

  test('it takes a message, and no letter and no push leaves for it', async () => {
    const sent = t.mails.length;
    const body = { handle: 'concierge', content: 'What is this place?' };
    const { status, body: started } = await t.call('POST', '/tools/mesh_start_conversation', { key: ada.key, body });
    expect([status, started.counterparty_handle]).toEqual([200, 'concierge']);
    await t.advance(2 * DAY_MS);
    expect(t.mails.slice(sent).filter(({ to }) => to !== ada.email)).toEqual([]);
  });

  test('mail to its handle leads nowhere, as to a name that nobody has', async () => {
    const raw = (to: string): string => `From: ${ada.email}\r\nTo: ${to}\r\nSubject: x\r\n\r\nhello\r\n`;
    const to = (name: string): string => `${name}@agents.localhost`;
    const [its, nobodys] = [
      await handIn(t, raw(to('concierge')), { to: to('concierge') }),
      await handIn(t, raw(to('nix')), { to: to('nix') }),
    ];
    expect([its.status, its.body.message]).toEqual([nobodys.status, nobodys.body.message]);
  });
});

test('a handle of three characters that it bears is one less that is left, and not two', async () => {
  const left = async (platform_handle: string): Promise<number> => {
    const t = await openTestService({ platform_handle });
    const { body } = await t.call('GET', '/api/network-stats');
    await t.close();
    return body.short_handles_remaining;
  };
  const [long, short, kept] = [await left('concierge'), await left('abc'), await left('bot')];
  expect([short, kept]).toEqual([long - 1, long]);
});

describe('on a database of before', () => {
  const folder = (): string => mkdtempSync(join(tmpdir(), 'meshwork-platform-'));
  const reopen = (data_dir: string, platform_handle: string): Promise<TestService> =>
    openTestService({ platform_handle }, 'memory', { data_dir });
  const drop = async (data_dir: string): Promise<void> => {
    rmSync(data_dir, { recursive: true, force: true });
    await dropStore(data_dir);
  };

  test('that had no such agent it is made, and what was there stays', async () => {
    const data_dir = folder();
    const options = { data_dir, dimensions: 256, model: 'm', now_ms: START_MS, database_url: undefined };
    const store = await openStore({ ...options, sealer: { seal: (plain) => plain } });
    const names = { account_id: 'old', handle: 'old', display_name: 'Old' };
    const row = blankAgent({ id: () => '0197a000-0000-7000-8000-000000000000', now_ms: START_MS }, names);
    const handle = { id: 'old', kind: 'current' as const, agent_id: row.id, email: null, expires_at: null };
    await store.turn({
      attempt: async () => ({ reply: null, effects: [insert('agents', row), insert('handles', handle)] }),
    });
    await store.close();
    const t = await reopen(data_dir, 'concierge');
    expect(await agentRow(t)).toMatchObject({ handle: 'concierge', kind: 'platform' });
    expect((await t.call('GET', '/api/registry')).body).toMatchObject([{ handle: 'old' }]);
    await t.close();
    await drop(data_dir);
  });

  test('another PLATFORM_HANDLE renames it: the old one redirects, is kept for it, and can be taken back', async () => {
    const data_dir = folder();
    await (await reopen(data_dir, 'concierge')).close();
    const renamed = await reopen(data_dir, 'desk');
    expect(await agentRow(renamed)).toMatchObject({ handle: 'desk' });
    const { body, headers } = await renamed.call('GET', '/.well-known/agent.json?handle=concierge');
    expect(body['x-mesh'].handle).toBe('desk');
    expect(headers.get('content-location') ?? headers.get('link') ?? '').toContain('desk');
    expect((await renamed.call('GET', '/api/agents/check/concierge')).body).toMatchObject({ reason: 'taken' });
    await renamed.close();
    const back = await reopen(data_dir, 'concierge');
    expect(await handleRow(back, 'concierge')).toMatchObject({ kind: 'current', agent_id: PLATFORM_AGENT_ID });
    expect(await handleRow(back, 'desk')).toMatchObject({ kind: 'alias', agent_id: PLATFORM_AGENT_ID });
    await back.close();
    await drop(data_dir);
  });

  test('a PLATFORM_HANDLE that an agent bears stops the start, and the agent keeps it', async () => {
    const data_dir = folder();
    const before = await reopen(data_dir, 'concierge');
    const ada = await newAgent(before, { handle: 'ada' });
    await before.close();
    await expect(reopen(data_dir, 'ada')).rejects.toThrow('PLATFORM_HANDLE ada is the handle of another agent');
    const after = await reopen(data_dir, 'concierge');
    expect(await handleRow(after, 'ada')).toMatchObject({ kind: 'current', agent_id: ada.id });
    await after.close();
    await drop(data_dir);
  });
});

const server = await sharedPostgres();

test.skipIf(server === null)('four nodes that start together on an empty database make one', async () => {
  if (!server) return;
  const database_url = await server.migrated();
  const nodes = await Promise.all(Array.from({ length: 4 }, () => openTestService({}, 'memory', { database_url })));
  const sql = new Bun.SQL(database_url, { max: 1 });
  const rows = await sql`SELECT handle FROM agents`;
  await sql.close({ timeout: 0 });
  await Promise.all(nodes.map((node) => node.close()));
  expect([rows.length, rows[0].handle]).toEqual([1, 'concierge']);
});
