// The span of days that analytics are asked for, and the sums over it.
import { describe, expect, test } from 'bun:test';
import { addUp, type Days, daysOf, type Sources } from '../../../src/domain/analytics/analytics.ts';
import { isFault } from '../../../src/domain/fault.ts';

const NOW_MS = Date.UTC(2026, 2, 1, 23, 59);

function span(from?: string, to?: string): Days {
  const days = daysOf({ from, to }, NOW_MS);
  if (isFault(days)) throw new Error(JSON.stringify(days));
  return days;
}

describe('the days asked for', () => {
  test('are the last thirty unless said, today among them', () => {
    const { from, to, all, from_ms, until_ms } = span();
    expect([from, to, all.length]).toEqual(['2026-01-31', '2026-03-01', 30]);
    expect([from_ms, until_ms]).toEqual([Date.UTC(2026, 0, 31), Date.UTC(2026, 2, 2)]);
  });

  test('begin 29 days before their end where only that is named', () => {
    expect(span(undefined, '2024-02-29').from).toBe('2024-01-31');
    expect(span('2026-02-27').all).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });

  test.each([
    ['2026-02-30', undefined, 'from'],
    [undefined, '2026-13-01', 'to'],
    ['2026-02-02', '2026-02-01', 'from'],
    ['2025-01-01', '2026-01-02', 'from'],
  ])('%s to %s is refused by %s', (from, to, path) => {
    expect(daysOf({ from, to }, NOW_MS)).toMatchObject({ fault: 'invalid_request', data: { fields: [{ path }] } });
  });

  test('may be 366', () => {
    expect(span('2024-01-01', '2024-12-31').all).toHaveLength(366);
  });
});

const NOTHING: Sources = { views: [], matches: [], conversations: [], replies: [], deals: [], revenue: [] };
const LISTINGS = [
  { id: 'a', headline: 'A' },
  { id: 'b', headline: 'B' },
];

describe('the sums', () => {
  const days = span('2026-02-27', '2026-03-01');

  test('of nothing are zeros for each day and listing', () => {
    const sums = addUp(days, NOTHING, LISTINGS);
    expect(sums).toMatchObject({ views: 0, replies: 0, revenue_cents: 0, median_response_seconds: null });
    expect(sums.by_day.map(({ day, views, replies }) => [day, views, replies])).toEqual([
      ['2026-02-27', 0, 0],
      ['2026-02-28', 0, 0],
      ['2026-03-01', 0, 0],
    ]);
    expect(sums.by_listing.map(({ deals }) => deals)).toEqual([0, 0]);
    expect(sums.by_phase.map(({ conversations }) => conversations)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('stand under their day and their listing, and what is of none in the whole alone', () => {
    const views = [
      { day: '2026-02-27', listing_id: 'b', n: 2 },
      { day: '2026-03-01', listing_id: 'b', n: 1 },
      { day: '2026-03-01', listing_id: null, n: 4 },
    ];
    const sums = addUp(days, { ...NOTHING, views }, LISTINGS);
    expect(sums.views).toBe(7);
    expect(sums.by_day.map((each) => each.views)).toEqual([2, 0, 5]);
    expect(sums.by_listing.map((each) => [each.listing_id, each.views])).toEqual([
      ['b', 3],
      ['a', 0],
    ]);
  });

  test.each([
    [[], null],
    [[1_000], 1],
    [[5_000, 1_000, 90_000], 5],
    [[1_000, 2_000, 4_000, 90_000], 3],
  ])('the median of %p ms is %p seconds', (took, seconds) => {
    const replies = took.map((took_ms) => ({ day: '2026-03-01', took_ms }));
    expect(addUp(days, { ...NOTHING, replies }, [])).toMatchObject({
      replies: took.length,
      median_response_seconds: seconds,
    });
  });

  test('a conversation reached its phase and all before it', () => {
    const begun = (phase: string, n: number) => ({ day: '2026-03-01', listing_id: null, n, phase });
    const conversations = [begun('qualification', 3), begun('negotiation', 2), begun('closing', 1)];
    const { by_phase } = addUp(days, { ...NOTHING, conversations }, []);
    expect(by_phase.map(({ phase, conversations: n }) => [phase, n])).toEqual([
      ['qualification', 6],
      ['verification', 3],
      ['exploration', 3],
      ['negotiation', 3],
      ['proposal', 1],
      ['closing', 1],
    ]);
  });
});
