// Guarantees of bounds: what is outside them is named, what is on them is inside.
import { describe, expect, test } from 'bun:test';
import { type Bounds, NO_BOUNDS, patchBounds } from '../../../src/domain/agent/bounds.ts';
import { isFault } from '../../../src/domain/fault.ts';

const SET: Bounds = {
  max_pay_cents: 10_000,
  max_pay_per_day_cents: 30_000,
  min_charge_cents: 500,
  auto_approve_below_cents: null,
};

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
