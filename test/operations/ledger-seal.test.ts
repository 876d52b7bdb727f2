// Days of the ledger are sealed in order, by any node and once; what is rewritten afterwards is told with its day.
import { beforeAll, expect, test } from 'bun:test';
import { approvalsOf as approvals } from '../../db/queries/negotiation.ts';
import { sealMissed } from '../../src/compose/prepare.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { sealLater } from '../../src/steps/money/ledger.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { readStoredRows, writeStored } from '../support/store.ts';
import { startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let payer: TestAgent;

beforeAll(async () => {
  payer = await newAgent(t, { handle: 'payer', verified: true });
});

const stored = (sql: string): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, sql);
const days = (): Promise<Record<string, unknown>[]> => stored('select * from ledger_days order by id');
const problems = async (): Promise<{ about: string; problem: string }[]> => {
  const headers = { 'X-Internal-Token': t.internal_token };
  return (await t.call('GET', '/api/admin/ledger/check', { headers })).body.problems;
};

test('each day is sealed an hour after its end, those without money too, and follows the one before it', async () => {
  expect((await t.call('GET', '/.well-known/ledger-head')).body.day).toBeNull();
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [sealLater(t.clock.now())] }) });
  for (let n = 0; n < 450; n += 1) await fundWallet(t, payer.id, 100 + n);
  await t.advance(3 * DAY_MS);
  await fundWallet(t, payer.id, 7);
  await t.advance(DAY_MS);
  const sealed = await days();
  expect(sealed.map(({ id, journals }) => [id, journals])).toEqual([
    ['2026-06-15', 450],
    ['2026-06-16', 0],
    ['2026-06-17', 0],
    ['2026-06-18', 1],
  ]);
  expect(sealed.slice(1).map(({ previous }) => previous)).toEqual(sealed.slice(0, -1).map(({ hash }) => hash));
  expect(await problems()).toEqual([]);
  const { day, hash, jws } = (await t.call('GET', '/.well-known/ledger-head')).body;
  expect([day, hash]).toEqual(['2026-06-18', sealed[3]?.['hash']]);
  const [head = '', claims = ''] = jws.split('.').map((part: string) => Buffer.from(part, 'base64url').toString());
  expect(JSON.parse(head).typ).toBe('ledger-head+jwt');
  expect(JSON.parse(claims)).toMatchObject({ day, hash, journals: 1, amount_cents: 7 });
});

test('days that were missed are sealed at the next start', async () => {
  await t.service.world.store.turn({
    attempt: async (read) => ({ reply: null, effects: [await sealMissed(read, t.clock.now() + 2 * DAY_MS)] }),
  });
  await t.advance(2 * DAY_MS);
  expect((await days()).map(({ id }) => id)).toEqual([15, 16, 17, 18, 19, 20].map((day) => `2026-06-${day}`));
});

test('one altered row of history names its day, and no other', async () => {
  const alter = (sql: string): Promise<void> => writeStored(t.service.world.settings.data_dir, sql);
  const told = async (): Promise<Set<string>> => new Set((await problems()).map(({ about }) => about));
  const set = (kind: string): string =>
    `update journals set kind = '${kind}' where created_at < ${Date.UTC(2026, 5, 16)}`;
  await alter(set('gift'));
  expect(await told()).toEqual(new Set(['2026-06-15']));
  await alter(set('fund'));
  const sum = (cents: number): string =>
    `update ledger_sums set balance_cents = balance_cents + ${cents} where day = '2026-06-18' and account = 'processor'`;
  await alter(sum(1));
  expect(await told()).toEqual(new Set(['2026-06-18']));
  await alter(sum(-1));
  const seal = (from: number, to: number): string =>
    `update ledger_days set journals = ${to} where id = '2026-06-18' and journals = ${from}`;
  await alter(seal(1, 2));
  expect(await told()).toEqual(new Set(['2026-06-18']));
  await alter(seal(2, 1));
  expect(await told()).toEqual(new Set());
});

test('an approval that is rewritten later names its day', async () => {
  const asks = await newAgent(t, { handle: 'sealed_asks', verified: true });
  const pays = await newAgent(t, { handle: 'sealed_pays', verified: true });
  const conversation_id = await startTalk(t, asks, 'sealed_pays', 'A rope?');
  await t.call('PATCH', '/api/agents/bounds', { token: pays.token, body: { max_pay_cents: 900 } });
  const body = { amount_cents: 700, side: 'seller' };
  await t.call('POST', `/api/conversations/${conversation_id}/propose`, { token: asks.token, body });
  await t.call('POST', `/api/conversations/${conversation_id}/approve`, { token: pays.token });
  const day = new Date(t.clock.now()).toISOString().slice(0, 10);
  await t.advance(2 * DAY_MS);
  const told = async (): Promise<string[]> => (await problems()).map(({ about }) => about);
  expect(await told()).toEqual([]);
  const { data_dir } = t.service.world.settings;
  await writeStored(data_dir, "update approvals set decision = 'reject' where amount_cents = 700");
  expect(await told()).toEqual([day]);
  await writeStored(data_dir, "update approvals set decision = 'approve' where amount_cents = 700");
  expect(await told()).toEqual([]);
  // Whose word it was, and under which bounds, is sealed too.
  const [row] = await t.service.world.store.read(approvals, { agent_id: pays.id, after: '', limit: 1 });
  for (const [column, was, other] of [
    ['bounds', JSON.stringify(row?.bounds), '{}'],
    ['"by"', row?.by, 'program'],
  ] as const) {
    const set = (value: string | undefined): Promise<void> =>
      writeStored(data_dir, `update approvals set ${column} = '${value}' where id = '${row?.id}'`);
    await set(other);
    expect(await told()).toEqual([day]);
    await set(was);
    expect(await told()).toEqual([]);
  }
});

test('a receipt is signed for the parties alone, and names the newest seal', async () => {
  // Sessions end while time moves on.
  const sender = await newAgent(t, { handle: 'sender', verified: true });
  await fundWallet(t, sender.id, 100);
  const payee = await newAgent(t, { handle: 'payee', verified: true });
  const other = await newAgent(t, { handle: 'bystander', verified: true });
  const sent = await t.call('POST', '/api/wallet/send', {
    token: sender.token,
    body: { to_handle: 'payee', amount_cents: 25 },
  });
  expect(sent.status).toBe(201);
  const receipt = (agent: TestAgent) => t.call('GET', `/api/wallet/receipts/send:${sent.body.id}`, { key: agent.key });
  const read = await receipt(payee);
  expect([read.status, read.body.error]).toEqual([200, undefined]);
  const [, claims = ''] = read.body.receipt.split('.');
  const [sealed] = (await days()).slice(-1);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    jti: `send:${sent.body.id}`,
    kind: 'send',
    transfers: [{ debit: `wallet:${sender.id}`, credit: `wallet:${payee.id}`, amount_cents: 25 }],
    ledger_head: { day: sealed?.['id'], hash: sealed?.['hash'] },
  });
  expect((await receipt(sender)).status).toBe(200);
  expect((await receipt(other)).status).toBe(404);
});
