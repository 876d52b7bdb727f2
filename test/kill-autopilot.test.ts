// kill -9 while agents on autopilot talk with each other, again and again: each turn is taken, and once. In the end every pair has come to
// its one deal, which is paid for, and no sentence of a talk stands there twice.
import { afterAll, expect, test } from 'bun:test';
import { type House, openSite } from './support/kill-house.ts';
import { often } from './support/nightly.ts';
import { fundBy, type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';
import { until } from './support/until.ts';

const PAIRS = 6;
/** How many messages the first talk has when the service is killed: in the opening and amid the bargain. */
const KILLED_AT = often(0, 1) === 1 ? [3, 9, 12] : [3, 12];
const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };
const FUNDED_CENTS = 100_000;

const site = await openSite();
afterAll(() => site.clear());

interface Pair {
  readonly buyer: string;
  readonly conversation_id: string;
}

/** Two agents on autopilot that have met; what the buyer may pay leaves room above what the seller asks. */
async function openPair(client: RestClient, n: number): Promise<Pair> {
  const seller = await verifiedAgent(client, TOKEN, `pilot_seller_${n}`, `+1415555040${n}`);
  const buyer = await verifiedAgent(client, TOKEN, `pilot_buyer_${n}`, `+1415555050${n}`);
  await fundBy(client, buyer, FUNDED_CENTS);
  const max = 60_000 + 1_000 * n;
  const alone = { auto_approve_below_cents: 99_000 };
  await client.ask('PATCH', '/api/agents/bounds', { token: buyer.token }, { max_pay_cents: max, ...alone });
  await client.ask('PATCH', '/api/agents/bounds', { token: seller.token }, { min_charge_cents: 50_000, ...alone });
  for (const { handle, token } of [seller, buyer])
    await client.ask('PATCH', `/api/agents/${handle}`, { token }, { autopilot: true });
  const labels = [`autopilot-${n}`];
  const offer = { card_type: 'selling', direction: 'offer', headline: 'SEO audits for small shops', labels };
  await client.ask(
    'POST',
    `/api/agents/${seller.handle}/cards`,
    { key: seller.key },
    { ...offer, price_cents: 58_000 },
  );
  const seek = { card_type: 'buying', direction: 'seek', headline: 'SEO audit of my shop wanted', labels };
  await client.ask('POST', `/api/agents/${buyer.handle}/cards`, { key: buyer.key }, { ...seek, budget_cents: max });
  const matches: Json[] = await client.ask('GET', '/api/matching/feed', { key: buyer.key });
  const match = matches.find(({ counterparty_handle }) => counterparty_handle === seller.handle);
  const answer = { match_id: match.match_id, action: 'interested' };
  const { conversation_id } = await client.ask('POST', '/api/matching/feedback', { key: buyer.key }, answer);
  return { buyer: buyer.key, conversation_id };
}

const thread = (client: RestClient, { buyer: key, conversation_id }: Pair): Promise<Json> =>
  client.ask('GET', `/api/conversations/${conversation_id}`, { key });
const pass = (client: RestClient, advance_seconds: number): Promise<Json> =>
  client.ask('POST', '/internal/clock', {}, { advance_seconds }, AS_PLATFORM);

const ENV = { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1' };

/** Kills whoever takes the turns at each of these places of the first talk, and looks at all talks once they are through. */
async function talkOver(house: House, killed_at: readonly number[]): Promise<void> {
  const first = restClient(house.victim(0).url);
  const pairs: Pair[] = [];
  // One after the other: a listing is to find its one match.
  for (let n = 0; n < PAIRS; n += 1) pairs.push(await openPair(first, n));
  const [watched] = pairs;
  if (!watched) throw new Error('there is no pair');
  for (const [round, said] of killed_at.entries()) {
    const server = house.victim(round);
    const client = restClient(server.url);
    const passing = pass(client, 3_600).catch(() => null);
    await until(async () => (await thread(client, watched)).messages.length >= said);
    await server.end('SIGKILL');
    await passing;
    await house.next(round);
    await house.mend(round);
  }
  const client = restClient(house.victim(killed_at.length).url);
  // A turn that the killed server had begun is taken again once its claim is over.
  const areThrough = async (): Promise<boolean> =>
    (await Promise.all(pairs.map((pair) => thread(client, pair)))).every(({ phase }) => phase === 'closing');
  await until(async () => {
    await pass(client, 3_600);
    return areThrough();
  });
  for (const pair of pairs) {
    const { messages } = await thread(client, pair);
    const written: Json[] = messages.filter(({ kind }: Json) => kind !== 'system').toReversed();
    const said = written.map(({ sender, content }) => `${sender}: ${content}`);
    expect(new Set(said).size).toBe(said.length);
    // Up to the proposal each word answers one of the other side.
    const turns = written.slice(0, written.findIndex(({ kind }) => kind === 'proposal') + 1);
    expect(turns.length).toBeGreaterThan(Math.max(...killed_at));
    for (const [n, { sender }] of turns.slice(1).entries()) expect(sender).not.toBe(turns[n]?.sender);
    const deals = await client.ask('GET', '/api/deals', { key: pair.buyer });
    expect(deals.map(({ status }: Json) => status)).toEqual(['funded']);
    const { balance_cents } = await client.ask('GET', '/api/v1/wallet', { key: pair.buyer });
    expect(balance_cents).toBe(FUNDED_CENTS - deals[0].amount_cents);
  }
  const check = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, AS_PLATFORM);
  expect(check).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
}

test(`each turn is taken once, over ${KILLED_AT.length} kills`, async () => {
  const house = await site.oneMachine(ENV);
  await talkOver(house, KILLED_AT);
  expect(await house.victim(KILLED_AT.length).end('SIGTERM')).toBe(0);
}, 600_000);

test.skipIf(site.postgres === null)(
  'and so where another node goes on',
  async () => talkOver(await site.twoNodes(ENV), [9]),
  600_000,
);
