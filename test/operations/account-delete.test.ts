// Leaving: what keeps an account, what goes with it, and that what others have stays readable under a name that is nobody's.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { readStoredRows } from '../support/store.ts';
import { signUp, type TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();

const leave = ({ token }: TestAgent, body?: unknown): Promise<TestAnswer> =>
  t.call('DELETE', '/api/account', { token, ...(body !== undefined && { body }) });
const rows = (sql: string): Promise<Record<string, unknown>[]> =>
  readStoredRows(t.service.world.settings.data_dir, sql);

/** Every table that may tell of a person, as one text. */
async function everything(): Promise<string> {
  const names = [
    'accounts',
    'agents',
    'api_keys',
    'sessions',
    'claims',
    'listings',
    'listing_vectors',
    'matches',
    'messages',
  ];
  const more = [
    'events',
    'webhooks',
    'sends',
    'escrows',
    'disputes',
    'dispute_evidence',
    'notification_settings',
    'blocks',
    'meetings',
    'proposals',
    'approvals',
    'turns',
    'model_calls',
    'payees',
    'payouts',
  ];
  const read = [...names, ...more].map(async (name) => JSON.stringify(await rows(`select * from ${name}`)));
  return (await Promise.all(read)).join('\n');
}

test('money that is left keeps an account until it is given up, and then is the platform’s', async () => {
  const rich = await newAgent(t, { handle: 'rich_leaver', verified: true });
  await fundWallet(t, rich.id, 1_234);
  const kept = await leave(rich);
  expect(kept.status).toBe(409);
  expect(kept.body).toMatchObject({ error: 'balance_left', balance_cents: 1_234 });
  expect((await t.call('GET', '/api/billing/limits', { key: rich.key })).status).toBe(200);
  const gone = await leave(rich, { forfeit: true });
  expect(gone.status).toBe(200);
  expect(gone.body).toMatchObject({ deleted: true, forfeited_cents: 1_234 });
  expect(gone.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(await balanceOf(t, `wallet:${rich.id}`)).toBe(0);
  await t.rest();
  const check = await t.call('GET', '/api/admin/ledger/check', { headers: { 'x-internal-token': t.internal_token } });
  expect(check.body).toMatchObject({ ok: true, sum_cents: 0, problems: [] });
});

test('what is open keeps an account, whatever is given up', async () => {
  const seller = await newAgent(t, { handle: 'kept_seller', verified: true });
  const buyer = await newAgent(t, { handle: 'kept_buyer', verified: true });
  await fundWallet(t, buyer.id, 5_000);
  const body = { seller_handle: seller.handle, milestones: [{ title: 'A rope', amount_cents: 1_000 }] };
  const asked = { token: buyer.token, agent: buyer.handle };
  const { body: escrow } = await t.call('POST', '/api/wallet/escrow', { ...asked, body });
  for (const side of [seller, buyer]) {
    const answer = await leave(side, { forfeit: true });
    expect([answer.status, answer.body.error]).toEqual([409, 'open_obligations']);
  }
  await t.call('POST', `/api/wallet/escrow/${escrow.id}/refund`, { token: seller.token, agent: seller.handle });
  expect((await leave(seller)).status).toBe(200);
});

test('nothing that is kept names who left, and the other side reads on', async () => {
  const other = await newAgent(t, { handle: 'stays_here', verified: true });
  const body = { display_name: 'Wilhelmina Abendroth', headline: 'Abendroth makes ropes', description: 'By Abendroth' };
  const joined = await newAgent(t, {
    handle: 'abendroth',
    email: 'wilhelmina@abendroth.example',
    verified: true,
    body,
  });
  await connectPayee(t, joined, 'Bank of Abendroth');
  await fundWallet(t, joined.id, 1_000);
  const out = { token: joined.token, agent: joined.handle, body: { amount_cents: 1_000 } };
  expect((await t.call('POST', '/api/wallet/withdraw', out)).body.destination.bank_name).toBe('Bank of Abendroth');
  await t.advance(2 * DAY_MS);
  const made = { ...joined, token: await signIn(t, joined.email) };
  await t.call('POST', '/api/agents/abendroth/cards', {
    key: made.key,
    body: { card_type: 'selling', headline: 'Abendroth ropes', description: 'Ropes by Abendroth', price_cents: 500 },
  });
  const hook = { url: 'https://hooks.abendroth.example/x', events: ['*'] };
  await t.call('POST', '/api/developer/webhooks', { key: made.key, agent: made.handle, body: hook });
  const opened = await t.call('POST', '/tools/mesh_start_conversation', {
    key: made.key,
    agent: made.handle,
    body: { handle: other.handle, content: 'Is the blue one left?' },
  });
  expect(opened.status).toBe(200);
  const id = opened.body.conversation_id;
  await t.call('POST', `/api/conversations/${id}/messages`, {
    key: other.key,
    agent: other.handle,
    body: { content: 'It is.' },
  });
  const meetings = `/api/conversations/${id}/meetings`;
  const meet = ({ key, handle }: TestAgent, url: string): Promise<TestAnswer> => {
    const starts_at = new Date(t.clock.now() + 60_000).toISOString();
    return t.call('POST', meetings, { key, agent: handle, body: { starts_at, duration_minutes: 30, url } });
  };
  expect((await meet(made, 'https://meet.abendroth.example/ropes')).status).toBe(201);
  expect((await meet(other, 'https://meet.example/ropes')).status).toBe(201);
  await fundWallet(t, made.id, 700);
  const note = { to_handle: other.handle, amount_cents: 700, note: 'From Abendroth' };
  await t.call('POST', '/api/wallet/send', { token: made.token, agent: made.handle, body: note });
  expect((await everything()).match(/abendroth/gi)?.length).toBeGreaterThan(8);

  expect((await leave(made)).status).toBe(200);
  // At once, before what it leaves behind is gone.
  expect((await t.call('GET', '/api/billing/limits', { key: made.key })).status).toBe(401);
  expect((await t.call('GET', '/api/developer/keys', { token: made.token })).status).toBe(401);
  expect((await t.call('GET', '/api/agents/public/abendroth')).status).toBe(404);
  expect(t.mails.findLast(({ to }) => to === made.email)?.subject).toContain('deleted');
  await t.rest();

  const left = (await everything()).match(/.{60}abendroth.{20}/gi) ?? [];
  expect(left).toEqual([]);
  const thread = await t.call('GET', `/api/conversations/${id}/messages`, { key: other.key, agent: other.handle });
  const said = thread.body.map(({ content, sender }: Record<string, unknown>) => [content, sender]);
  expect(JSON.stringify(said)).toContain('Is the blue one left?');
  expect(JSON.stringify(said)).toContain('It is.');
  expect(JSON.stringify(thread.body)).not.toMatch(/abendroth/i);
  expect(JSON.stringify(thread.body)).toContain('deleted_');
  const met = (await t.call('GET', meetings, { key: other.key, agent: other.handle })).body;
  expect(met.map(({ by, url }: Record<string, unknown>) => [by, url])).toEqual([
    [other.handle, 'https://meet.example/ropes'],
    [expect.stringContaining('deleted_'), null],
  ]);
  const told = await rows(`select data from events where agent_id = '${other.id}' and kind = 'meeting.scheduled'`);
  expect(JSON.stringify(told).match(/https:/g)?.length).toBe(1);
  // The name is nobody's, the address begins anew.
  expect((await t.call('GET', '/api/agents/check/abendroth')).body).toMatchObject({ available: false });
  const key = await signUp(t, made.email);
  const taken = await t.call('POST', '/api/agents', { key, body: { handle: 'abendroth', display_name: 'Me again' } });
  expect([taken.status, taken.body.error]).toEqual([409, 'handle_taken']);
  expect(
    (await t.call('POST', '/api/agents', { key, body: { handle: 'abend_two', display_name: 'New' } })).status,
  ).toBe(201);
  expect(await signIn(t, made.email)).toBeString();
});
