// Journals balance by their make, and what is not one cannot be built.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { fault } from '../../../src/domain/fault.ts';
import {
  type Account,
  centsOf,
  GUARDED_KINDS,
  isGuarded,
  LEGS_MAX,
  type Leg,
  netOfGuarded,
  PLATFORM_ACCOUNTS,
  type Post,
  post,
  TRANSFER_MAX_CENTS,
} from '../../../src/domain/money/ledger.ts';

const short = fault('payment_required');
const taken = fault('conflict');
const JOURNAL = { id: 'release:e1:0', kind: 'release', subject_id: 'e1', created_at: 1_000 };
const leg = (debit: string, credit: string, amount_cents: number): Leg => ({
  // Callers build accounts out of text too, where the compiler cannot look.
  debit: debit as Account,
  credit: credit as Account,
  amount_cents,
});
const book = (...legs: Leg[]): Post => post(JOURNAL, legs, short, taken);

describe('a journal', () => {
  test('has its legs as transfers, in order, each named after its place', () => {
    const effect = book(leg('escrow:e1', 'wallet:s', 950), leg('escrow:e1', 'platform_fees', 50));
    expect(effect).toEqual({
      do: 'post',
      journal: JOURNAL as Post['journal'],
      transfers: [
        { id: 'release:e1:0.001', debit: 'escrow:e1', credit: 'wallet:s', amount_cents: 950 },
        { id: 'release:e1:0.002', debit: 'escrow:e1', credit: 'platform_fees', amount_cents: 50 },
      ] as unknown as Post['transfers'],
      onShort: short,
      onTaken: taken,
    });
  });

  test.each<[string, Leg[]]>([
    ['no leg at all', []],
    ['nothing but legs that came to nothing', [{ ...leg('wallet:a', 'wallet:b', 0), may_be_nothing: true }]],
    ['a leg of nothing', [leg('wallet:a', 'wallet:b', 0)]],
    ['a leg of less than nothing', [leg('wallet:a', 'wallet:b', -1)]],
    ['a leg of less than nothing that may be nothing', [{ ...leg('wallet:a', 'chain', -1), may_be_nothing: true }]],
    ['a part of a cent', [leg('wallet:a', 'wallet:b', 0.5)]],
    ['what is no number', [leg('wallet:a', 'wallet:b', Number.NaN)]],
    ['what has no end', [leg('wallet:a', 'wallet:b', Number.POSITIVE_INFINITY)]],
    ['more than a transfer may move', [leg('wallet:a', 'wallet:b', TRANSFER_MAX_CENTS + 1)]],
    ['an account to itself', [leg('wallet:a', 'wallet:a', 5)]],
    ['the platform to itself', [leg('chain', 'chain', 5)]],
    ['an unknown kind of account', [leg('purse:a', 'wallet:b', 5)]],
    ['an unknown account of the platform', [leg('wallet:a', 'fees', 5)]],
    ['a platform account with an owner', [leg('wallet:a', 'chain:b', 5)]],
    ['a guarded account of nobody', [leg('wallet:', 'wallet:b', 5)]],
    ['a kind alone', [leg('wallet', 'wallet:b', 5)]],
    ['an account with blanks', [leg('wallet:a b', 'wallet:b', 5)]],
    ['an account with two owners', [leg('wallet:a', 'wallet:b:c', 5)]],
    ['an account of another case', [leg('Wallet:a', 'wallet:b', 5)]],
    ['a name that every object has', [leg('wallet:a', 'constructor', 5)]],
    ['one bad leg among good ones', [leg('wallet:a', 'wallet:b', 5), leg('wallet:a', 'wallet:b', 0)]],
    ['too many legs', Array.from({ length: LEGS_MAX + 1 }, () => leg('chain', 'wallet:a', 1))],
  ])('cannot be built of %s', (_what, legs) => {
    expect(() => book(...legs)).toThrow();
  });

  test.each<[string, Partial<typeof JOURNAL>]>([
    ['key', { id: '' }],
    ['kind', { kind: '' }],
    ['whole time', { created_at: 1.5 }],
  ])('cannot be built without a %s', (_what, change) => {
    expect(() => post({ ...JOURNAL, ...change }, [leg('chain', 'wallet:a', 1)], short, taken)).toThrow();
  });

  test.each([1, TRANSFER_MAX_CENTS])('may move %i cents', (cents) => {
    expect(book(leg('wallet:a', 'chain', cents)).transfers[0]?.amount_cents).toBe(cents as never);
  });

  test('leaves out a leg of nothing only where that was said of it', () => {
    const fee: Leg = { ...leg('escrow:e1', 'platform_fees', 0), may_be_nothing: true };
    const effect = book(fee, leg('escrow:e1', 'wallet:s', 9));
    expect(effect.transfers.map(({ id, credit }) => [id, credit])).toEqual([['release:e1:0.001', 'wallet:s']]);
    expect(book({ ...fee, amount_cents: 1 }).transfers).toHaveLength(1);
  });
});

