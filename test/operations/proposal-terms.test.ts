// The terms of a proposal hold: the dates of its parts, after how many days a delivery is released, and when what is not delivered comes
// back, stand in the escrow that both sides' approval opens, and in one that the buyer opens later for the deal.

import { beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { rpc } from '../support/mcp.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let pairs = 0;
let buyer: TestAgent;
let seller: TestAgent;
// A session ends while days pass.
beforeEach(async () => {
  pairs += 1;
  buyer = await newAgent(t, { handle: `terms_buyer_${pairs}`, verified: true, pro: true });
  seller = await newAgent(t, { handle: `terms_seller_${pairs}`, verified: true, pro: true });
});

const inDays = (days: number): string => new Date(t.clock.now() + days * DAY_MS).toISOString();
const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();

async function talk(): Promise<string> {
  return await startTalk(t, buyer, seller.handle, 'Hello');
}

const PARTS = [
  { title: 'Draft', amount_cents: 400 },
  { title: 'Rest', amount_cents: 600 },
];

/** A proposal by the seller's person, who so has agreed. */
function propose(id: string, more: object): Promise<TestAnswer> {
  const body = { amount_cents: 1_000, terms: 'A rope', side: 'seller', milestones: PARTS, ...more };
  return t.call('POST', `/api/conversations/${id}/propose`, { ...person(seller), body });
}

const approve = (id: string): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/approve`, { ...person(buyer), body: {} });
const pay = (body: object): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/escrow', { ...person(buyer), body: { seller_handle: seller.handle, ...body } });
const read = async (path: string): Promise<TestAnswer['body']> => (await t.call('GET', path, { key: buyer.key })).body;
const datesOf = (milestones: { due_at: string | null }[]): unknown[] => milestones.map(({ due_at }) => due_at);

/** The parts, with a time for the first. */
const partsDue = (due_at: string): object[] => PARTS.map((part, n) => (n === 0 ? { ...part, due_at } : part));

/** All terms that a proposal may carry, by days to come. */
function terms(due: number, end: number) {
  const due_at = inDays(due);
  return {
    due_at,
    milestones: partsDue(due_at),
    escrow_terms: { auto_release_after_days: 3, expires_at: inDays(end) },
  };
}

test('are shown to both sides, in the proposal and in its message, and the escrow of the approval takes them', async () => {
  const id = await talk();
  await fundWallet(t, buyer.id, 1_000);
  const { due_at: due, ...given } = terms(2, 30);
  const { expires_at } = given.escrow_terms;
  const put = await propose(id, given);
  expect(said(put)).toBe('201');
  const seen = await read(`/api/conversations/${id}`);
  for (const proposal of [put.body, seen.proposal]) {
    expect(datesOf(proposal.milestones)).toEqual([due, null]);
    expect(proposal.escrow_terms).toEqual(given.escrow_terms);
  }
  expect(seen.messages[0].content).toBe(
    `Proposal: $10.00\nA rope\n1. Draft: $4.00, due ${due}\n2. Rest: $6.00\n` +
      `Released by itself, days after delivery: 3\nGoes back unless delivered by ${expires_at}`,
  );
  const { escrow_id, deal_id } = (await approve(id)).body;
  const escrow = await read(`/api/wallet/escrow/${escrow_id}`);
  expect(escrow).toMatchObject({ auto_release_after_days: 3, expires_at });
  expect(datesOf(escrow.milestones)).toEqual([due, null]);
  expect(await read(`/api/deals/${deal_id}`)).toMatchObject({ escrow_terms: given.escrow_terms });
  await t.call('POST', `/api/wallet/escrow/${escrow_id}/deliverable`, {
    key: seller.key,
    body: { url: 'https://files.example/1' },
  });
  await t.advance(3 * DAY_MS + 60_000);
  await t.advance(28 * DAY_MS);
  const after = await read(`/api/wallet/escrow/${escrow_id}`);
  expect(after.milestones.map(({ status }: { status: string }) => status)).toEqual(['released', 'refunded']);
});

test('hold in an escrow that the buyer opens later for the deal, who gives what was left open', async () => {
  const id = await talk();
  const { due_at: due, milestones, escrow_terms } = terms(2, 30);
  expect(said(await propose(id, { milestones, escrow_terms: { auto_release_after_days: 3 } }))).toBe('201');
  const { deal_id, unpaid } = (await approve(id)).body;
  expect(unpaid).toBe('payment_required');
  expect(await read(`/api/deals/${deal_id}`)).toMatchObject({
    escrow_terms: { auto_release_after_days: 3, expires_at: null },
    milestones: [{ due_at: due }, { due_at: null }],
  });
  await fundWallet(t, buyer.id, 1_000);
  const paid = { deal_id, milestones: PARTS };
  const other = await pay({ ...paid, auto_release_after_days: 90 });
  expect([said(other), other.body.fields[0].path]).toEqual(['400 invalid_request', 'auto_release_after_days']);
  const moved = await pay({ deal_id, milestones: partsDue(inDays(9)) });
  expect([said(moved), moved.body.fields[0].path]).toEqual(['400 invalid_request', 'milestones.0.due_at']);
  const opened = await pay({ ...paid, expires_at: escrow_terms.expires_at });
  expect(opened.body).toMatchObject({ auto_release_after_days: 3, expires_at: escrow_terms.expires_at });
  expect(datesOf(opened.body.milestones)).toEqual([due, null]);
});

test('that end before the proposal does end it, and a deal that is paid after its end needs a later one', async () => {
  const id = await talk();
  const { escrow_terms } = terms(2, 1);
  await propose(id, { escrow_terms });
  const { deal_id } = (await approve(id)).body;
  expect((await propose(id, { escrow_terms })).body.expires_at).toBe(escrow_terms.expires_at);
  const early = await pay({ deal_id, milestones: PARTS, expires_at: inDays(5) });
  expect([said(early), early.body.fields[0].path]).toEqual(['400 invalid_request', 'expires_at']);
  await fundWallet(t, buyer.id, 1_000);
  await t.advance(DAY_MS);
  buyer = { ...buyer, token: await signIn(t, buyer.email) };
  expect(said(await approve(id))).toBe('409 proposal_expired');
  const passed = await pay({ deal_id, milestones: PARTS });
  expect(said(passed)).toBe('409 conflict');
  expect(passed.body.message).toContain('`expires_at`');
  const expires_at = inDays(5);
  expect((await pay({ deal_id, milestones: PARTS, expires_at })).body.expires_at).toBe(expires_at);
});

test('are kept while a proposal waits for its own person, and end with one that says none', async () => {
  const id = await talk();
  const bounds = (min_charge_cents: number | null) =>
    t.call('PATCH', '/api/agents/bounds', { ...person(seller), body: { min_charge_cents } });
  await bounds(5_000);
  const { due_at, ...given } = terms(2, 30);
  const body = { amount_cents: 1_000, side: 'seller', ...given };
  const put = await t.call('POST', `/api/conversations/${id}/propose`, { key: seller.key, body });
  expect(put.body.status).toBe('withheld');
  const let_go = await t.call('POST', `/api/conversations/${id}/approve`, { ...person(seller), body: {} });
  expect(let_go.body.proposal).toMatchObject({ status: 'open', escrow_terms: given.escrow_terms });
  expect(datesOf(let_go.body.proposal.milestones)).toEqual([due_at, null]);
  await bounds(null);
  const plain = (await propose(id, {})).body;
  expect(plain.escrow_terms).toEqual({ auto_release_after_days: null, expires_at: null });
});

test('are refused at the field that is wrong, and taken by the tool', async () => {
  const id = await talk();
  const path = async (more: object) => (await propose(id, more)).body.fields?.[0].path;
  const past = inDays(-1);
  expect(await path({ milestones: partsDue(past) })).toBe('milestones.0.due_at');
  expect(await path({ escrow_terms: { expires_at: past } })).toBe('escrow_terms.expires_at');
  expect(await path({ escrow_terms: { expires_at: inDays(400) } })).toBe('escrow_terms.expires_at');
  expect(await path({ escrow_terms: { auto_release_after_days: 91 } })).toContain('auto_release_after_days');
  const { milestones, escrow_terms } = terms(2, 30);
  const args = { conversation_id: id, amount_cents: 1_000, side: 'seller', milestones, escrow_terms };
  const { body } = await rpc(t, 'tools/call', { name: 'mesh_propose', arguments: args }, { key: seller.key });
  expect(body.error).toBeUndefined();
  expect((await read(`/api/conversations/${id}`)).proposal.escrow_terms).toEqual(args.escrow_terms);
});
