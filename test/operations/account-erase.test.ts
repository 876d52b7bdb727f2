// What a deleted account leaves behind goes slice by slice: a process that dies on the way goes on where it was, whatever comes in
// late changes nothing of it, and no slice is long.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyUses } from '../../actors/key-uses.ts';
import { insert } from '../../db/effects.ts';
import { keyByHash } from '../../db/queries/identity.ts';
import type { Store, Turn } from '../../db/store.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { standing } from '../../src/operations/account/erase/stages.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { chatAnswer, negotiatorAt, openModelDouble } from '../support/model-double.ts';
import { dropStore, readStoredRows } from '../support/store.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
    await dropStore(folder);
  }
});

/** A store whose turns fail once so many were made since it was armed, as those of a process that is no more. */
function mortal(): { readonly before: (store: Store) => Store; arm(turns: number): void; readonly made: () => number } {
  let left = Number.POSITIVE_INFINITY;
  let made = 0;
  const before = (store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        if (name !== 'turn') {
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        }
        return <O>(turn: Turn<O>) => {
          made += 1;
          left -= 1;
          return left < 0 ? Promise.reject(new Error('the process is no more')) : target.turn(turn);
        };
      },
    });
  const arm = (turns: number): void => {
    left = turns;
  };
  return { before, arm, made: () => made };
}

/** An agent with more of all than a slice holds. */
async function busyAgent(t: TestService, other: TestAgent): Promise<TestAgent> {
  const agent = await newAgent(t, { handle: 'marigold', body: { display_name: 'Marigold Quist' } });
  const { store, id } = t.service.world;
  const now_ms = t.clock.now();
  const conversation_id = id();
  const thread = {
    opener_id: agent.id,
    other_id: other.id,
    match_id: null,
    phase: 'qualification',
    status: 'open',
  } as const;
  const written = Array.from({ length: 230 }, (_, at) =>
    insert('messages', {
      ...{ id: id(), conversation_id, n: at + 1, sender_id: agent.id, sender_handle: 'marigold', kind: 'text' },
      ...{ content: `line ${at}`, created_at: now_ms },
    }),
  );
  const blocks = Array.from({ length: 120 }, (_, at) =>
    insert('claims', {
      ...{ id: id(), agent_id: agent.id, provider: 'domain', external_id: `marigold${at}.example` },
      ...{ verified_at: now_ms, checked_at: now_ms },
    }),
  );
  const meetings = Array.from({ length: 120 }, () =>
    insert('meetings', {
      ...{ id: id(), conversation_id, by_id: agent.id, starts_at: now_ms, duration_minutes: 30 },
      ...{ url: 'https://meet.example/marigold', created_at: now_ms },
    }),
  );
  const head = { id: conversation_id, ...thread, subject: 'Ropes', last_n: 230, opener_sent: 230 };
  const made = insert('conversations', { ...head, created_at: now_ms, updated_at: now_ms });
  await store.turn({ attempt: async () => ({ reply: null, effects: [made, ...written, ...blocks, ...meetings] }) });
  return agent;
}

async function named(folder: string): Promise<number> {
  const tables = ['accounts', 'agents', 'claims', 'messages', 'api_keys', 'events', 'sessions', 'meetings'];
  const texts = tables.map(async (table) => JSON.stringify(await readStoredRows(folder, `select * from ${table}`)));
  return (await Promise.all(texts)).join().match(/marigold/gi)?.length ?? 0;
}

test.each([1, 3, 5, 8, 13])('a process that dies after %d turns of it leaves nothing behind', async (turns) => {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-erase-'));
  folders.push(data_dir);
  const store = mortal();
  const first = await openTestService({}, 'memory', { data_dir, before_store: store.before });
  const other = await newAgent(first, { handle: 'stays_put' });
  const agent = await busyAgent(first, other);
  expect((await first.call('DELETE', '/api/account', { token: agent.token })).status).toBe(200);
  store.arm(turns);
  await first.rest().catch(() => {});
  expect(await named(data_dir)).toBeGreaterThan(0);
  await first.close().catch(() => {});
  const second = await openTestService({}, 'memory', { data_dir, clock: first.clock });
  await second.advance(60_000);
  expect(await named(data_dir)).toBe(0);
  await second.close();
});

test('money that comes in afterwards lies in the wallet, and the ledger holds', async () => {
  const t = await openTestService();
  const agent = await newAgent(t, { handle: 'late_money', verified: true });
  expect((await t.call('DELETE', '/api/account', { token: agent.token })).status).toBe(200);
  await t.rest();
  await fundWallet(t, agent.id, 500);
  await t.advance(DAY_MS);
  expect(await balanceOf(t, `wallet:${agent.id}`)).toBe(500);
  const headers = { 'x-internal-token': t.internal_token };
  expect((await t.call('GET', '/api/admin/ledger/check', { headers })).body).toMatchObject({ ok: true, problems: [] });
  await t.close();
});

/** A store that calls `first` once between the reads and the commit of a turn that removes rows of `table`. */
function interrupted(table: string, first: () => Promise<unknown>): (store: Store) => Store {
  let is_done = false;
  return (store) =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'turn') return typeof value === 'function' ? value.bind(target) : value;
        return <O>(turn: Turn<O>) =>
          target.turn({
            ...turn,
            attempt: async (read) => {
              const decided = await turn.attempt(read);
              const removes = decided.effects?.some((effect) => effect.do === 'remove' && effect.table === table);
              if (removes && !is_done) {
                is_done = true;
                await first();
              }
              return decided;
            },
          });
      },
    });
}

