// How far a time is away, as people are told it: never more than half a unit wrong.
import { expect, test } from 'bun:test';
import { distance } from '../../../src/domain/text/date-form.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/domain/time.ts';

test.each<[told: string, ms: number]>([
  ['0 minute', 0],
  ['0 minute', 29 * SECOND_MS],
  ['1 minute', 31 * SECOND_MS],
  ['5 minute', 5 * MINUTE_MS - 1],
  ['60 minute', HOUR_MS],
  ['119 minute', 2 * HOUR_MS - MINUTE_MS],
  ['2 hour', 2 * HOUR_MS - SECOND_MS],
  ['24 hour', DAY_MS],
  ['61 hour', 61 * HOUR_MS],
  ['3 day', 72 * HOUR_MS - MINUTE_MS],
  ['3 day', 3 * DAY_MS],
  ['4 day', 3.5 * DAY_MS],
  ['14 day', 14 * DAY_MS - 1],
  ['59 day', 59 * DAY_MS],
  ['2 month', 60 * DAY_MS],
  ['12 month', 365 * DAY_MS],
  ['2 year', 730 * DAY_MS],
  ['-3 day', -3 * DAY_MS + MINUTE_MS],
  ['-45 minute', -45 * MINUTE_MS],
])('%s for %d ms', (told, ms) => {
  const { count, unit } = distance(ms);
  expect(`${count} ${unit}`).toBe(told);
});
