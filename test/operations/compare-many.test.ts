// An agent that compares makes as many deals as it wants and no more, in whatever order offers come and whatever becomes of a deal; a model
// that obeys everybody changes none of it, and its budgets hold over all of its negotiations.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { BUYS, comparedIn, dealsOf, type Market, openMarket, personOf, proposeIn } from '../support/market.ts';
import { chatAnswer, negotiatorAt, openModelDouble } from '../support/model-double.ts';
import { often } from '../support/nightly.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const double = openModelDouble();
let t: TestService;
let rests = true;
beforeAll(async () => {
  const asking = negotiatorAt(double);
  t = await openTestService({}, 'memory', { negotiator: { ...asking, rests: () => rests } });
});
afterAll(async () => {
  await t.close();
  await double.close();
});

const MINUTE_MS = 60_000;
const THREE = [{}, {}, {}];
interface Made {
  readonly amount_cents: number;
  readonly status: string;
  readonly deal_id: string;
}
const amounts = (deals: readonly Made[]): number[] => deals.map(({ amount_cents }) => amount_cents).toSorted();
/** The status of each conversation of a market. */
const ends = async ({ buyer, talks }: Market): Promise<(string | null)[]> => {
  const found: (string | null)[] = [];
  for (const id of talks) {
    const { body } = await t.call('GET', `/api/conversations/${id}`, { key: buyer.key });
    found.push(body.status);
  }
  return found;
};

test('two deals where two are wanted: the best two, and the third is closed', async () => {
  const all = await openMarket(t, { sellers: THREE, deals: 2 });
  await proposeIn(all, 0, 30_000);
  await proposeIn(all, 1, 22_000);
  await proposeIn(all, 2, 26_000);
  await t.advance(HOUR_MS + 5 * MINUTE_MS);
  expect(amounts(await dealsOf(all))).toEqual([22_000, 26_000]);
  expect(await comparedIn(all)).toEqual([]);
  expect((await ends(all))[0]).toBe('closed');
});

test('dearest first: the last and cheapest wins', async () => {
  const all = await openMarket(t, { sellers: THREE });
  for (const [at, cents] of [44_000, 33_000, 22_000].entries()) await proposeIn(all, at, cents);
  await t.advance(HOUR_MS + MINUTE_MS);
  expect(await dealsOf(all)).toMatchObject([{ amount_cents: 22_000, status: 'funded' }]);
});

test('a deal that is not paid keeps the others waiting; cancelled, the next takes its place', async () => {
  const all = await openMarket(t, { sellers: THREE, funds_cents: 5_000 });
  await proposeIn(all, 0, 26_000);
  await proposeIn(all, 1, 22_000);
  await t.advance(HOUR_MS + MINUTE_MS);
  const [first] = await dealsOf(all);
  expect(first).toMatchObject({ amount_cents: 22_000, status: 'agreed' });
  expect(await comparedIn(all)).toMatchObject([{ amount_cents: 26_000 }]);
  await fundWallet(t, all.buyer.id, 100_000);
  const gone = await t.call('POST', `/api/deals/${first.deal_id}/cancel`, { key: all.buyer.key, body: {} });
  expect(gone.status).toBe(200);
  await t.advance(2 * HOUR_MS);
  const stands = (await dealsOf(all)).filter(({ status }: Made) => status !== 'cancelled');
  expect(stands).toMatchObject([{ amount_cents: 26_000, status: 'funded' }]);
});

test('a model that wants to agree at once agrees to nothing before the time, and to one then', async () => {
  rests = false;
  double.answer(({ form }) => chatAnswer(form, { action: 'approve', amount_cents: null }));
  const all = await openMarket(t, { sellers: THREE });
  await proposeIn(all, 0, 26_000);
  await proposeIn(all, 1, 22_000);
  await t.advance(30 * MINUTE_MS);
  expect(await dealsOf(all)).toEqual([]);
  await t.advance(HOUR_MS);
  expect(await dealsOf(all)).toMatchObject([{ amount_cents: 22_000, status: 'funded' }]);
  rests = true;
});

// A negotiation with each of so many sellers.
const OPEN = often(12, 200);
test(`the budget of a day holds over ${OPEN} open negotiations`, async () => {
  const most = 3;
  const all = await openMarket(t, {
    sellers: Array.from({ length: OPEN }, () => ({})),
    buyer: { ...BUYS, max_pay_per_day_cents: most * 10_000 },
    funds_cents: 10_000 * OPEN,
    hours: 0,
    deals: OPEN,
  });
  const path = (at: number): string => `/api/conversations/${all.talks[at]}/propose`;
  const put = await Promise.all(
    all.sellers.map((seller, at) =>
      t.call('POST', path(at), { ...personOf(seller), body: { amount_cents: 10_000, terms: 'All.' } }),
    ),
  );
  expect(put.map(({ status }) => status)).toEqual(put.map(() => 201));
  await t.advance(5 * MINUTE_MS);
  expect(await balanceOf(t, `wallet:${all.buyer.id}`)).toBe(10_000 * (OPEN - most));
  const { body } = await t.call('GET', '/api/deals?limit=100', { key: all.buyer.key });
  const paid = body.filter(({ status }: Made) => status === 'funded');
  expect(paid.length).toBe(most);
}, 300_000);