describe('what a timer writes down later goes with its owner', () => {
  const rowsOf = (t: TestService, table: string) =>
    readStoredRows(t.service.world.settings.data_dir, `select * from ${table}`);
  const leave = async (t: TestService, { token }: TestAgent): Promise<void> => {
    expect((await t.call('DELETE', '/api/account', { token })).status).toBe(200);
  };
  const use = (t: TestService, { key }: TestAgent) => t.call('GET', '/api/auth/key', { key });

  test('where it was written before', async () => {
    const t = await openTestService();
    const agent = await newAgent(t, { handle: 'left_early', verified: true });
    await use(t, agent);
    await t.call('GET', '/api/agents/public/left_early');
    await t.service.flush();
    expect([(await rowsOf(t, 'key_uses')).length, (await rowsOf(t, 'views')).length]).toEqual([1, 1]);
    await leave(t, agent);
    await t.rest();
    expect([await rowsOf(t, 'api_keys'), await rowsOf(t, 'key_uses'), await rowsOf(t, 'views')]).toEqual([[], [], []]);
    expect((await t.service.world.store.checkRows(t.clock.now())).problems).toEqual([]);
    await t.close();
  });

  test('where it is still in memory', async () => {
    const t = await openTestService();
    const agent = await newAgent(t, { handle: 'left_soon', verified: true });
    await use(t, agent);
    await t.call('GET', '/api/agents/public/left_soon');
    await leave(t, agent);
    await t.rest();
    await t.service.flush();
    expect([await rowsOf(t, 'key_uses'), await rowsOf(t, 'views')]).toEqual([[], []]);
    await t.close();
  });

  test('where it is written while the key is being removed', async () => {
    let flush = async (): Promise<void> => {};
    const before_store = interrupted('api_keys', () => flush());
    const t = await openTestService({}, 'memory', { before_store });
    let flushed = 0;
    flush = async () => {
      await t.service.flush();
      flushed = (await rowsOf(t, 'key_uses')).length;
    };
    const agent = await newAgent(t, { handle: 'left_amid', verified: true });
    await use(t, agent);
    await leave(t, agent);
    await t.rest();
    expect(flushed).toBe(1);
    expect([await rowsOf(t, 'api_keys'), await rowsOf(t, 'key_uses')]).toEqual([[], []]);
    await t.close();
  });

  test('where the account is erased while it is being written', async () => {
    const t = await openTestService();
    const agent = await newAgent(t, { handle: 'left_then', verified: true });
    const [key] = await rowsOf(t, 'api_keys');
    const { store } = t.service.world;
    let attempts = 0;
    const turn = <O>(by: Turn<O>) =>
      store.turn({
        ...by,
        attempt: async (read) => {
          const decided = await by.attempt(read);
          attempts += 1;
          if (attempts > 1) return decided;
          await leave(t, agent);
          await t.rest();
          return decided;
        },
      });
    const uses = new KeyUses({ turn } as Pick<Store, 'turn'>);
    uses.note(String(key?.['id']), t.clock.now());
    await uses.flush();
    expect([attempts, uses.unwritten(String(key?.['id']))]).toEqual([2, null]);
    expect(await rowsOf(t, 'key_uses')).toEqual([]);
    await t.close();
  });
});

test('what a model was asked for an agent whose account is erased meanwhile is not kept', async () => {
  const double = openModelDouble();
  const t = await openTestService({}, 'memory', { negotiator: negotiatorAt(double) });
  const { store, settings } = t.service.world;
  const buyer = await newAgent(t, { handle: 'wants_logo', verified: true, pro: true });
  const seller = await newAgent(t, { handle: 'gives_logo', verified: true, pro: true });
  await publish(t, seller, LOGO_OFFER);
  await publish(t, buyer, LOGO_SEEK);
  const [match] = await matchesOf(t, buyer);
  const { conversation_id } = (await feedback(t, buyer, match.match_id, 'interested')).body;
  let was_asked = false;
  double.answer(async ({ form }) => {
    if (!was_asked) {
      was_asked = true;
      expect((await t.call('DELETE', '/api/account', { token: buyer.token })).status).toBe(200);
      await t.advance(0);
      while (await store.read(keyByHash, { hash: sha256Hex(buyer.key) })) await Bun.sleep(10);
    }
    return chatAnswer(form, { action: 'say', text: 'Blue?', amount_cents: null, terms: null, milestones: null });
  });
  await t.call('POST', `/api/conversations/${conversation_id}/advance`, { key: buyer.key, body: {} });
  expect([was_asked, await readStoredRows(settings.data_dir, 'select id from model_calls')]).toEqual([true, []]);
  await t.close();
  await double.close();
});

test('an erasure begins anew where its stage has another name by now, and goes on where it is known', () => {
  const stages = ['claims', 'matches'].map((name) => [name, name] as const);
  const at = (stage: string, after: string) => standing(stages, { stage, after });
  expect(at('', '')).toEqual({ run: 'claims', after: '', name: 'claims', next: 'matches' });
  expect(at('matches', 'x')).toEqual({ run: 'matches', after: 'x', name: 'matches', next: null });
  expect(at('disputes', 'x')).toEqual({ run: 'claims', after: '', name: 'claims', next: 'matches' });
});
