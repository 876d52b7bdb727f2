// What people and programs take along: everything of an account by its person, and listings, matches, messages and receipts by a key
// that may; nothing of others, no secrets, and in parts that together are the whole.
import { beforeAll, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { openThread } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let ada: TestAgent;
let bob: TestAgent;
let key: string;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada_exports', verified: true, pro: true });
  bob = await newAgent(t, { handle: 'bob_stays', verified: true });
  key = await keyWith(t, ada.email, ['export:read']);
  await t.call('POST', '/api/agents/ada_exports/cards', {
    key: ada.key,
    body: { card_type: 'selling', headline: '=1+1 ropes, "best"', description: 'Ropes', price_cents: 500 },
  });
  await fundWallet(t, ada.id, 5_000);
  await connectPayee(t, ada);
  const note = { to_handle: bob.handle, amount_cents: 700, note: 'for the rope' };
  await t.call('POST', '/api/wallet/send', { token: ada.token, agent: ada.handle, body: note });
  const hook = { url: 'https://hooks.example/x', events: ['*'] };
  await t.call('POST', '/api/developer/webhooks', { key: ada.key, agent: ada.handle, body: hook });
  const side = ({ id, handle }: TestAgent) => ({ id, handle, account_id: '', key: '' });
  for (const [opener, other] of [
    [ada, bob],
    [bob, ada],
  ] as const) {
    const conversation_id = await openThread(t, side(opener), side(other));
    const rows = Array.from({ length: 130 }, (_, at) =>
      insert('messages', {
        ...{ id: t.service.world.id(), conversation_id, n: at + 1, sender_id: opener.id, kind: 'text' as const },
        ...{ sender_handle: opener.handle, content: `${opener.handle} ${at}`, created_at: t.clock.now() },
      }),
    );
    const set = Array.from({ length: 130 }, () =>
      insert('meetings', {
        ...{ id: t.service.world.id(), conversation_id, by_id: opener.id, starts_at: t.clock.now() },
        ...{ duration_minutes: 30, url: `https://meet.example/${opener.handle}`, created_at: t.clock.now() },
      }),
    );
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [...rows, ...set] }) });
  }
});

const take = (what: string, query = '', by = key): Promise<TestAnswer> =>
  t.call('GET', `/api/v1/export/${what}${query}`, { key: by });

test('a key needs the right, and the right needs the plan', async () => {
  expect((await take('listings', '', ada.key)).status).toBe(403);
  const free = await keyWith(t, bob.email, ['export:read']);
  expect((await take('listings', '', free)).status).toBe(403);
  expect((await take('listings')).status).toBe(200);
  expect((await t.call('GET', '/api/account/export', { key })).body.error).toBe('session_required');
});

test('messages of all threads come in pages that together are all of them', async () => {
  const said: string[] = [];
  for (let query = ''; ; ) {
    const { body, headers } = await take('messages', query);
    said.push(...body.map(({ content }: { content: string }) => content));
    const cursor = headers.get('x-next-cursor');
    if (cursor === null) break;
    query = `?cursor=${encodeURIComponent(cursor)}`;
  }
  expect(said).toHaveLength(260);
  expect(new Set(said).size).toBe(260);
});

test('a table names its columns, and computes nothing', async () => {
  const table = async (what: string): Promise<string[]> => {
    const headers = { 'x-api-key': key };
    const answer = await t.fetch(new Request(`http://localhost/api/v1/export/${what}?format=csv`, { headers }));
    expect(answer.headers.get('content-type')).toContain('text/csv');
    return (await answer.text()).split('\r\n');
  };
  const listings = await table('listings');
  expect(listings[0]).toStartWith('id,slug,card_type,direction,status,headline,');
  expect(listings[1]).toContain('"\'=1+1 ropes, ""best"""');
  expect((await table('messages'))[0]).toBe('message_id,conversation_id,at,sender,own,kind,content');
  expect(await table('matches')).toHaveLength(2);
  const receipts = await table('receipts');
  expect(receipts.filter((line) => line.startsWith('send:'))).toHaveLength(1);
});

test('receipts are those that anybody can verify', async () => {
  const { body } = await take('receipts');
  const sent = body.find(({ kind }: { kind: string }) => kind === 'send');
  expect(sent).toMatchObject({ amount_cents: -700, counterparty_handle: bob.handle });
  expect(sent.receipt.split('.')).toHaveLength(3);
  expect(body.find(({ kind }: { kind: string }) => kind === 'fund').receipt).toBeNull();
});

test('a receipt of a sale tells what was paid, the fee and what arrived', async () => {
  const as_bob = { token: bob.token, agent: bob.handle };
  const body = { seller_handle: ada.handle, milestones: [{ title: 'A rope', amount_cents: 600 }] };
  const { id } = (await t.call('POST', '/api/wallet/escrow', { ...as_bob, body })).body;
  await t.call('POST', `/api/wallet/escrow/${id}/release`, { ...as_bob, body: { milestone_index: 0 } });
  const sale = (await take('receipts')).body.find(({ kind }: { kind: string }) => kind === 'release');
  expect(sale).toMatchObject({ gross_cents: 600, amount_cents: sale.net_cents });
  expect(sale.fee_cents).toBeGreaterThan(0);
  expect(sale.fee_cents + sale.net_cents).toBe(600);
});

test('a person takes everything along, in parts, without a secret and without what is others’', async () => {
  const whole: Record<string, Record<string, unknown>[]> = {};
  let parts = 0;
  for (let query = ''; ; parts++) {
    const { status, body } = await t.call('GET', `/api/account/export${query}`, { token: ada.token });
    expect(status).toBe(200);
    for (const [name, rows] of Object.entries<Record<string, unknown>[]>(body.sections)) {
      whole[name] = [...(whole[name] ?? []), ...rows];
    }
    if (body.next_cursor === null) break;
    query = `?cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  expect(parts).toBeLessThan(3);
  expect(whole['agents']?.map(({ handle }) => handle)).toEqual([ada.handle]);
  expect(whole['listings']).toHaveLength(1);
  expect(whole['messages']).toHaveLength(260);
  const meetings = whole['meetings'] ?? [];
  expect([meetings.length, new Set(meetings.map(({ id }) => id)).size]).toEqual([260, 260]);
  expect(meetings.filter(({ own }) => own).map(({ by_id }) => by_id)).toEqual(Array(130).fill(ada.id));
  expect(whole['webhooks']).toHaveLength(1);
  expect(whole['claims']).toHaveLength(1);
  expect(whole['receipts']?.some(({ receipt }) => typeof receipt === 'string')).toBe(true);
  expect(whole['keys']?.length).toBeGreaterThan(1);
  expect(whole['sessions']).toHaveLength(1);
  expect(whole['payout_accounts']).toMatchObject([{ bank: { name: 'Test Bank', last4: '6789' } }]);
  const text = JSON.stringify(whole);
  for (const inner of ['"hash"', '"refresh_hash"', '"secret"', 'bank_mark', bob.email])
    expect(text).not.toContain(inner);
  expect((await t.call('GET', '/api/account/export?cursor=nonsense', { token: ada.token })).status).toBe(200);
});
