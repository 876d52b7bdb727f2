// The ledger's double entry (rules.md 8): accounts, transfers between them, and journals, which are transfers booked
// together under one key. Journals are built only here. An invalid journal throws: it is a programming error, never a
// caller's. Only the store knows balances, and refuses there.
import type { Code, Fault } from '../fault.ts';
import { beginOf, dayAfter, dayOf } from '../text/day.ts';
import { DAY_MS, HOUR_MS } from '../time.ts';

/** Whole cents of USD, exact in a double. */
export type Cents = number & { readonly [UNIT]: 'cents' };
declare const UNIT: unique symbol;

/** Accounts of users' money: each has a row with its balance, which is never below zero. */
export const GUARDED_KINDS = ['wallet', 'held', 'escrow'] as const;
export type GuardedAccount = `${(typeof GUARDED_KINDS)[number]}:${string}`;

/** The platform's accounts, which represent the outside and may have any balance. They have no row, since every payment
 * would wait for it: their balance is the sum of their transfers. */
export const PLATFORM_ACCOUNTS = ['platform_fees', 'processor', 'payouts', 'chain', 'receivables'] as const;
type PlatformAccount = (typeof PLATFORM_ACCOUNTS)[number];

export type Account = GuardedAccount | PlatformAccount;

/** More than any purchase costs (100 million dollars), and small enough that nine hundred thousand such transfers add up exactly. */
export const TRANSFER_MAX_CENTS = 10_000_000_000;
/** The largest journal refunds some dozens of milestones; more legs are a programming error. */
export const LEGS_MAX = 100;

/** An account name ends in an id, which has no blanks and no colons. */
const GUARDED = new RegExp(`^(?:${GUARDED_KINDS.join('|')}):[\\w.-]+$`);
const PLATFORM: ReadonlySet<string> = new Set(PLATFORM_ACCOUNTS);

declare const BUILT: unique symbol;

/** Transfers that are booked together, under one key. */
export interface Journal {
  readonly id: string;
  /** Why money moves: `fund`, `send`, `release`. */
  readonly kind: string;
  /** Its subject (an escrow, a subscription), or null. */
  readonly subject_id: string | null;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Only `post` makes it. */
  readonly [BUILT]: true;
}

/** Moves an amount from the debit account to the credit account. */
export interface Transfer {
  readonly id: string;
  readonly debit: Account;
  readonly credit: Account;
  readonly amount_cents: Cents;
  readonly held_until?: number | undefined;
  readonly of_held?: number | undefined;
  readonly earned?: true | undefined;
}

/** The transfers of one journal, in order; only `post` makes them. */
type Transfers = readonly Transfer[] & { readonly [BUILT]: true };

export interface Leg {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount_cents: number;
  /** The amount may be zero (the fee of a few cents); then the leg is left out. */
  readonly may_be_nothing?: true;
  /** For money from outside: until then it may be spent but not withdrawn (held-money.ts). */
  readonly held_until?: number | undefined;
  /** Uses money held until the day of this time first, to reverse a deposit. */
  readonly of_held?: number | undefined;
  /** The seller's proceeds of a sale: they count toward the earnings of the day. */
  readonly earned?: true | undefined;
}

/** The outcome of the turn where the journal's id exists: refused; or, where an equal journal (kind, subject, transfers) is
 * booked already, done, and refused only where it differs. */
export type OnTaken<C extends Code = Code> = Fault<C> | { readonly same: 'exists'; readonly other: Fault<C> };

/** The effect that books a journal; db/README.md describes how the store applies it. */
export interface Post<C extends Code = Code> {
  readonly do: 'post';
  readonly journal: Journal;
  readonly transfers: Transfers;
  /** Where a guarded account would fall below zero: the refusal, to whose data the store adds `balance_cents` and
   * `shortfall_cents`; or `again`, to load and decide again. `again` is for a decision that depends on the balance it has
   * read: any other decides the same each time, and fails after fifty attempts as a server error (500, or 503 on PostgreSQL). */
  readonly onShort: Fault<C> | 'again';
  readonly onTaken: OnTaken<C>;
}

/** Whether an account may never be below zero, and so has a row of its own. */
export function isGuarded(account: Account): account is GuardedAccount {
  return !PLATFORM.has(account);
}

