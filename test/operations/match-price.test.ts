// Guards that a price is where a talk begins: two who would agree are matched whatever comes first, a firm side keeps to its figure,
// and nobody has to publish a budget.
import { beforeEach, describe, expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';

const t = freshService();
let ann: TestAgent;
let bob: TestAgent;

beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true });
  bob = await newAgent(t, { handle: 'bob', verified: true });
});

const FIRM = { conditions: { price_firm: true } };
const ASKS = { ...LOGO_OFFER, price_cents: 240_000 };
const PLANS = { ...LOGO_SEEK, budget_cents: 160_000 };

describe.each([
  ['the offer first', (): Promise<unknown> => publish(t, ann, ASKS), (): Promise<unknown> => publish(t, bob, PLANS)],
  ['the seek first', (): Promise<unknown> => publish(t, bob, PLANS), (): Promise<unknown> => publish(t, ann, ASKS)],
])('an offer above the budget, %s', (_, first, second) => {
  test('is matched, and both read why', async () => {
    await first();
    await second();
    const [[mine], [theirs]] = [await matchesOf(t, bob), await matchesOf(t, ann)];
    const reason = 'asks $2,400, the budget is $1,600; neither is firm';
    expect(mine?.reasons).toContain(reason);
    expect([theirs?.match_id, theirs?.score]).toEqual([mine?.match_id, mine?.score]);
  });
});

test.each([
  ['the seek is firm', {}, FIRM],
  ['the offer is firm', FIRM, {}],
  ['it is more than 60 % above', { price_cents: 256_001 }, {}],
])('an offer above the budget is missing where %s', async (_, offer, seek) => {
  await publish(t, ann, { ...ASKS, ...offer });
  const listing_id = await publish(t, bob, { ...PLANS, ...seek });
  expect(await matchesOf(t, bob)).toEqual([]);
  const { body } = await t.call('POST', '/api/matching/run', { key: bob.key, agent: 'bob', body: { listing_id } });
  expect(body.missing).toMatchObject([{ rule: 'price', count: 1 }]);
});

test('a listing says whether it is firm, and a patch of another condition leaves that', async () => {
  const id = await publish(t, ann, { ...ASKS, ...FIRM });
  const path = `/api/agents/ann/cards/${id}`;
  const body = { conditions: { dealbreakers: ['casino'] } };
  expect((await t.call('PATCH', path, { key: ann.key, body })).body.conditions).toMatchObject({
    price_firm: true,
    dealbreakers: ['casino'],
  });
  const back = await t.call('PATCH', path, { key: ann.key, body: { conditions: { price_firm: false } } });
  expect(back.body.conditions.price_firm).toBe(false);
});

test('bounds that nobody sees decide no match', async () => {
  const bounds = { max_pay_cents: 100, max_pay_currency: 'USD' };
  await t.call('PATCH', '/api/agents/bounds', { token: bob.token, agent: 'bob', body: bounds });
  await publish(t, bob, PLANS);
  await publish(t, ann, ASKS);
  expect(await matchesOf(t, bob)).toHaveLength(1);
});

test('a seek that asks for quotes needs no budget, nor does one of an intake', async () => {
  await publish(t, ann, ASKS);
  const { budget_cents: _, ...open } = LOGO_SEEK;
  const created = await t.call('POST', '/api/agents/bob/cards', {
    key: bob.key,
    body: { ...open, fields: { pricing_model: 'quote' } },
  });
  expect(created.body).toMatchObject({ status: 'live', budget_cents: null });
  expect(await matchesOf(t, bob)).toHaveLength(1);
  const eve = await newAgent(t, { handle: 'eve', verified: true });
  const intake = {
    offers: [{ headline: 'Bread', labels: ['bread'], price_cents: 400 }],
    seeks: [{ headline: 'A logo for a bakery', labels: ['logo-design'] }],
  };
  const { body } = await t.call('POST', '/api/onboarding/intake', { key: eve.key, body: intake });
  expect(body.listings.map(({ status }: { status: string }) => status)).toEqual(['live', 'live']);
});