describe('accounts', () => {
  test.each(GUARDED_KINDS.map((kind) => [`${kind}:a` as Account, true] as const))('%s is guarded', (account) => {
    expect(isGuarded(account)).toBe(true);
    expect(book(leg(account, 'chain', 1)).transfers).toHaveLength(1);
  });

  test.each(PLATFORM_ACCOUNTS.map((account) => [account]))('%s is not', (account) => {
    expect(isGuarded(account)).toBe(false);
    expect(book(leg('wallet:a', account, 1)).transfers).toHaveLength(1);
  });
});

test.each([0.1, Number.NaN, 2 ** 53, -(2 ** 53)])('%p is no number of cents', (amount) => {
  expect(() => centsOf(amount)).toThrow();
});

describe('the net of a journal', () => {
  test.each<[string, Leg[], [string, number][]]>([
    [
      'each side of a leg',
      [leg('wallet:a', 'wallet:b', 5)],
      [
        ['wallet:a', -5],
        ['wallet:b', 5],
      ],
    ],
    ['nothing of the platform', [leg('processor', 'wallet:a', 5), leg('chain', 'payouts', 1)], [['wallet:a', 5]]],
    [
      'there and back',
      [leg('wallet:a', 'wallet:b', 5), leg('wallet:b', 'wallet:a', 3)],
      [
        ['wallet:a', -2],
        ['wallet:b', 2],
      ],
    ],
    [
      'through an account',
      [leg('wallet:a', 'held:a', 5), leg('held:a', 'chain', 5)],
      [
        ['wallet:a', -5],
        ['held:a', 0],
      ],
    ],
    [
      'in the order of the legs',
      [leg('wallet:z', 'chain', 1), leg('wallet:a', 'chain', 1)],
      [
        ['wallet:z', -1],
        ['wallet:a', -1],
      ],
    ],
  ])('is %s', (_what, legs, net) => {
    expect([...netOfGuarded(book(...legs).transfers)] as [string, number][]).toEqual(net);
  });

  test('with what the platform got comes to nothing, whatever the legs', () => {
    const accounts = ['wallet:a', 'wallet:b', 'held:a', 'escrow:e', ...PLATFORM_ACCOUNTS];
    const legs = fc.array(
      fc
        .tuple(
          fc.constantFrom(...accounts),
          fc.constantFrom(...accounts),
          fc.integer({ min: 1, max: TRANSFER_MAX_CENTS }),
        )
        .filter(([debit, credit]) => debit !== credit),
      { minLength: 1, maxLength: LEGS_MAX },
    );
    fc.assert(
      fc.property(legs, (all) => {
        const { transfers } = book(...all.map(([debit, credit, cents]) => leg(debit, credit, cents)));
        let sum = 0;
        for (const cents of netOfGuarded(transfers).values()) sum += cents;
        for (const { debit, credit, amount_cents } of transfers) {
          if (!isGuarded(debit)) sum -= amount_cents;
          if (!isGuarded(credit)) sum += amount_cents;
        }
        expect(sum).toBe(0);
      }),
    );
  });
});

test('a journal that was not built here does not compile', () => {
  const { journal, transfers } = book(leg('wallet:a', 'chain', 1));
  type Written = { id: string; kind: string; subject_id: null; created_at: number };
  type Rows = readonly { id: string; debit: Account; credit: Account; amount_cents: number }[];
  const isJournal: Written extends Post['journal'] ? true : false = false;
  const isTransfers: Rows extends Post['transfers'] ? true : false = false;
  expect([isJournal, isTransfers, journal.id, transfers.length]).toEqual([false, false, JOURNAL.id, 1]);
});
