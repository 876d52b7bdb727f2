// The statement of a wallet: every posting once, in the order of the commits, with its balance; what was held at a time; and a table
// that is safe to open.

import { beforeAll, describe, expect, test } from 'bun:test';
import { sumsOfAccount } from '../../db/queries/ledger.ts';
import { csvText } from '../../src/domain/text/csv.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { sealNow } from '../../src/steps/money/ledger.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { onPostgres } from '../support/postgres.ts';
import { keyWith } from '../support/scene.ts';
import { readStoredRows } from '../support/store.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let ada: TestAgent;
let bob: TestAgent;
let key: string;
let start_ms: number;

/** Fund 10,000; then, an hour apart each, 100, 200, 300, 400 and 500 cents to bob, and 50 back after the third. */
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'state_ada', verified: true, pro: true });
  bob = await newAgent(t, { handle: 'state_bob', verified: true, pro: true });
  key = await keyWith(t, ada.email, ['payments:write', 'agents:read']);
  const back = await keyWith(t, bob.email, ['payments:write']);
  start_ms = t.clock.now();
  await fundWallet(t, ada.id, 10_000);
  for (const n of [1, 2, 3, 4, 5]) {
    await t.advance(HOUR_MS);
    const body = {
      to_handle: bob.handle,
      amount_cents: n * 100,
      note: n === 2 ? '=HYPERLINK("https://x"),\n1' : `no. ${n}`,
    };
    await t.call('POST', '/api/wallet/send', { key, body });
    if (n === 3) {
      await t.call('POST', '/api/wallet/send', { key: back, body: { to_handle: ada.handle, amount_cents: 50 } });
    }
  }
  ada = { ...ada, token: await signIn(t, ada.email) };
});

const statement = (query = '', path = '/api/v1/wallet/transactions'): Promise<TestAnswer> =>
  t.call('GET', `${path}${query}`, { key });
const amounts = ({ body }: TestAnswer): number[] => body.map((entry: { amount_cents: number }) => entry.amount_cents);
const at = (hours: number): string => new Date(start_ms + hours * HOUR_MS).toISOString();

