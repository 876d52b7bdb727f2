// kill -9 while an agent compares: amid the proposals that it holds, its decision, and the ends of the other conversations, on one machine and
// where another node goes on. In the end there is one deal, paid, about the best that stood, and nobody is left waiting.
import { afterAll, expect, test } from 'bun:test';
import { type House, openSite } from './support/kill-house.ts';
import { often } from './support/nightly.ts';
import { fundBy, type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';
import { until } from './support/until.ts';

const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };
const ENV = { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1' };
const FUNDED_CENTS = 100_000;
/** All below the first offer of any buyer with its limit, so that each is held; the second is the best. */
const ASKED = [26_000, 22_000, 24_000];
const BEST_CENTS = 22_000;
/** After how many looks at the passing of the time the server is killed: amid the holding, then amid the decision. */
const KILLED_AFTER = often(0, 1) === 1 ? [0, 1, 2, 4, 8, 16] : [1, 6];

const site = await openSite();
afterAll(() => site.clear());

interface Market {
  readonly key: string;
  readonly seek: string;
  readonly talks: readonly string[];
  readonly sellers: readonly { readonly token: string }[];
}

async function sellerWith(client: RestClient, name: string, phone: string, labels: readonly string[]) {
  const seller = await verifiedAgent(client, TOKEN, name, phone);
  const offer = { card_type: 'selling', direction: 'offer', headline: 'SEO audits for small shops', labels };
  const body = { ...offer, price_cents: 44_000 };
  await client.ask('POST', `/api/agents/${name}/cards`, { key: seller.key }, body);
  return seller;
}

/** A buyer on autopilot that compares for an hour, in conversation with as many sellers as there are prices. */
async function openMarket(client: RestClient, n: number): Promise<Market> {
  const labels = [`compares-${n}`];
  const buyer = await verifiedAgent(client, TOKEN, `compares_${n}`, `+1415555060${n}`);
  await fundBy(client, buyer, FUNDED_CENTS);
  const bounds = { max_pay_cents: 45_000, auto_approve_below_cents: 45_000 };
  await client.ask('PATCH', '/api/agents/bounds', { token: buyer.token }, bounds);
  await client.ask('PATCH', `/api/agents/${buyer.handle}`, { token: buyer.token }, { autopilot: true });
  const sellers: { token: string; handle: string }[] = [];
  for (const at of ASKED.keys())
    sellers.push(await sellerWith(client, `offers_${n}_${at}`, `+141555507${n}${at}`, labels));
  const seek = { card_type: 'buying', direction: 'seek', headline: 'SEO audit of my shop wanted', labels };
  const body = { ...seek, budget_cents: 45_000, conditions: { decide_within_hours: 1 } };
  const { id } = await client.ask('POST', `/api/agents/${buyer.handle}/cards`, { key: buyer.key }, body);
  const matches: Json[] = await client.ask('GET', '/api/matching/feed', { key: buyer.key });
  const talks: string[] = [];
  for (const { handle } of sellers) {
    const match = matches.find(({ counterparty_handle }) => counterparty_handle === handle);
    const said = { match_id: match.match_id, action: 'interested' };
    talks.push((await client.ask('POST', '/api/matching/feedback', { key: buyer.key }, said)).conversation_id);
  }
  return { key: buyer.key, seek: id, talks, sellers };
}

/** Each seller's person proposes its price, and so agrees to it. */
async function propose(client: RestClient, { talks, sellers }: Market): Promise<void> {
  for (const [at, amount_cents] of ASKED.entries()) {
    const { token = '' } = sellers[at] ?? {};
    await client.ask('POST', `/api/conversations/${talks[at]}/propose`, { token }, { amount_cents, terms: 'All.' });
  }
}

const pass = (client: RestClient, advance_seconds: number): Promise<Json> =>
  client.ask('POST', '/internal/clock', {}, { advance_seconds }, AS_PLATFORM);

/** Lets time pass, and kills whoever serves after so many looks. */
async function killedWhilePassing(
  house: House,
  round: number,
  { key }: Market,
  looks: number,
  seconds: number,
): Promise<void> {
  const server = house.victim(round);
  const client = restClient(server.url);
  const passing = pass(client, seconds).catch(() => null);
  for (let look = 0; look < looks; look += 1) await client.ask('GET', '/api/deals', { key });
  await server.end('SIGKILL');
  await passing;
  await house.next(round);
  await house.mend(round);
}

async function expectOne(client: RestClient, { key, seek, talks }: Market): Promise<void> {
  const deals = await client.ask('GET', '/api/deals', { key });
  expect(deals).toMatchObject([{ amount_cents: BEST_CENTS, status: 'funded' }]);
  expect(await client.ask('GET', `/api/proposals?listing_id=${seek}`, { key })).toEqual([]);
  const { balance_cents } = await client.ask('GET', '/api/v1/wallet', { key });
  expect(balance_cents).toBe(FUNDED_CENTS - BEST_CENTS);
  for (const [at, id] of talks.entries()) {
    const { status, proposal } = await client.ask('GET', `/api/conversations/${id}`, { key });
    if (ASKED[at] !== BEST_CENTS) expect([status, proposal?.status ?? 'expired']).toEqual(['closed', 'expired']);
  }
}

async function compareOver(house: House): Promise<void> {
  let round = 0;
  const markets: Market[] = [];
  for (const [n, looks] of KILLED_AFTER.entries()) {
    const client = restClient(house.victim(round).url);
    const market = await openMarket(client, n);
    markets.push(market);
    await propose(client, market);
    await killedWhilePassing(house, round, market, looks, 60);
    round += 1;
    const next = restClient(house.victim(round).url);
    await until(async () => {
      await pass(next, 60);
      return (await next.ask('GET', `/api/proposals?listing_id=${market.seek}`, { key: market.key })).length === 3;
    });
    await killedWhilePassing(house, round, market, looks, 3_700);
    round += 1;
  }
  const client = restClient(house.victim(round).url);
  const isOver = async ({ key, seek, talks }: Market): Promise<boolean> => {
    const left = await client.ask('GET', `/api/proposals?listing_id=${seek}`, { key });
    const deals = await client.ask('GET', '/api/deals', { key });
    const first = await client.ask('GET', `/api/conversations/${talks[0]}`, { key });
    return left.length === 0 && deals.length > 0 && first.status === 'closed';
  };
  for (const market of markets) {
    await until(async () => {
      await pass(client, 3_600);
      return isOver(market);
    });
  }
  for (const market of markets) await expectOne(client, market);
  const check = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, AS_PLATFORM);
  expect(check).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
}

test(`one deal about the best, over ${2 * KILLED_AFTER.length} kills`, async () => {
  await compareOver(await site.oneMachine(ENV));
}, 900_000);

test.skipIf(site.postgres === null)(
  'and so where another node goes on',
  async () => compareOver(await site.twoNodes(ENV)),
  900_000,
);
