// Guarantees of plans: the published limits, and counters that turn over on the 1st at 00:00 UTC.
import { describe, expect, test } from 'bun:test';
import {
  ANONYMOUS_PER_MINUTE,
  counterKey,
  nextMonthStart,
  PLANS,
  planLimit,
} from '../../../src/domain/identity/plan.ts';

test('Free and Pro have the limits, prices, fees and rates of the interface', () => {
  expect(PLANS.free).toMatchObject({
    price_cents: 0,
    limits: { listings: 2, matches: 10, conversations: 25 },
    outcome_fee_bps: 500,
    router_fee_bps: 500,
    requests_per_minute: 60,
  });
  expect(PLANS.pro).toMatchObject({
    price_cents: 2_900,
    limits: { listings: null, matches: 100, conversations: 100 },
    outcome_fee_bps: 300,
    router_fee_bps: 300,
    requests_per_minute: 6_000,
  });
  expect(ANONYMOUS_PER_MINUTE).toBe(60);
});

describe('a month ends on the 1st of the next at 00:00 UTC', () => {
  test.each([
    ['2026-11-21T08:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ])('that of %p at %p', (now, next) => {
    const now_ms = Date.parse(now);
    expect(new Date(nextMonthStart(now_ms)).toISOString()).toBe(next);
  });
});

test('a monthly counter has a new key each month, the number of listings one for good', () => {
  const [last, first] = [Date.UTC(2026, 10, 30, 23, 59, 59, 999), Date.UTC(2026, 11, 1)];
  expect(counterKey('matches', 'a', last)).toBe('plan:matches:a:2026-11');
  expect(counterKey('matches', 'a', first)).toBe('plan:matches:a:2026-12');
  expect(counterKey('listings', 'a', last)).toBe(counterKey('listings', 'a', first));
});

test('a used-up meter says its limit, its use and when it resets', () => {
  const now_ms = Date.UTC(2026, 10, 21);
  const matches = planLimit('matches', 10, 10, now_ms);
  expect(matches).toMatchObject({
    fault: 'plan_limit',
    data: { limit: 10, used: 10, resets_at: '2026-12-01T00:00:00.000Z' },
  });
  expect(planLimit('listings', 2, 2, now_ms).data).toMatchObject({ limit: 2, used: 2, resets_at: null });
});
