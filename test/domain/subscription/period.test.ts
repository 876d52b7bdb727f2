// Guarantees of periods: each is reckoned from the anchor in UTC, so that a short month moves no later one, and whatever lies
// between two boundaries is in one period.
import { describe, expect, test } from 'bun:test';
import { periodAt, periodFrom, periodStart } from '../../../src/domain/subscription/period.ts';

const at = (text: string): number => Date.parse(text);
const days = (anchor: string, interval: 'weekly' | 'monthly', count: number): string[] => {
  const periods = { anchor_at: at(anchor), interval };
  return Array.from({ length: count }, (_, n) => new Date(periodStart(periods, n)).toISOString());
};

test('a month that lacks the day begins on its last, and the next one on the day again', () => {
  expect(days('2026-01-31T09:30:00.500Z', 'monthly', 5)).toEqual([
    '2026-01-31T09:30:00.500Z',
    '2026-02-28T09:30:00.500Z',
    '2026-03-31T09:30:00.500Z',
    '2026-04-30T09:30:00.500Z',
    '2026-05-31T09:30:00.500Z',
  ]);
});

test.each([
  ['2028-01-30T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2027-01-30T00:00:00.000Z', 1, '2027-02-28T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', 2, '2027-02-28T23:59:59.999Z'],
  ['2026-12-31T23:59:59.999Z', 12, '2027-12-31T23:59:59.999Z'],
  ['2024-02-29T12:00:00.000Z', 12, '2025-02-28T12:00:00.000Z'],
  ['2024-02-29T12:00:00.000Z', 48, '2028-02-29T12:00:00.000Z'],
  ['2026-05-15T12:00:00.000Z', 10, '2027-03-15T12:00:00.000Z'],
])('%s and %i months are %s', (anchor, months, wanted) => {
  expect(new Date(periodStart({ anchor_at: at(anchor), interval: 'monthly' }, months)).toISOString()).toBe(wanted);
});

test('weeks are seven days, also where clocks change', () => {
  const [first, , third] = days('2026-03-22T01:30:00.000Z', 'weekly', 3);
  expect([first, third]).toEqual(['2026-03-22T01:30:00.000Z', '2026-04-05T01:30:00.000Z']);
});

describe.each(['weekly', 'monthly'] as const)('%s', (interval) => {
  const anchors = [
    '2026-01-31T09:30:00.500Z',
    '2024-02-29T00:00:00.000Z',
    '2026-08-30T23:59:59.999Z',
    '2026-05-15T12:00:00.000Z',
  ];

  test('boundaries rise, and each period holds what lies from its own to the next', () => {
    for (const anchor of anchors) {
      const periods = { anchor_at: at(anchor), interval };
      for (let n = 0; n < 60; n += 1) {
        const [start, next] = [periodStart(periods, n), periodStart(periods, n + 1)];
        expect(next).toBeGreaterThan(start);
        expect([periodAt(periods, start), periodAt(periods, start + 1), periodAt(periods, next - 1)]).toEqual([
          n,
          n,
          n,
        ]);
        expect([periodFrom(periods, start), periodFrom(periods, start + 1), periodFrom(periods, next)]).toEqual([
          n,
          n + 1,
          n + 1,
        ]);
      }
    }
  });
});
