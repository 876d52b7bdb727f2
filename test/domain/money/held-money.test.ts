// Money that is held stays in the house: the journal itself is refused, whatever its operation had read before.
import { expect, test } from 'bun:test';
import { heldAfter } from '../../../src/domain/money/held-money.ts';
import { centsOf } from '../../../src/domain/money/ledger.ts';

const NOW = 1_000;
const before = new Map([['wallet:a', { balance_cents: 100, held: [[NOW + 1, 80]] }]] as const);
const out = (amount_cents: number) =>
  [{ id: 't', debit: 'wallet:a', credit: 'payouts', amount_cents: centsOf(amount_cents) }] as const;

test('more than is free does not leave, and says what is', () => {
  expect(heldAfter(out(21), before, NOW)).toEqual({ short: 'wallet:a', free_cents: 20, wanted_cents: 21 });
});

test('what is free leaves, and so does all of it on its day', () => {
  expect(heldAfter(out(20), before, NOW)).toEqual({ held: new Map([['wallet:a', [[NOW + 1, 80]]]]) });
  expect(heldAfter(out(100), before, NOW + 1)).toEqual({ held: new Map([['wallet:a', []]]) });
});
