// Guarantees of the escrow's state table, cell by cell: what each state takes, and where it leads.
import { describe, expect, test } from 'bun:test';
import {
  ESCROW_STATUSES,
  type EscrowStatus,
  type EscrowSums,
  type EscrowTrigger,
  MILESTONE_STATUSES,
  milestoneFault,
  nextStatus,
  unreleasedCents,
} from '../../../src/domain/escrow/escrow.ts';

const sums = (released_cents: number, refunded_cents: number): EscrowSums => ({
  total_cents: 100,
  released_cents,
  refunded_cents,
});
const PART = sums(40, 0);
const ALL_PAID = sums(100, 0);
const ALL_BACK = sums(0, 100);
const A_CENT_BACK = sums(99, 1);

const CELLS: [status: EscrowStatus, trigger: EscrowTrigger, after: EscrowSums, next: EscrowStatus | null][] = [
  ['active', 'release', PART, 'active'],
  ['active', 'release', ALL_PAID, 'completed'],
  ['active', 'release', A_CENT_BACK, 'refunded'],
  ['active', 'refund', sums(0, 40), 'active'],
  ['active', 'refund', ALL_BACK, 'refunded'],
  ['active', 'refund', A_CENT_BACK, 'refunded'],
  ['active', 'dispute', PART, 'disputed'],
  ['active', 'withdraw', PART, null],
  ['active', 'settle', ALL_PAID, null],
  ['disputed', 'release', PART, null],
  ['disputed', 'refund', PART, null],
  ['disputed', 'dispute', PART, null],
  ['disputed', 'withdraw', PART, 'active'],
  ['disputed', 'settle', ALL_PAID, 'completed'],
  ['disputed', 'settle', ALL_BACK, 'refunded'],
  ['disputed', 'settle', A_CENT_BACK, 'refunded'],
  ['disputed', 'settle', PART, 'disputed'],
  ...(['completed', 'refunded'] as const).flatMap((status) =>
    (['release', 'refund', 'dispute', 'withdraw', 'settle'] as const).map(
      (trigger): [EscrowStatus, EscrowTrigger, EscrowSums, null] => [status, trigger, ALL_PAID, null],
    ),
  ),
];

for (const [status, trigger, after, next] of CELLS) {
  const how = `${after.released_cents} paid and ${after.refunded_cents} back of 100`;
  test(`${status} by ${trigger}, ${how}: ${next ?? 'not taken'}`, () => {
    expect(nextStatus(status, trigger, after)).toBe(next);
  });
}

test('each state has a cell for each trigger', () => {
  const triggers: Record<EscrowTrigger, true> = {
    release: true,
    refund: true,
    dispute: true,
    withdraw: true,
    settle: true,
  };
  const wanted = ESCROW_STATUSES.flatMap((status) => Object.keys(triggers).map((trigger) => `${status} ${trigger}`));
  const told = new Set(CELLS.map(([status, trigger]) => `${status} ${trigger}`));
  expect([...told].sort()).toEqual(wanted.sort());
});

test('more than there was cannot go out', () => {
  expect(() => nextStatus('active', 'release', sums(100, 1))).toThrow('more went out');
  expect(unreleasedCents(sums(40, 10))).toBe(50);
});

describe('a milestone takes nothing more', () => {
  test('where there is none, it has ended, or its escrow is not active, in this order', () => {
    for (const status of ESCROW_STATUSES) {
      expect(milestoneFault(status, undefined)?.fault).toBe('no_such_milestone');
      for (const ended of MILESTONE_STATUSES.filter((each) => each !== 'held')) {
        expect(milestoneFault(status, { status: ended })?.fault).toBe('already_released');
      }
      const held = milestoneFault(status, { status: 'held' });
      expect(held?.fault ?? null).toBe(status === 'active' ? null : 'escrow_not_active');
    }
  });
});
