// The span of days that analytics are asked for, and the sums over it.
import { beforeEach, describe, expect, test } from 'bun:test';
import { type Days, daysOf, sumsOf } from '../../../src/domain/analytics/analytics.ts';
import { Tally } from '../../../src/domain/analytics/tally.ts';
import { farthestPhase, type Phase } from '../../../src/domain/conversation/conversation.ts';
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
    ['2026-03-02', undefined, 'from'],
    ['2024-03-01', undefined, 'from'],
    ['1969-12-31', '1970-02-01', 'from'],
    [undefined, '1969-12-31', 'to'],
    [undefined, '0000-01-01', 'to'],
    ['2026-1-1', undefined, 'from'],
    [undefined, '2026-03-01T00:00', 'to'],
  ])('%s to %s is refused by %s', (from, to, path) => {
    expect(daysOf({ from, to }, NOW_MS)).toMatchObject({ fault: 'invalid_request', data: { fields: [{ path }] } });
  });

  test('may be 366', () => {
    expect(span('2024-01-01', '2024-12-31').all).toHaveLength(366);
  });
});

const LISTINGS = [
  { id: 'a', headline: 'A' },
  { id: 'b', headline: 'B' },
];

describe('the sums', () => {
  const days = span('2026-02-27', '2026-03-01');

  let tally: Tally;
  beforeEach(() => {
    tally = new Tally();
  });

  test('of nothing are zeros for each day and listing', () => {
    const sums = sumsOf(days, tally, LISTINGS);
    expect(sums).toMatchObject({ views: 0, replies: 0, revenue_cents: 0, median_response_seconds: null });
    expect(sums.by_day.map(({ day, views, replies }) => [day, views, replies])).toEqual([
      ['2026-02-27', 0, 0],
      ['2026-02-28', 0, 0],
      ['2026-03-01', 0, 0],
    ]);
    expect(sums.by_listing.map(({ deals, median_response_seconds }) => [deals, median_response_seconds])).toEqual([
      [0, null],
      [0, null],
    ]);
    for (const { by_phase } of [sums, ...sums.by_listing]) {
      expect(by_phase.map(({ conversations }) => conversations)).toEqual([0, 0, 0, 0, 0, 0]);
    }
  });

  test('stand under their day and their listing, and what is of none in the whole alone', () => {
    tally.add('views', { day: '2026-02-27', listing_id: 'b', n: 2 });
    tally.add('views', { day: '2026-03-01', listing_id: 'b', n: 1 });
    tally.add('views', { day: '2026-03-01', listing_id: null, n: 4 });
    const sums = sumsOf(days, tally, LISTINGS);
    expect(sums.views).toBe(7);
    expect(sums.by_day.map((each) => each.views)).toEqual([2, 0, 5]);
    expect(sums.by_listing.map((each) => [each.listing_id, each.views])).toEqual([
      ['b', 3],
      ['a', 0],
    ]);
  });

  test('put the listing first that earned most, and of equals the one of more deals', () => {
    tally.add('deals', { day: '2026-03-01', listing_id: 'b', n: 1 });
    expect(sumsOf(days, tally, LISTINGS).by_listing.map(({ listing_id }) => listing_id)).toEqual(['b', 'a']);
    tally.add('revenue_cents', { day: '2026-03-01', listing_id: 'a', n: 5 });
    expect(sumsOf(days, tally, LISTINGS).by_listing.map(({ listing_id }) => listing_id)).toEqual(['a', 'b']);
  });

  test.each([
    [[], null],
    [[1], 1],
    [[5, 1, 90], 5],
    [[90, 1, 2, 4], 3],
    [[7, 7, 7, 8], 7],
    [[-3, 0], 0],
  ])('the median of %p seconds is %p, in all and of the listing', (took, seconds) => {
    for (const each of took) tally.addReplies({ day: '2026-03-01', listing_id: 'a', n: 1, seconds: each });
    const sums = sumsOf(days, tally, LISTINGS);
    const told = { replies: took.length, median_response_seconds: seconds };
    expect(sums).toMatchObject(told);
    expect(sums.by_listing).toMatchObject([told, { replies: 0, median_response_seconds: null }]);
    expect(sums.by_day.at(-1)?.replies).toBe(took.length);
  });

  test('a conversation reached its phase and all before it, in all and of its listing', () => {
    const begun = (phase: Phase, n: number, listing_id: string | null = null) =>
      tally.addConversations({ day: '2026-03-01', listing_id, n, phase });
    begun('qualification', 3);
    begun('negotiation', 2, 'a');
    begun('closing', 1, 'a');
    const { by_phase, by_listing } = sumsOf(days, tally, LISTINGS);
    expect(by_phase.map(({ phase, conversations: n }) => [phase, n])).toEqual([
      ['qualification', 6],
      ['verification', 3],
      ['exploration', 3],
      ['negotiation', 3],
      ['proposal', 1],
      ['closing', 1],
    ]);
    const reached = by_listing.map((each) => each.by_phase.map(({ conversations }) => conversations));
    expect(reached).toEqual([
      [3, 3, 3, 3, 1, 1],
      [0, 0, 0, 0, 0, 0],
    ]);
  });
});

describe('the farthest phase of a conversation', () => {
  test.each([
    ['exploration', false, false, 'exploration'],
    ['verification', true, false, 'proposal'],
    ['negotiation', true, false, 'proposal'],
    ['exploration', false, true, 'closing'],
    ['negotiation', true, true, 'closing'],
    ['closing', true, false, 'closing'],
  ] as const)('of one in %s, with a proposal (%p) or a deal (%p), is %s', (phase, proposed, dealt, farthest) => {
    expect(farthestPhase({ phase, proposed, dealt })).toBe(farthest);
  });
});
