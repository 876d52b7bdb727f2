// The series of a wallet's balance: by days, weeks or months, without gaps.
import { expect, test } from 'bun:test';
import { historyOf } from '../../src/domain/money/history.ts';
import { weekOf } from '../../src/domain/text/day.ts';

const held = (...days: readonly (readonly [string, number])[]) =>
  historyOf(days.map(([day, balance_cents]) => ({ day, balance_cents })));
const told = ({ points }: ReturnType<typeof held>) => points.map(({ from, balance_cents }) => [from, balance_cents]);

test('a young wallet is told of by days, those on which nothing moved among them', () => {
  const history = held(['2026-02-27', 0], ['2026-02-28', 500], ['2026-03-02', 300]);
  expect([history.by, told(history)]).toEqual([
    'day',
    [
      ['2026-02-27', 0],
      ['2026-02-28', 500],
      ['2026-03-01', 500],
      ['2026-03-02', 300],
    ],
  ]);
  expect(historyOf([])).toEqual({ by: 'day', points: [] });
});

test('an older one by weeks, then by months, each with what was held at its end', () => {
  const weeks = held(['2026-01-01', 0], ['2026-01-04', 100], ['2026-01-05', 200], ['2026-05-01', 300]);
  expect([weeks.by, told(weeks).slice(0, 3), told(weeks).at(-1)]).toEqual([
    'week',
    [
      ['2025-12-29', 100],
      ['2026-01-05', 200],
      ['2026-01-12', 200],
    ],
    ['2026-04-27', 300],
  ]);
  const months = held(['2023-11-30', 0], ['2023-12-01', 100], ['2023-12-31', 50], ['2026-05-01', 300]);
  expect([months.by, months.points.length, told(months).slice(0, 3), told(months).at(-1)]).toEqual([
    'month',
    31,
    [
      ['2023-11-01', 0],
      ['2023-12-01', 50],
      ['2024-01-01', 50],
    ],
    ['2026-05-01', 300],
  ]);
});

test('a series stays short, however old the wallet is', () => {
  for (const [first, most] of [
    ['2026-03-01', 92],
    ['2024-07-01', 106],
    ['2006-05-01', 241],
  ] as const) {
    expect(held([first, 0], ['2026-05-31', 1]).points.length).toBeLessThanOrEqual(most);
  }
});

test('a week is named by its Monday', () => {
  expect(['2026-11-23', '2026-11-28', '2026-11-29', '2026-11-30'].map(weekOf)).toEqual([
    '2026-11-23',
    '2026-11-23',
    '2026-11-23',
    '2026-11-30',
  ]);
});
