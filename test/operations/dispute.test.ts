// Disputes on a real store, over REST: money that stops, is argued about and goes where the outcome says, each cent once.

import { beforeEach, describe, expect, test } from 'bun:test';
import { compactVerify, createLocalJWKSet } from 'jose';
import { patch } from '../../db/effects.ts';
import { disputeById } from '../../db/queries/dispute.ts';
import { SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { signIn, type TestAgent } from '../support/agents.ts';
import { type Buyer, journals, newBuyer, newSeller, open, said, walletOf } from '../support/escrow.ts';
import { eventsOf, publish } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';

const WINDOW_MS = 72 * HOUR_MS;
const FREE_FEE = 0.05;

const t = sharedService();
let buyer: Buyer;
let seller: TestAgent;
let stranger: Buyer;
/** An escrow of 10,000 cents in two parts of 4,000 and 6,000. */
let escrow_id: string;
let before: { buyer: number; seller: number };

beforeEach(async () => {
  [buyer, seller, stranger] = [await newBuyer(t), await newSeller(t), await newBuyer(t)];
  escrow_id = (await open(t, buyer, seller, [4_000, 6_000])).id;
  before = { buyer: await walletOf(t, buyer), seller: await walletOf(t, seller) };
});

type Body = Readonly<Record<string, unknown>>;
const at = (path = '', id = escrow_id): string => `/api/wallet/escrow/${id}/dispute${path}`;
const byBuyer = (path: string, body: Body = {}): Promise<TestAnswer> =>
  t.call('POST', at(path), { key: buyer.pays, body });
/** What gives money away takes a person. */
const bySeller = (path: string, body: Body = {}, token = seller.token): Promise<TestAnswer> => {
  const by = path === '/concede' || path === '/accept' ? { token } : { key: seller.key };
  return t.call('POST', at(path), { ...by, agent: seller.handle, body });
};
const opened = (): Promise<TestAnswer> => byBuyer('', { reason: 'Half of it is missing.' });
const seen = async (): Promise<TestAnswer> => t.call('GET', at(), { key: buyer.pays });
const escrowNow = async (): Promise<TestAnswer['body']> =>
  (await t.call('GET', `/api/wallet/escrow/${escrow_id}`, { key: buyer.pays })).body;
const moved = async (): Promise<{ buyer: number; seller: number }> => ({
  buyer: (await walletOf(t, buyer)) - before.buyer,
  seller: (await walletOf(t, seller)) - before.seller,
});
const recordOf = async (handle: string): Promise<TestAnswer['body']> =>
  (await t.call('GET', `/api/agents/public/${handle}/track-record`)).body;
const less = (cents: number): number => cents - Math.floor(cents * FREE_FEE);

describe('a dispute', () => {
  test('stops the money, tells both sides, and asks the other one for an answer', async () => {
    const { status, body } = await opened();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'open',
      escrow_status: 'disputed',
      your_side: 'buyer',
      unreleased_cents: 10_000,
    });
    expect(Date.parse(body.respond_by)).toBe(t.clock.now() + WINDOW_MS);
    const release = { key: buyer.pays, body: { milestone_index: 0 } };
    expect(said(await t.call('POST', `/api/wallet/escrow/${escrow_id}/release`, release))).toBe(
      '400 escrow_not_active',
    );
    const [asked] = (await eventsOf(t, seller, 'escrow.dispute_opened')).slice(-1);
    const [told] = (await eventsOf(t, buyer, 'escrow.dispute_opened')).slice(-1);
    expect(asked.actions.map(({ action }: { action: string }) => action)).toEqual(['respond', 'concede']);
    expect(asked.data).toMatchObject({ escrow_id, dispute_id: body.id, your_role: 'respondent' });
    expect(told.actions).toEqual([]);
    expect(await moved()).toEqual({ buyer: 0, seller: 0 });
  });

  test('is of the two sides alone, of an active escrow, and has a reason', async () => {
    const by = (key: string, body: Body): Promise<TestAnswer> => t.call('POST', at(), { key, body });
    expect(said(await by(stranger.pays, { reason: 'x' }))).toBe('403 not_a_party');
    expect(said(await by(buyer.pays, {}))).toBe('400 invalid_request');
    expect(said(await by(buyer.pays, { reason: ' ' }))).toBe('400 invalid_request');
    expect(said(await by(buyer.pays, { reason: 'x'.repeat(2001) }))).toBe('400 invalid_request');
    expect(said(await t.call('POST', at('', Bun.randomUUIDv7()), { key: buyer.pays, body: { reason: 'x' } }))).toBe(
      '404 not_found',
    );
    expect(said(await seen())).toBe('404 not_found');
    await opened();
    expect(said(await opened())).toBe('400 escrow_not_active');
    expect(said(await t.call('GET', at(), { key: stranger.pays }))).toBe('403 not_a_party');
  });

  test('that waits for an answer is told of by letter a day before, once, to whoever has to answer', async () => {
    const reminders = () =>
      t.mails.filter(
        ({ to, subject, text }) =>
          to === seller.email &&
          subject.startsWith('A dispute is decided tomorrow') &&
          text.includes(`/escrows/${escrow_id}`),
      ).length;
    const { id } = (await opened()).body;
    await t.advance(WINDOW_MS - 25 * HOUR_MS);
    expect(reminders()).toBe(0);
    await t.advance(2 * HOUR_MS);
    expect(reminders()).toBe(1);
    // As on a node whose clock is behind: it looks when there is an hour left.
    await t.service.world.store.turn({
      attempt: async (read) => {
        const row = await read(disputeById, { id });
        return { reply: null, effects: row ? [patch('disputes', row, { respond_by: row.respond_by + HOUR_MS })] : [] };
      },
    });
    await t.advance(23 * HOUR_MS);
    expect([reminders(), (await seen()).body.status]).toEqual([1, 'open']);
    await t.advance(WINDOW_MS);
    expect([reminders(), (await seen()).body.status]).toEqual([1, 'defaulted']);
  });

  test('that nobody answers is decided for its opener after 72 hours, at the very instant', async () => {
    await opened();
    await t.advance(WINDOW_MS - 1);
    expect((await seen()).body.status).toBe('open');
    await t.advance(1);
    expect((await seen()).body).toMatchObject({
      status: 'defaulted',
      escrow_status: 'refunded',
      resolution: { outcome: 'defaulted', refund_cents: 10_000, release_cents: 0 },
    });
    expect(await moved()).toEqual({ buyer: 10_000, seller: 0 });
    expect(said(await bySeller('/concede', {}, await signIn(t, seller.email)))).toBe('409 already_resolved');
  });

  test('that the seller opened and nobody answers pays the seller, less the fee', async () => {
    const asked = { token: seller.token, agent: seller.handle, body: { reason: 'No word.' } };
    expect((await t.call('POST', at(), asked)).status).toBe(201);
    await t.advance(WINDOW_MS);
    expect(await moved()).toEqual({ buyer: 0, seller: less(10_000) });
    expect((await escrowNow()).status).toBe('completed');
  });

  test('that was answered waits beyond its deadline, and can be settled then', async () => {
    await opened();
    expect((await bySeller('/evidence', { statement: 'It was all there.' })).status).toBe(201);
    await t.advance(WINDOW_MS + HOUR_MS);
    expect((await seen()).body.status).toBe('responded');
    expect(said(await bySeller('/evidence', { statement: 'And more.' }))).toBe('409 window_closed');
    expect((await bySeller('/propose', { refund_cents: 1_000, release_cents: 9_000 })).status).toBe(200);
    expect((await byBuyer('/accept', { refund_cents: 1_000, release_cents: 9_000 })).status).toBe(200);
    expect(await moved()).toEqual({ buyer: 1_000, seller: less(9_000) });
  });
});

