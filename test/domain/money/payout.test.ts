// The guarantees of a payout's life: every move from every state, how long looks wait, and which sums a withdrawal counts in.

import { describe, expect, test } from 'bun:test';
import {
  hasStrongerProof,
  isOpenPayout,
  PAYOUT_MOVES,
  PAYOUT_STATES,
  type PayoutState,
  payoutAfter,
  payoutPause,
  withdrawalWindows,
} from '../../../src/domain/money/payout.ts';
import { DAY_MS } from '../../../src/domain/time.ts';

describe('each move from each state', () => {
  // submit, finalize, fail, credit
  const table: Record<PayoutState, readonly (PayoutState | null)[]> = {
    pending: ['submitted', null, 'failed', 'reversed'],
    submitted: [null, 'finalized', 'failed', 'reversed'],
    finalized: [null, null, 'failed', 'reversed'],
    failed: [null, null, null, 'reversed'],
    reversed: [null, null, null, null],
  };
  test.each(
    PAYOUT_STATES.flatMap((state) => PAYOUT_MOVES.map((move, at) => [state, move, table[state][at] ?? null] as const)),
  )('%s, %s: %s', (state, move, after) => {
    expect(payoutAfter(state, move)).toBe(after);
  });

  test('it is an obligation until it arrived or is back', () => {
    expect(PAYOUT_STATES.filter(isOpenPayout)).toEqual(['pending', 'submitted', 'failed']);
  });
});

test('looks wait a minute, then ever longer, three hours at most', () => {
  expect([0, 1, 2, 7, 8, 1_000].map((looks) => payoutPause(looks) / 60_000)).toEqual([1, 2, 4, 128, 180, 180]);
});

test('a proof is a phone, a domain, a payout account or an identity', () => {
  for (const credential of ['phone', 'domain', 'stripe', 'identity']) {
    expect(hasStrongerProof(['email', credential])).toBe(true);
  }
  expect(hasStrongerProof(['email', 'github'])).toBe(false);
});

test('two withdrawals within seven times 24 hours share the window that ends on the day of the later one', () => {
  const late = Date.UTC(2026, 5, 15, 23, 59);
  for (const apart of [0, 1, 3.5 * DAY_MS, 7 * DAY_MS - 1, 7 * DAY_MS]) {
    const [today] = withdrawalWindows(late + apart);
    expect(withdrawalWindows(late).map(({ day }) => day)).toContain(today?.day ?? '');
  }
  const [after] = withdrawalWindows(late + 8 * DAY_MS);
  expect(withdrawalWindows(late).map(({ day }) => day)).not.toContain(after?.day ?? '');
  for (const { day, ends_at } of withdrawalWindows(late))
    expect(new Date(ends_at - 1).toISOString().slice(0, 10)).toBe(day);
});