function assert(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** `centsOf(1250)`: throws unless the amount is whole and exact in a double. */
export function centsOf(amount: number): Cents {
  assert(Number.isSafeInteger(amount), `${amount} is no whole number of cents`);
  return amount as Cents;
}

function assertAccount(account: string): void {
  assert(PLATFORM.has(account) || GUARDED.test(account), `there is no account ${JSON.stringify(account)}`);
}

function transferOf({ debit, credit, amount_cents, held_until, of_held, earned }: Leg, id: string): Transfer {
  assertAccount(debit);
  assertAccount(credit);
  assert(debit !== credit, `a transfer from ${debit} to itself moves nothing`);
  const cents = centsOf(amount_cents);
  assert(cents > 0, 'a transfer moves more than nothing, from debit to credit');
  assert(cents <= TRANSFER_MAX_CENTS, `a transfer moves at most ${TRANSFER_MAX_CENTS} cents`);
  return { id, debit, credit, amount_cents: cents, held_until, of_held, earned };
}

/**
 * Builds a journal and the effect that books it. It balances by construction: each leg debits one account and credits
 * another. `post({ id, kind: 'send', subject_id: null, created_at }, [{ debit: 'wallet:a', credit: 'wallet:b',
 * amount_cents: 500 }], fault('payment_required'), fault('conflict'))`. Throws for an empty journal, and for a leg that is
 * zero (unless it may be), negative, fractional, too large, from an account to itself, or of an unknown account.
 */
export function post<C extends Code>(
  journal: Omit<Journal, typeof BUILT>,
  legs: readonly Leg[],
  onShort: Fault<C> | 'again',
  onTaken: OnTaken<C>,
): Post<C> {
  const { id, kind, subject_id, created_at } = journal;
  assert(id !== '' && kind !== '', 'a journal has a key and a kind');
  assert(Number.isSafeInteger(created_at), 'a journal has its time in whole milliseconds');
  const moving = legs.filter(({ amount_cents, may_be_nothing }) => !(may_be_nothing && amount_cents === 0));
  assert(moving.length > 0, 'a journal without a transfer books nothing');
  assert(moving.length <= LEGS_MAX, `a journal has at most ${LEGS_MAX} transfers`);
  // The id of a transfer holds its position, so that a repeated journal has the same transfers, and ids sort in order.
  const transfers = moving.map((leg, i) => transferOf(leg, `${id}.${String(i + 1).padStart(3, '0')}`));
  // The type marks state what was asserted above; other code cannot create them.
  const built = { journal: { id, kind, subject_id, created_at }, transfers } as unknown as Pick<
    Post,
    'journal' | 'transfers'
  >;
  return { do: 'post', ...built, onShort, onTaken };
}

/** The earnings of a transfer on a day (days since 1970, UTC), and the name of that sum; null without earnings. */
export function earnedOf(
  { credit, amount_cents, earned }: Transfer,
  { created_at }: Journal,
): { readonly id: string; readonly agent_id: string; readonly day: number; readonly cents: number } | null {
  if (!earned) return null;
  const [agent_id, day] = [credit.slice('wallet:'.length), Math.floor(created_at / DAY_MS)];
  return { id: `${agent_id}:${day}`, agent_id, day, cents: amount_cents };
}

/** The net change of each guarded account in a journal, in order of appearance. */
export function netOfGuarded(transfers: readonly Transfer[]): ReadonlyMap<GuardedAccount, Cents> {
  const net = new Map<GuardedAccount, Cents>();
  const add = (account: Account, cents: number): void => {
    if (isGuarded(account)) net.set(account, centsOf((net.get(account) ?? 0) + cents));
  };
  for (const { debit, credit, amount_cents } of transfers) {
    add(debit, -amount_cents);
    add(credit, amount_cents);
  }
  return net;
}

// Days of the ledger (UTC), each sealed an hour after its end: one hash over its journals, the resulting balances of the moved
// accounts, and the previous day. A stored hash of a day reveals any later change of earlier bookings.

/** By then, everything decided before midnight is committed, on every node. */
const SETTLE_MS = HOUR_MS;

/** The last day that can be sealed. */
export function lastSealable(now_ms: number): string {
  return dayOf(now_ms - SETTLE_MS - DAY_MS);
}

export function nextSealAt(now_ms: number): number {
  return beginOf(dayAfter(dayOf(now_ms - SETTLE_MS))) + SETTLE_MS;
}
