// Plays a task in a whole service: agents on autopilot with bounds and listings, on a virtual clock, through the calls that everybody has.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesAmount } from '../../src/domain/negotiation/told.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { idMaker, Random } from '../sim/random.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { seeded, shuffled } from '../support/dice.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { openTestService, START_MS, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';
import { fundWallet } from '../support/wallet.ts';
import type { Task, Trader } from './tasks.ts';

/** A seek compares for a quarter of an hour from its first acceptable proposal on. */
const HOURS = 0.25;
const RICH = 10_000_000;
/** A memory disk where there is one: what a crash leaves behind is another test's to show. */
const MEMORY_DISK = '/dev/shm';

export interface Dealt {
  readonly buyer: number;
  readonly seller: number;
  readonly cents: number;
}

export interface Played {
  readonly deals: readonly Dealt[];
  /** The most messages of one side of one conversation. */
  readonly messages: number;
  /** Messages that name their own side's limit, other than by taking what the other side named. */
  readonly told: number;
  /** Service time until the last deal. */
  readonly minutes: number;
  readonly ms: number;
}

/** How buyers come to sellers: in which order, and with how much service time between two contacts. */
export interface Contacts {
  readonly order?: readonly (readonly [number, number])[];
  readonly gap_ms?: number;
}

interface Stand {
  readonly agent: TestAgent;
  readonly trader: Trader;
}

async function stand(t: TestService, name: string, side: 'buyer' | 'seller', trader: Trader): Promise<Stand> {
  const agent = await newAgent(t, { handle: name, verified: true, pro: true });
  const person = { token: agent.token, agent: name };
  const limit = side === 'buyer' ? { max_pay_cents: trader.limit } : { min_charge_cents: trader.limit };
  await t.call('PATCH', '/api/agents/bounds', { ...person, body: { ...limit, auto_approve_below_cents: RICH } });
  await t.call('PATCH', `/api/agents/${name}`, { ...person, body: { autopilot: true } });
  if (side === 'buyer') await fundWallet(t, agent.id, RICH);
  return { agent, trader };
}

/** The talk of each pair that meets, by buyer and seller. */
type Talks = Map<string, { readonly id: string; readonly buyer: number; readonly seller: number }>;

async function meet(t: TestService, task: Task, buyers: readonly Stand[], sellers: readonly Stand[], how: Contacts) {
  const random = seeded(task.seed);
  const all = buyers.flatMap((_, buyer) => sellers.map((__, seller) => [buyer, seller] as const));
  const matches = await Promise.all(buyers.map(({ agent }) => matchesOf(t, agent)));
  const talks: Talks = new Map();
  for (const [buyer, seller] of how.order ?? shuffled(all, random)) {
    const handle = sellers[seller]?.agent.handle;
    const match = matches[buyer]?.find((each: { counterparty_handle: string }) => each.counterparty_handle === handle);
    const who = buyers[buyer];
    if (!match || !who) throw new Error(`buyer ${buyer} has no match with seller ${seller}`);
    const answer = await feedback(t, who.agent, match.match_id, 'interested');
    if (answer.status !== 200) throw new Error(`feedback answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    talks.set(`${buyer}:${seller}`, { id: answer.body.conversation_id, buyer, seller });
    if (how.gap_ms) await t.advance(how.gap_ms);
  }
  return talks;
}

interface Message {
  readonly sender: string;
  readonly content: string;
  readonly kind: string;
}

/** The most messages of a side, and how many name the limit of their own side. */
async function readTalk(t: TestService, id: string, sides: readonly Stand[]): Promise<{ most: number; told: number }> {
  const path = `/api/conversations/${id}/messages?limit=100`;
  const { body } = await t.call('GET', path, { key: sides[0]?.agent.key ?? '' });
  const said = (body.messages ?? body) as readonly Message[];
  const own = sides.map(({ agent, trader }) => {
    const mine = said.filter(({ sender, kind }) => sender === agent.handle && kind !== 'system');
    const names = mine.filter(({ content }) => namesAmount(content, trader.limit) && !content.includes('works for me'));
    return { count: mine.length, told: names.length };
  });
  return { most: Math.max(...own.map(({ count }) => count)), told: own.reduce((sum, { told }) => sum + told, 0) };
}

async function readDeals(t: TestService, buyers: readonly Stand[], sellers: readonly Stand[]) {
  const found = await Promise.all(
    buyers.map(async ({ agent }, buyer) => {
      const { body } = await t.call('GET', '/api/deals', { key: agent.key });
      return (body as { seller_handle: string; amount_cents: number; created_at: string }[]).map((deal) => ({
        buyer,
        seller: sellers.findIndex((each) => each.agent.handle === deal.seller_handle),
        cents: deal.amount_cents,
        at: Date.parse(deal.created_at),
      }));
    }),
  );
  return found.flat();
}

/** A service whose ids and secret come out of a seed: from them follows how each agent bargains. */
function openSeeded(seed: number): Promise<TestService> {
  const random = new Random(seed, 'market');
  const clock = virtualClock(START_MS);
  const data_dir = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), 'meshwork-market-'));
  writeFileSync(join(data_dir, 'seal-key'), Buffer.from(random.bytes(32)).toString('base64url'), { mode: 0o600 });
  return openTestService({}, 'memory', { data_dir, clock, id: idMaker(random, clock) });
}

/** Opens a service of its own, plays the task there for some hours of service time, and reads what came of it. */
export async function playServed(task: Task, how: Contacts = {}, hours = 2): Promise<Played> {
  const began = performance.now();
  const t = await openSeeded(task.seed);
  try {
    const [sellers, buyers]: [Stand[], Stand[]] = [[], []];
    const one = { deals_wanted: 1 };
    // A seller among buyers compares as well; among sellers it takes the first that suits it.
    const offers = task.kind === 'n:1' ? { ...one, decide_within_hours: HOURS } : one;
    const seeks = { ...one, decide_within_hours: task.kind === 'n:1' ? 0 : HOURS };
    for (const [at, trader] of task.sellers.entries()) {
      const seller = await stand(t, `sells_${at}`, 'seller', trader);
      sellers.push(seller);
      await publish(t, seller.agent, { ...LOGO_OFFER, price_cents: trader.listed, conditions: offers });
    }
    for (const [at, trader] of task.buyers.entries()) {
      const buyer = await stand(t, `buys_${at}`, 'buyer', trader);
      buyers.push(buyer);
      await publish(t, buyer.agent, { ...LOGO_SEEK, budget_cents: trader.listed, conditions: seeks });
    }
    const from = t.clock.now();
    const talks = await meet(t, task, buyers, sellers, how);
    await t.advance(hours * HOUR_MS);
    const deals = await readDeals(t, buyers, sellers);
    const read = await Promise.all(
      [...talks.values()].map(({ id, buyer, seller }) => {
        const sides = [buyers[buyer], sellers[seller]].filter((side) => side !== undefined);
        return readTalk(t, id, sides);
      }),
    );
    return {
      deals,
      messages: Math.max(0, ...read.map(({ most }) => most)),
      told: read.reduce((sum, { told }) => sum + told, 0),
      minutes: Math.max(0, ...deals.map(({ at }) => (at - from) / 60_000)),
      ms: performance.now() - began,
    };
  } finally {
    await t.close();
  }
}
