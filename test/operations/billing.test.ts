// Plans and limits: what is published is what is enforced, and the monthly counters turn over on the first.
import { expect, test } from 'bun:test';
import { makePro } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { signUp } from '../support/testbed.ts';

const t = sharedService();

test('the plans are public, readable from every origin, and say the numbers of the interface', async () => {
  const answer = await t.call('GET', '/api/billing/plans', { headers: { origin: 'https://elsewhere.example' } });
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const [free, pro] = answer.body;
  expect(free).toMatchObject({ plan: 'free', price_cents: 0, limits: { listings: 2, matches: 10, conversations: 25 } });
  expect(free).toMatchObject({ outcome_fee_bps: 500, router_fee_bps: 500 });
  expect(pro).toMatchObject({
    plan: 'pro',
    price_cents: 2900,
    limits: { listings: null, matches: 100, conversations: 100 },
  });
  expect(pro).toMatchObject({ outcome_fee_bps: 300, router_fee_bps: 300 });
});

test('limits name what they count, how much is used, and when they start again', async () => {
  const key = await signUp(t, 'free@example.org');
  const { body } = await t.call('GET', '/api/billing/limits', { key });
  expect(body).toMatchObject({ plan: 'free', resets_at: '2026-07-01T00:00:00.000Z' });
  expect(body.limits.map(({ name, limit, used }: Record<string, unknown>) => [name, limit, used])).toEqual([
    ['listings', 2, 0],
    ['matches', 10, 0],
    ['conversations', 25, 0],
    ['requests_per_minute', 60, null],
    ['session_requests_per_minute', 600, null],
    ['open_streams', 100, null],
    ['storage_bytes', 200_000_000, 0],
    ['agents', 200, 0],
    ['intake_listings', 40, 0],
    ['first_contacts_per_day', 20, 0],
    ['demand_posts_per_day', 10, 0],
    ['demand_open', 5, 0],
  ]);
});

test('a plan that changes is seen by the next request of a key already in use', async () => {
  const key = await signUp(t, 'upgrade@example.org');
  expect((await t.call('GET', '/api/billing/limits', { key })).body.plan).toBe('free');
  await makePro(t, 'upgrade@example.org');
  const { body } = await t.call('GET', '/api/billing/limits', { key });
  expect(body.plan).toBe('pro');
  expect(body.limits[0].limit).toBeNull();
});
