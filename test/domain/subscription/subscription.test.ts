// Guarantees of a subscription's course: every state with every move, and that no period is charged twice or after it has passed.

import { describe, expect, test } from 'bun:test';
import { periodStart } from '../../../src/domain/subscription/period.ts';
import {
  type Course,
  cancelled,
  charged,
  completed,
  dueAt,
  failed,
  isFinal,
  isOver,
  MOVES,
  type Move,
  paused,
  periodDue,
  resumed,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
  statusAfter,
} from '../../../src/domain/subscription/subscription.ts';
import { DAY_MS } from '../../../src/domain/time.ts';

const DAY = DAY_MS;
const T0 = Date.UTC(2026, 0, 31, 12);
const start = (n: number): number => periodStart({ anchor_at: T0, interval: 'monthly' }, n);
const course = (part: Partial<Course> = {}): Course => ({
  anchor_at: T0,
  interval: 'monthly',
  status: 'active',
  next_period: 1,
  next_charge_at: start(1),
  max_charges: null,
  ends_at: null,
  charges_made: 1,
  failed_attempts: 0,
  ended_at: null,
  ...part,
});

describe('the table', () => {
  const WANTED: Record<SubscriptionStatus, Record<Move, SubscriptionStatus | null>> = {
    active: {
      charged: 'active',
      failed: 'past_due',
      given_up: null,
      ended: 'completed',
      pause: 'paused',
      resume: null,
      cancel: 'cancelled',
    },
    past_due: {
      charged: 'active',
      failed: 'past_due',
      given_up: 'paused',
      ended: 'completed',
      pause: 'paused',
      resume: null,
      cancel: 'cancelled',
    },
    paused: {
      charged: null,
      failed: null,
      given_up: null,
      ended: 'completed',
      pause: null,
      resume: 'active',
      cancel: 'cancelled',
    },
    cancelled: {
      charged: null,
      failed: null,
      given_up: null,
      ended: null,
      pause: null,
      resume: null,
      cancel: 'cancelled',
    },
    completed: {
      charged: null,
      failed: null,
      given_up: null,
      ended: null,
      pause: null,
      resume: null,
      cancel: null,
    },
  };

  test.each(SUBSCRIPTION_STATUSES.flatMap((status) => MOVES.map((move) => [status, move] as const)))(
    '%s and %s',
    (status, move) => expect(statusAfter(status, move)).toBe(WANTED[status][move]),
  );

  /** What a move does to a course of a status, by the functions that make it. */
  const MADE: Partial<Record<Move, (given: Course) => { status?: SubscriptionStatus } | null>> = {
    charged: (given) => charged(given, 1, start(1)),
    failed: (given) => failed(given, start(1)),
    given_up: (given) => failed({ ...given, failed_attempts: 3 }, start(1)),
    ended: () => completed(start(1)),
    pause: paused,
    resume: (given) => resumed(given, start(1)),
    cancel: (given) => cancelled(given, start(1)),
  };

  test.each(SUBSCRIPTION_STATUSES.flatMap((status) => MOVES.map((move) => [status, move] as const)))(
    'is what is done: %s and %s',
    (status, move) => {
      const wanted = statusAfter(status, move);
      const asked = move === 'pause' || move === 'resume' || move === 'cancel';
      // What a reminder does is only done where it is due.
      if (wanted === null && !asked) return;
      expect(MADE[move]?.(course({ status }))?.status ?? null).toBe(wanted);
    },
  );

  test('two states are final', () => {
    expect(SUBSCRIPTION_STATUSES.filter(isFinal)).toEqual(['cancelled', 'completed']);
  });
});

describe('a charge', () => {
  test('counts, forgets what failed, and names the next boundary', () => {
    const given = course({ status: 'past_due', failed_attempts: 3 });
    expect(charged(given, 1, start(1) + 2 * DAY)).toEqual({
      charges_made: 2,
      failed_attempts: 0,
      next_period: 2,
      status: 'active',
      next_charge_at: start(2),
    });
  });

  test('is the last at max_charges', () => {
    expect(charged(course({ max_charges: 2 }), 1, start(1))).toMatchObject({
      status: 'completed',
      next_charge_at: null,
      ended_at: start(1),
    });
    expect(charged(course({ max_charges: 3 }), 1, start(1)).status).toBe('active');
  });

  test.each([
    [start(2), null, start(2)],
    [start(2) + 1, start(2), start(2)],
    [start(2) - 1, null, start(2) - 1],
  ])('ending at %i the next one is at %p, and something is due at %p', (ends_at, next_charge_at, due) => {
    const given = course({ ends_at });
    const after = { ...given, ...charged(given, 1, start(1)) };
    expect([after.next_charge_at, dueAt(after)]).toEqual([next_charge_at, due]);
  });

  test.each([
    ['on time', start(1), 1],
    ['within its period', start(2) - 1, 1],
    ['when it has passed', start(2), 2],
    ['when several have passed', start(5) + DAY, 5],
    ['before its time, as after a resumption', start(0), 1],
  ])('%s is for the period that then runs', (_what, now_ms, period) => {
    expect(periodDue(course(), now_ms)).toBe(period);
  });
});

describe('a failure', () => {
  test('is tried again a day later, and the fourth pauses', () => {
    let given = course();
    const seen: unknown[] = [];
    for (let n = 0; n < 4; n += 1) {
      given = { ...given, ...failed(given, start(1) + n * DAY) };
      seen.push([given.status, given.failed_attempts, given.next_charge_at]);
    }
    expect(seen).toEqual([
      ['past_due', 1, start(1) + DAY],
      ['past_due', 2, start(1) + 2 * DAY],
      ['past_due', 3, start(1) + 3 * DAY],
      ['paused', 4, null],
    ]);
    expect([given.next_period, dueAt(given)]).toEqual([1, null]);
  });
});

describe('a resumption', () => {
  const stopped = course({ status: 'paused', next_charge_at: null, failed_attempts: 4 });
  test.each([
    ['in the period that was not paid', start(1) + 5 * DAY, 2],
    ['months later', start(6) + 1, 7],
    ['at a boundary, which is charged', start(3), 3],
    ['in a period that was paid', start(0) + DAY, 1],
  ])('%s goes on at the next boundary', (_what, now_ms, next_period) => {
    expect(resumed(stopped, now_ms)).toEqual({
      status: 'active',
      failed_attempts: 0,
      next_period,
      next_charge_at: start(next_period),
    });
  });

  test('charges no period again that was paid, and nothing behind the end', () => {
    expect(resumed({ ...stopped, next_period: 4 }, start(3))?.next_charge_at).toBe(start(4));
    const given = { ...stopped, ends_at: start(2) };
    const after = { ...given, ...resumed(given, start(1) + DAY) };
    expect([after.next_charge_at, dueAt(after)]).toEqual([null, start(2)]);
  });
});

test('its end by time holds from that instant on, also while paused', () => {
  for (const status of SUBSCRIPTION_STATUSES) {
    const given = course({ status, ends_at: start(2) });
    expect([isOver(given, start(2) - 1), isOver(given, start(2))]).toEqual([false, !isFinal(status)]);
    expect(dueAt(given)).toBe(isFinal(status) ? null : start(1));
  }
  expect(dueAt(course({ status: 'paused', next_charge_at: null, ends_at: start(2) }))).toBe(start(2));
});

test('cancelled again it keeps the time of its end', () => {
  expect(cancelled(course({ status: 'cancelled', ended_at: T0 }), start(3))?.ended_at).toBe(T0);
});