describe('a settlement', () => {
  test('takes the amounts of the other side, as they are now, and happens once', async () => {
    await opened();
    expect(said(await byBuyer('/accept', { refund_cents: 1, release_cents: 9_999 }))).toBe('409 no_proposal');
    expect(said(await byBuyer('/propose', { refund_cents: 1, release_cents: 2 }))).toBe('400 invalid_request');
    expect(said(await byBuyer('/propose', { refund_cents: 10_000 }))).toBe('400 invalid_request');
    const put = await byBuyer('/propose', { refund_cents: 7_000, release_cents: 3_000 });
    const sums = { release_cents: 3_000, fee_cents: 3_000 - less(3_000), net_cents: less(3_000) };
    expect(put.body).toMatchObject({ proposal: sums, unreleased_cents: 10_000, net_cents: less(10_000) });
    expect((await eventsOf(t, seller, 'escrow.dispute_proposed')).at(-1).data).toMatchObject(sums);
    expect(said(await byBuyer('/accept', { refund_cents: 7_000, release_cents: 3_000 }))).toBe('400 own_proposal');
    expect(said(await bySeller('/accept', { refund_cents: 6_000, release_cents: 4_000 }))).toBe('409 proposal_changed');
    expect(said(await bySeller('/accept'))).toBe('400 invalid_request');
    const count = await journals(t);
    const both = await Promise.all(
      [1, 2, 3].map(() => bySeller('/accept', { refund_cents: 7_000, release_cents: 3_000 })),
    );
    expect(both.map(said).sort()).toEqual(['200', '409 already_resolved', '409 already_resolved']);
    expect(await journals(t)).toBe(count + 1);
    expect(await moved()).toEqual({ buyer: 7_000, seller: less(3_000) });
    expect((await escrowNow()).status).toBe('refunded');
    expect((await seen()).body.resolution).toMatchObject(sums);
    const line = async ({ key }: TestAgent) =>
      (await t.call('GET', '/api/v1/wallet/transactions?limit=1', { key })).body;
    expect(await line(buyer)).toMatchObject([{ kind: 'settle', amount_cents: 7_000, fee_cents: null }]);
    expect(await line(seller)).toMatchObject([{ kind: 'settle', gross_cents: 3_000, net_cents: less(3_000) }]);
    for (const agent of [buyer, seller]) {
      const [last] = (await eventsOf(t, agent, 'escrow.dispute_resolved')).slice(-1);
      expect(last.data).toMatchObject({ escrow_id, outcome: 'settled', refund_cents: 7_000, ...sums });
    }
  });

  test('awaits an answer of the other side alone, which rejects it: the dispute goes on, and another one can be accepted over the inbox', async () => {
    await opened();
    const put = { refund_cents: 7_000, release_cents: 3_000 };
    await byBuyer('/propose', put);
    const asked = async (agent: TestAgent) => (await eventsOf(t, agent, 'escrow.dispute_proposed')).at(-1);
    const names = async (agent: TestAgent) =>
      (await asked(agent)).actions.map(({ action }: { action: string }) => action);
    expect([await names(buyer), await names(seller)]).toEqual([[], ['accept', 'reject']]);
    expect(said(await byBuyer('/reject', put))).toBe('400 own_proposal');
    expect(said(await bySeller('/reject', { refund_cents: 1, release_cents: 9_999 }))).toBe('409 proposal_changed');
    expect((await bySeller('/reject', put)).body).toMatchObject({ status: 'open', proposal: null });
    expect((await asked(seller)).answered).toMatchObject({ action: 'reject' });
    expect((await eventsOf(t, buyer, 'escrow.dispute_responded')).at(-1).data.answer).toBe('settlement_rejected');
    expect(said(await bySeller('/accept', put))).toBe('409 no_proposal');
    await byBuyer('/propose', { refund_cents: 6_000, release_cents: 4_000 });
    const replaced = await asked(seller);
    await byBuyer('/propose', { refund_cents: 5_000, release_cents: 5_000 });
    const answer = (id: string) =>
      t.call('POST', `/api/inbox/${id}/respond`, {
        token: seller.token,
        agent: seller.handle,
        body: { action: 'accept' },
      });
    expect(said(await answer(replaced.id))).toBe('409 not_open');
    expect((await answer((await asked(seller)).id)).body.result).toMatchObject({ status: 'settled' });
    expect(await moved()).toEqual({ buyer: 5_000, seller: less(5_000) });
  });

  test('of what is left after a release leaves alone what was released', async () => {
    await t.call('POST', `/api/wallet/escrow/${escrow_id}/release`, { key: buyer.pays, body: { milestone_index: 0 } });
    expect((await opened()).body.unreleased_cents).toBe(6_000);
    expect((await bySeller('/concede')).body.resolution).toMatchObject({ outcome: 'conceded', refund_cents: 6_000 });
    expect(await moved()).toEqual({ buyer: 6_000, seller: less(4_000) });
    expect((await escrowNow()).status).toBe('refunded');
  });

  test('is proposed fifty times by a side, whose proposals the other one is told of each', async () => {
    await opened();
    const propose = (n: number): Promise<TestAnswer> =>
      byBuyer('/propose', { refund_cents: n, release_cents: 10_000 - n });
    for (let n = 1; n <= 50; n += 1) expect((await propose(n)).status).toBe(200);
    expect(said(await propose(51))).toBe('409 conflict');
    expect((await eventsOf(t, seller, 'escrow.dispute_proposed')).at(-1).data).toMatchObject({
      refund_cents: 50,
      release_cents: 9_950,
      proposed_by: buyer.handle,
    });
    expect((await bySeller('/accept', { refund_cents: 50, release_cents: 9_950 })).status).toBe(200);
  });

  test('by a buyer who gives in pays the seller all', async () => {
    await opened();
    expect((await byBuyer('/concede')).body.status).toBe('settled');
    expect(await moved()).toEqual({ buyer: 0, seller: less(10_000) });
    const { status, milestones, ended_at } = await escrowNow();
    expect(status).toBe('completed');
    for (const milestone of milestones) expect(milestone).toMatchObject({ released: true, released_at: ended_at });
    // Settled it counts for both sides, and a deal that took a dispute to end is no sign of trust.
    for (const { handle } of [buyer, seller])
      expect(await recordOf(handle)).toMatchObject({ deals: { completed: 0 }, disputes: { settled: 1, rate: 1 } });
  });

  test('comes of one of many words said at once', async () => {
    await opened();
    await byBuyer('/propose', { refund_cents: 5_000, release_cents: 5_000 });
    const answers = await Promise.all([
      bySeller('/accept', { refund_cents: 5_000, release_cents: 5_000 }),
      bySeller('/concede'),
      byBuyer('/concede'),
      byBuyer('/withdraw'),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toHaveLength(0);
  });

  test('is any split where an administrator rules, once', async () => {
    const dispute_id = (await opened()).body.id;
    await bySeller('/evidence', { statement: 'It was there.' });
    const rule = (body: Body): Promise<TestAnswer> =>
      t.call('POST', `/api/admin/disputes/${dispute_id}/rule`, {
        headers: { 'X-Internal-Token': t.internal_token },
        body,
      });
    expect(said(await rule({ refund_cents: 1, release_cents: 1 }))).toBe('400 invalid_request');
    const listed = await t.call('GET', '/api/admin/disputes', { headers: { 'X-Internal-Token': t.internal_token } });
    expect(listed.body.map(({ id }: { id: string }) => id)).toContain(dispute_id);
    const ruled = await rule({ refund_cents: 3_333, release_cents: 6_667, note: 'A third was missing.' });
    expect(ruled.body).toMatchObject({
      status: 'ruled',
      resolution: { outcome: 'ruled', note: 'A third was missing.' },
    });
    expect(said(await rule({ refund_cents: 3_333, release_cents: 6_667 }))).toBe('409 already_resolved');
    expect(await moved()).toEqual({ buyer: 3_333, seller: less(6_667) });
    expect(said(await t.call('POST', `/api/admin/disputes/${dispute_id}/rule`, { token: buyer.token, body: {} }))).toBe(
      '403 wrong_role',
    );
  });
});

describe('a withdrawn dispute', () => {
  test('leaves the escrow as it was, and can be opened three times', async () => {
    for (let n = 0; n < 3; n += 1) {
      expect((await opened()).status).toBe(201);
      expect(said(await bySeller('/withdraw'))).toBe('403 insufficient_scope');
      expect((await byBuyer('/withdraw')).body).toMatchObject({ status: 'withdrawn', escrow_status: 'active' });
      expect(said(await byBuyer('/withdraw'))).toBe('409 not_open');
    }
    expect(said(await opened())).toBe('409 dispute_limit');
    // Three of each side: the seller's are left.
    const other = { token: seller.token, agent: seller.handle, body: { reason: 'No word.' } };
    expect(said(await t.call('POST', at(), other))).toBe('201');
    const back = { token: seller.token, agent: seller.handle, body: {} };
    expect(said(await t.call('POST', at('/withdraw'), back))).toBe('200');
    expect(await moved()).toEqual({ buyer: 0, seller: 0 });
    await t.advance(WINDOW_MS);
    expect((await escrowNow()).status).toBe('active');
    for (const milestone_index of [0, 1])
      await t.call('POST', `/api/wallet/escrow/${escrow_id}/release`, { key: buyer.pays, body: { milestone_index } });
    for (const [{ handle }, opened_against] of [
      [buyer, 1],
      [seller, 3],
    ] as const) {
      const disputes = { opened_against, settled: 0, rate: 0 };
      expect(await recordOf(handle)).toMatchObject({ deals: { completed: 1 }, disputes });
    }
  });
});

describe('evidence', () => {
  test('stands for good, each piece sealed with the one before it', async () => {
    const dispute_id = (await opened()).body.id;
    const links = ['https://example.org/a.jpg'];
    const first = await byBuyer('/evidence', { statement: 'See.', links });
    expect(first.body).toMatchObject({ status: 'open' });
    await t.advance(1);
    const second = await bySeller('/evidence', { statement: 'Look closer.' });
    expect(second.body.status).toBe('responded');
    const [a, b] = second.body.evidence;
    expect([a.side, b.side]).toEqual(['buyer', 'seller']);
    const now_ms = t.clock.now();
    const sealed = (...said: unknown[]): string => Bun.SHA256.hash(JSON.stringify(said), 'base64url');
    expect(a.hash).toBe(sealed(dispute_id, buyer.id, 'See.', links, now_ms - 1));
    expect(b.hash).toBe(sealed(a.hash, seller.id, 'Look closer.', [], now_ms));
    expect(said(await byBuyer('/evidence', {}))).toBe('400 invalid_request');
    expect(said(await byBuyer('/evidence', { links: ['ftp://example.org/a'] }))).toBe('400 invalid_request');
    expect(said(await byBuyer('/evidence', { links: Array(11).fill('https://example.org') }))).toBe(
      '400 invalid_request',
    );
    expect((await seen()).body.evidence).toHaveLength(2);
  });
});

describe('a key', () => {
  test('from signup defends its agent, and opens nothing', async () => {
    expect(said(await bySeller('', { reason: 'x' }))).toBe('403 insufficient_scope');
    await opened();
    expect((await bySeller('/propose', { refund_cents: 0, release_cents: 10_000 })).status).toBe(200);
  });

  test('from signup gives nothing away: it neither concedes nor settles, by its routes, the tool and the inbox', async () => {
    await opened();
    const [event] = (await eventsOf(t, seller, 'escrow.dispute_opened')).slice(-1);
    await byBuyer('/propose', { refund_cents: 9_000, release_cents: 1_000 });
    const by = { key: seller.key, agent: seller.handle };
    const split = { refund_cents: 9_000, release_cents: 1_000 };
    const refused = [
      await t.call('POST', at('/concede'), { ...by, body: {} }),
      await t.call('POST', at('/accept'), { ...by, body: split }),
      await t.call('POST', `/api/inbox/${event.id}/respond`, { ...by, body: { action: 'concede' } }),
    ];
    for (const answer of refused) {
      expect([said(answer), answer.body.required_scope]).toEqual(['403 insufficient_scope', 'payments:write']);
    }
    const as = { key: seller.key, revision: '2025-11-25' } as const;
    const tool = await rpc(t, 'tools/call', { name: 'mesh_concede_dispute', arguments: { escrow_id } }, as);
    expect(tool.body.result).toMatchObject({ isError: true });
    expect(JSON.stringify(tool.body.result.content)).toContain('insufficient_scope');
    expect(await moved()).toEqual({ buyer: 0, seller: 0 });
    const token = await signIn(t, seller.email);
    expect((await t.call('POST', at('/accept'), { token, agent: seller.handle, body: split })).status).toBe(200);
  });

  test('is not needed to hear of one: the person of the other side gets a letter at once', async () => {
    await t.rest();
    const from = t.mails.length;
    await opened();
    await t.rest();
    const letters = t.mails.slice(from).filter(({ to }) => to === seller.email);
    expect(letters).toHaveLength(1);
    const text = String(letters[0]?.text);
    for (const part of ['$100.00', 'If nobody answers', `/app/escrows/${escrow_id}`]) expect(text).toContain(part);
  });

  test('without payments:write does nothing of what the opener does', async () => {
    await opened();
    const put = { refund_cents: 9_000, release_cents: 1_000 };
    await bySeller('/propose', put);
    const [event] = (await eventsOf(t, buyer, 'escrow.dispute_proposed')).slice(-1);
    const key = await keyWith(t, buyer.email, SIGNUP_SCOPES);
    const answers = [
      await t.call('POST', at('/concede'), { key, body: {} }),
      await t.call('POST', at('/reject'), { key, body: put }),
      await t.call('POST', `/api/inbox/${event.id}/respond`, { key, body: { action: 'reject' } }),
    ];
    for (const answer of answers) {
      expect([said(answer), answer.body.required_scope]).toEqual(['403 insufficient_scope', 'payments:write']);
    }
  });

  test('that may answer events may not for that settle a dispute', async () => {
    await opened();
    const [event] = (await eventsOf(t, seller, 'escrow.dispute_opened')).slice(-1);
    const key = await keyWith(t, seller.email, ['agents:write']);
    const respond = (by: string, action: string): Promise<TestAnswer> =>
      t.call('POST', `/api/inbox/${event.id}/respond`, {
        key: by,
        agent: seller.handle,
        body: { action, note: 'No.' },
      });
    const barred = await respond(key, 'concede');
    expect([said(barred), barred.body.required_scope]).toEqual(['403 insufficient_scope', 'payments:write']);
    expect((await respond(seller.key, 'respond')).body.result).toMatchObject({ status: 'responded' });
    const by_person = { token: seller.token, agent: seller.handle, body: { action: 'concede' } };
    expect(said(await t.call('POST', `/api/inbox/${event.id}/respond`, by_person))).toBe('409 already_answered');
    expect((await seen()).body.evidence).toHaveLength(1);
  });
});

test('an answer by its own route answers the event', async () => {
  await opened();
  await bySeller('/evidence', { statement: 'Here.' });
  const [event] = (await eventsOf(t, seller, 'escrow.dispute_opened')).slice(-1);
  expect(event.answered).toMatchObject({ action: 'respond' });
});

describe('an event of a dispute', () => {
  const respond = (agent: TestAgent, id: string, body: Body): Promise<TestAnswer> =>
    t.call('POST', `/api/inbox/${id}/respond`, { token: agent.token, agent: agent.handle, body });

  test('that only tells takes no answer', async () => {
    await opened();
    const [told] = (await eventsOf(t, buyer, 'escrow.dispute_opened')).slice(-1);
    expect(said(await respond(buyer, told.id, { action: 'concede' }))).toBe('400 invalid_action');
    expect(await moved()).toEqual({ buyer: 0, seller: 0 });
  });

  test('of a dispute that was withdrawn does nothing to the next one', async () => {
    await opened();
    const [first] = (await eventsOf(t, seller, 'escrow.dispute_opened')).slice(-1);
    await byBuyer('/withdraw');
    await opened();
    expect(said(await respond(seller, first.id, { action: 'concede' }))).toBe('409 not_open');
    expect((await seen()).body).toMatchObject({ status: 'open', evidence: [] });
  });

  test('wants a statement for an answer', async () => {
    await opened();
    const [asked] = (await eventsOf(t, seller, 'escrow.dispute_opened')).slice(-1);
    const answer = await respond(seller, asked.id, { action: 'respond' });
    expect([said(answer), answer.body.fields[0].path]).toEqual(['400 invalid_request', 'note']);
  });
});

test('one side cannot use up the room of the other', async () => {
  await opened();
  for (let n = 0; n < 50; n += 1) await byBuyer('/evidence', { statement: `Piece ${n}` });
  expect(said(await byBuyer('/evidence', { statement: 'One more.' }))).toBe('409 conflict');
  expect((await bySeller('/evidence', { statement: 'Mine.' })).status).toBe(201);
});

test('its file is signed, and anybody checks it with the published keys alone', async () => {
  await t.call('POST', `/api/wallet/escrow/${escrow_id}/release`, { key: buyer.pays, body: { milestone_index: 0 } });
  const delivered = { url: 'https://seller.example/final.zip', milestone_index: 1 };
  const by = { token: seller.token, agent: seller.handle, body: delivered };
  await t.call('POST', `/api/wallet/escrow/${escrow_id}/deliverable`, by);
  await opened();
  await bySeller('/evidence', { statement: 'It was delivered.' });
  const { status, body } = await t.call('GET', at('/bundle'), { key: buyer.pays });
  expect(status).toBe(200);
  const keys = createLocalJWKSet((await t.call('GET', '/.well-known/jwks.json')).body);
  const { jws, ...said_plainly } = body;
  const { payload, protectedHeader } = await compactVerify(jws, keys);
  expect(protectedHeader.typ).toBe('dispute-bundle+jwt');
  expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject(said_plainly);
  expect(body.deliverables).toHaveLength(1);
  // No listing was bought. What a person allows later changes nothing about what was agreed.
  expect([body.quote, body.approval]).toEqual([null, { by: 'program', at: body.escrow.created_at }]);
  const lower = { token: buyer.token, agent: buyer.handle, body: { max_pay_cents: 1 } };
  expect((await t.call('PATCH', '/api/agents/bounds', lower)).status).toBe(200);
  const later = (await t.call('GET', at('/bundle'), { key: buyer.pays })).body;
  expect(later.bounds_in_force).toEqual(body.bounds_in_force);
  expect(later.bounds_in_force.max_pay_cents).toBeNull();
  const kinds = await Promise.all(
    body.receipts.map(async (receipt: string) => {
      const checked = await compactVerify(receipt, keys);
      return JSON.parse(new TextDecoder().decode(checked.payload)).kind;
    }),
  );
  expect(kinds).toEqual(['escrow', 'release']);
  expect(said(await t.call('GET', at('/bundle'), { key: stranger.pays }))).toBe('403 not_a_party');
});

test('its file shows what was quoted and who bought, as it then was', async () => {
  const offered = { card_type: 'selling', headline: 'Good rope', labels: ['rope'], price_cents: 4_010 };
  const listing_id = await publish(t, seller, offered);
  const person = { token: await signIn(t, buyer.email), agent: buyer.handle };
  const checkout = `/api/services/${seller.handle}/good-rope/checkout`;
  const { body } = await t.call('POST', checkout, { ...person, body: { tier_id: 'listed' } });
  await t.call('PATCH', `/api/agents/${seller.handle}/cards/${listing_id}`, {
    key: seller.key,
    body: { price_cents: 9_000 },
  });
  await t.call('POST', at('', body.escrow_id), { ...person, body: { reason: 'It is another rope.' } });
  const { quote, approval } = (await t.call('GET', at('/bundle', body.escrow_id), person)).body;
  const [slug, headline] = ['good-rope', 'Good rope'];
  expect(quote).toEqual({ listing_id, slug, headline, tier_id: 'listed', tier_name: null, price_cents: 4_010 });
  expect(approval.by).toBe('person');
});