describe('a statement', () => {
  test('shows each posting once, newest first, with the balance after it', async () => {
    const { status, body } = await statement();
    expect(status).toBe(200);
    expect(
      body.map((entry: Record<string, unknown>) => [
        entry['kind'],
        entry['amount_cents'],
        entry['balance_after_cents'],
      ]),
    ).toEqual([
      ['send', -500, 8_550],
      ['send', -400, 9_050],
      ['send', 50, 9_450],
      ['send', -300, 9_400],
      ['send', -200, 9_700],
      ['send', -100, 9_900],
      ['fund', 10_000, 10_000],
    ]);
    expect(body[0]).toEqual({
      journal_id: `send:${body[0].reference_id}`,
      kind: 'send',
      amount_cents: -500,
      balance_after_cents: 8_550,
      gross_cents: null,
      fee_cents: null,
      net_cents: null,
      counterparty_handle: bob.handle,
      reference_id: expect.any(String),
      note: 'no. 5',
      at: at(5),
    });
    expect(body.at(-1)).toMatchObject({ counterparty_handle: null, note: null });
    expect(body[0].balance_after_cents).toBe(await balanceOf(t, `wallet:${ada.id}`));
  });

  test('is the same at every address and by the tool, and a session alone has its own', async () => {
    const mine = (await statement()).body;
    expect((await t.call('GET', '/api/wallet/transactions', { token: ada.token })).body).toEqual(mine);
    const refused = await statement('', '/api/wallet/transactions');
    expect([refused.status, refused.body.error]).toEqual([403, 'session_required']);
    expect(refused.body.how).toContain('/api/v1/wallet/transactions');
    const asked = { key, revision: '2025-11-25' };
    const { result } = (await rpc(t, 'tools/call', { name: 'mesh_list_transactions', arguments: {} }, asked)).body;
    expect(result.structuredContent).toEqual({ items: mine, next_cursor: null });
    // What bob wrote stands apart for a model, what ada wrote does not.
    const theirs = await t.call('GET', '/api/v1/wallet/transactions', { key: bob.key });
    expect(theirs.body.map(({ note }: { note: string | null }) => note)).toContain('no. 5');
  });

  test('goes in pages that no new posting moves', async () => {
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: TestAnswer = await statement(`?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...amounts(page));
      cursor = page.headers.get('x-next-cursor');
    } while (cursor);
    expect(seen).toEqual(amounts(await statement()));
    expect((await statement('?cursor=abc')).status).toBe(400);
  });

  test('is narrowed by direction, kind, time and the other side', async () => {
    expect(amounts(await statement('?direction=in'))).toEqual([50, 10_000]);
    expect(amounts(await statement('?direction=out&limit=2'))).toEqual([-500, -400]);
    expect(amounts(await statement('?kind=fund'))).toEqual([10_000]);
    expect(amounts(await statement(`?counterparty=@${bob.handle.toUpperCase()}&direction=in`))).toEqual([50]);
    expect(amounts(await statement('?counterparty=nobody_here'))).toEqual([]);
    expect(amounts(await statement(`?from=${at(2)}&to=${at(4)}`))).toEqual([50, -300, -200]);
    expect(amounts(await statement(`?from=${at(9)}`))).toEqual([]);
    expect(amounts(await statement(`?to=${at(0)}`))).toEqual([]);
    expect((await statement('?from=yesterday')).body.fields[0].path).toBe('from');
  });

  test('tells what was held at a time', async () => {
    for (const [hours, balance_cents] of [
      [-1, 0],
      [0, 10_000],
      [0.5, 10_000],
      [1, 9_900],
      [3, 9_450],
      [99, 8_550],
    ] as const) {
      expect((await statement(`?at=${at(hours)}`)).body).toEqual({ balance_cents, at: at(hours) });
    }
  });

  test('of a wallet that never had anything is empty', async () => {
    const fresh = await newAgent(t, { handle: 'state_fresh' });
    const asked = { key: fresh.key };
    expect((await t.call('GET', '/api/v1/wallet/transactions', asked)).body).toEqual([]);
    expect((await t.call('GET', `/api/v1/wallet/transactions?at=${at(1)}`, asked)).body.balance_cents).toBe(0);
  });

  test('is a table that no spreadsheet computes', async () => {
    const request = new Request('http://localhost/api/v1/wallet/transactions?format=csv&limit=6', {
      headers: { 'X-API-Key': key },
    });
    const response = await t.fetch(request);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.headers.get('x-next-cursor')).toBe('2');
    const text = await response.text();
    const [head, first] = text.split('\r\n');
    expect(head).toBe(
      'at,kind,amount_cents,balance_after_cents,counterparty_handle,reference_id,note,journal_id,gross_cents,fee_cents,net_cents',
    );
    expect(first).toStartWith(`${at(5)},send,-500,8550,state_bob,`);
    expect(text).toContain(`"'=HYPERLINK(""https://x""),\n1"`);
  });

  test('reads by its indexes', async () => {
    if (onPostgres) return;
    for (const side of ['debit', 'credit']) {
      const sql = `explain query plan select * from transfers where ${side} = 'wallet:x' and ${side}_n < 9 order by ${side}_n desc limit 5`;
      const plan = await readStoredRows(t.service.world.settings.data_dir, sql);
      expect(plan.map(({ detail }) => String(detail)).join('; ')).toBe(
        `SEARCH transfers USING INDEX transfers_${side} (${side}=? AND ${side}_n<?)`,
      );
    }
  });
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =1', "' =1"],
  ['a=1', 'a=1'],
  ['a "b"', '"a ""b"""'],
  ['a,b', '"a,b"'],
  ['\r\n', '"\'\r\n"'],
])('the cell %j is written %j', (text, written) => {
  expect(csvText(['x'], [[text]])).toBe(`x\r\n${written}\r\n`);
});

test('the balance over time is what was held at the end of each day, sealed or not yet, and now', async () => {
  const read = async () => (await t.call('GET', '/api/wallet/history', { key })).body;
  const send = (amount_cents: number) =>
    t.call('POST', '/api/wallet/send', { key, body: { to_handle: bob.handle, amount_cents } });
  const balances = (points: { balance_cents: number }[]): number[] => points.map((each) => each.balance_cents);
  const first = new Date(start_ms).toISOString().slice(0, 10);
  const { by, points } = await read();
  const balance = await balanceOf(t, `wallet:${ada.id}`);
  expect([by, points[0].balance_cents, points[1].from, points.at(-1).balance_cents]).toEqual([
    'day',
    0,
    first,
    balance,
  ]);
  await t.advance(30 * HOUR_MS);
  await send(1_000);
  const before = await read();
  expect(balances(before.points.slice(-2))).toEqual([balance, balance - 1_000]);
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [sealNow(t.clock.now())] }) });
  await t.advance(48 * HOUR_MS);
  await send(500);
  const midnight_ms = Math.ceil(t.clock.now() / DAY_MS) * DAY_MS;
  await t.advance(midnight_ms + 1 - t.clock.now());
  await send(300);
  const { points: sealed } = await read();
  const account = `wallet:${ada.id}`;
  expect(await t.service.world.store.read(sumsOfAccount, { account, limit: 9 })).toHaveLength(2);
  expect(sealed.slice(0, before.points.length)).toEqual(before.points);
  // The day that has just ended is not sealed yet.
  expect(balances(sealed.slice(before.points.length))).toEqual([balance - 1_000, balance - 1_500, balance - 1_800]);
  const stranger = await newAgent(t, { handle: 'state_eve', verified: true });
  const theirs = await t.call('GET', '/api/wallet/history', { key: stranger.key, agent: ada.handle });
  expect(theirs.status).toBe(404);
});
