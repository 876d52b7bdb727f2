// Guarantees of bounds: what is outside them is named, what is on them is inside.
import { describe, expect, test } from 'bun:test';
import { type Bounds, brokenBound, NO_BOUNDS, patchBounds } from '../../../src/domain/agent/bounds.ts';
import { isFault } from '../../../src/domain/fault.ts';

const SET: Bounds = { max_pay_cents: 10_000, min_charge_cents: 500, auto_approve_below_cents: null };

describe('a change of bounds', () => {
  test.each([
    ['sets what it names', NO_BOUNDS, { max_pay_cents: 10_000 }, { ...NO_BOUNDS, max_pay_cents: 10_000 }],
    ['keeps what it does not name', SET, { min_charge_cents: 0 }, { ...SET, min_charge_cents: 0 }],
    ['lifts what it sets to null', SET, { max_pay_cents: null }, { ...SET, max_pay_cents: null }],
    ['may be empty', SET, {}, SET],
  ])('%s', (_, current, input, after) => expect(patchBounds(current, input)).toEqual(after));

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 10_000_000_000_001])('refuses %p', (value) => {
    const refused = patchBounds(SET, { max_pay_cents: value, min_charge_cents: 1, auto_approve_below_cents: value });
    expect(isFault(refused) && refused.data).toMatchObject({
      fields: [{ path: 'max_pay_cents' }, { path: 'auto_approve_below_cents' }],
    });
  });
});

describe('an amount', () => {
  test.each([
    [10_000, 'buyer', null],
    [10_001, 'buyer', 'max_pay_cents'],
    [0, 'buyer', null],
    [500, 'seller', null],
    [499, 'seller', 'min_charge_cents'],
    [1_000_000, 'seller', null],
  ] as const)('of %p for a %s breaks %p', (amount, role, bound) => expect(brokenBound(SET, amount, role)).toBe(bound));

  test('breaks nothing where nothing is set', () => {
    expect([brokenBound(NO_BOUNDS, 1e13, 'buyer'), brokenBound(NO_BOUNDS, 0, 'seller')]).toEqual([null, null]);
  });
});
