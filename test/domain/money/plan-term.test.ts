// The table of a plan that renews, every cell of it.
import { describe, expect, test } from 'bun:test';
import {
  afterTermEvent,
  periodsBetween,
  planOfTerm,
  TERM_TABLE,
  type TermEvent,
  type TermStatus,
} from '../../../src/domain/money/plan-term.ts';

const EVENTS: readonly TermEvent[] = ['bought', 'cancelled', 'renewed', 'unpaid', 'stopped', 'run_out'];

const CELLS: readonly [TermStatus | 'none', readonly (TermStatus | null)[]][] = [
  ['none', ['active', null, null, null, null, null]],
  ['active', [null, 'cancelling', 'active', 'past_due', 'ended', null]],
  ['cancelling', [null, null, null, 'ended', 'ended', 'ended']],
  ['past_due', [null, 'ended', 'active', null, 'ended', 'ended']],
  ['ended', ['active', null, null, null, null, null]],
];

describe('a plan that is', () => {
  for (const [status, ends] of CELLS) {
    test.each(EVENTS.map((event, at) => [event, ends[at] ?? null] as const))(
      `${status} and %s is then %s`,
      (event, end) => {
        expect(afterTermEvent(status, event)).toBe(end);
      },
    );
  }
});

test('the table has no cell beside these', () => {
  expect(Object.keys(TERM_TABLE)).toEqual(CELLS.map(([status]) => status));
  for (const row of Object.values(TERM_TABLE)) expect(Object.keys(row)).toEqual([...EVENTS]);
});

test('only what has ended is Free', () => {
  const statuses: readonly TermStatus[] = ['active', 'cancelling', 'past_due', 'ended'];
  expect(statuses.map(planOfTerm)).toEqual(['pro', 'pro', 'pro', 'free']);
});

test.each([
  ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', ['2026-01']],
  ['2026-11-15T00:00:00Z', '2027-02-15T00:00:00Z', ['2026-11', '2026-12', '2027-01']],
  ['2026-11-15T00:00:00Z', '2026-11-15T00:00:00Z', []],
])('from %s to %s the months %j were paid', (from, to, months) => {
  expect(periodsBetween(Date.parse(from), Date.parse(to))).toEqual(months);
});
