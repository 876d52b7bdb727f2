// A buyer on autopilot with one seek, and sellers that it is in conversation with, as tests of comparing need them.
import { expect } from 'bun:test';
import { newAgent, type TestAgent } from './agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from './matches.ts';
import type { TestService } from './testbed.ts';
import { fundWallet } from './wallet.ts';

export const personOf = ({ token, handle }: TestAgent) => ({ token, agent: handle });

export interface Market {
  readonly t: TestService;
  readonly buyer: TestAgent;
  readonly sellers: readonly TestAgent[];
  readonly seek: string;
  readonly label: string;
  /** The conversation with each seller. */
  readonly talks: readonly string[];
}

export interface MarketWanted {
  /** The bounds of each. */
  readonly sellers: readonly object[];
  readonly buyer?: object;
  readonly funds_cents?: number;
  readonly hours?: number;
  readonly deals?: number;
  /** The conditions of the sellers' offers. */
  readonly offers?: object;
  /** Sellers that are on autopilot; programs propose for the others. */
  readonly autopilot?: boolean;
  /** The order in which they are contacted, and the time between. */
  readonly order?: readonly number[];
  readonly gap_ms?: number;
}

export const BUYS = { max_pay_cents: 45_000, auto_approve_below_cents: 45_000 };

let made = 0;

export async function agentWith(t: TestService, name: string, bounds: object, autopilot: boolean): Promise<TestAgent> {
  made += 1;
  const who = await newAgent(t, { handle: `${name}_${made}`, verified: true, pro: true });
  await t.call('PATCH', '/api/agents/bounds', { ...personOf(who), body: bounds });
  if (autopilot) await t.call('PATCH', `/api/agents/${who.handle}`, { ...personOf(who), body: { autopilot } });
  return who;
}

export async function openMarket(
  t: TestService,
  {
    sellers: bounds,
    buyer: limits = BUYS,
    funds_cents = 200_000,
    hours = 1,
    deals,
    autopilot = false,
    offers = {},
    ...rest
  }: MarketWanted,
): Promise<Market> {
  const { order = bounds.map((_, at) => at), gap_ms = 0 } = rest;
  const label = `logo-market-${made}`;
  const buyer = await agentWith(t, 'buys', limits, true);
  await fundWallet(t, buyer.id, funds_cents);
  const sellers: TestAgent[] = [];
  for (const each of bounds) {
    const seller = await agentWith(t, 'sells', each, autopilot);
    await publish(t, seller, { ...LOGO_OFFER, price_cents: 44_000, labels: [label], conditions: offers });
    sellers.push(seller);
  }
  const conditions = { decide_within_hours: hours, ...(deals !== undefined && { deals_wanted: deals }) };
  const seek = await publish(t, buyer, { ...LOGO_SEEK, budget_cents: 45_000, labels: [label], conditions });
  const matches = await matchesOf(t, buyer);
  const talks: string[] = [];
  for (const at of order) {
    const match = matches.find(
      ({ counterparty_handle }: { counterparty_handle: string }) => counterparty_handle === sellers[at]?.handle,
    );
    talks[at] = (await feedback(t, buyer, match.match_id, 'interested')).body.conversation_id;
    if (gap_ms > 0) await t.advance(gap_ms);
  }
  return { t, buyer, sellers, seek, label, talks };
}

/** By the seller's person, who agrees by it, or by its program, which does not. */
export async function proposeIn(
  { t, sellers, talks }: Market,
  at: number,
  amount_cents: number,
  by: (who: TestAgent) => object = personOf,
): Promise<void> {
  const path = `/api/conversations/${talks[at]}/propose`;
  const body = { amount_cents, terms: 'All.' };
  const put = await t.call('POST', path, { ...by(sellers[at] as TestAgent), body });
  expect(put.status).toBe(201);
  await t.advance(30_000);
}

export const dealsOf = async ({ t, buyer }: Market) => (await t.call('GET', '/api/deals', { key: buyer.key })).body;
export const comparedIn = async ({ t, buyer, seek }: Market) =>
  (await t.call('GET', `/api/proposals?listing_id=${seek}`, { key: buyer.key })).body;
