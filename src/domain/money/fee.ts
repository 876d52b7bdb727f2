// What the platform takes of what a seller earns: a whole number of cents, rounded down, so that the seller's share and the fee
// always add up to what was paid (rules.md 8, Q122, Q155).
import { PLANS, type PlanName } from '../identity/plan.ts';
import { type Account, type Cents, centsOf, type Leg } from './ledger.ts';

const BPS_WHOLE = 10_000;

export interface Shares {
  readonly fee_cents: Cents;
  readonly rest_cents: Cents;
}

/** Splits whole cents by basis points. Exact for amounts up to 10,000,000,000 cents. */
export function takeFee(amount_cents: number, bps: number): Shares {
  // Amounts of a transfer times 10,000 stay below 2^53.
  const fee_cents = centsOf(Math.floor((centsOf(amount_cents) * bps) / BPS_WHOLE));
  return { fee_cents, rest_cents: centsOf(amount_cents - fee_cents) };
}

/** What a seller is paid out of `debit`, and what of it goes back to whom it came from. */
export interface Paid {
  readonly debit: Account;
  readonly seller_id: string;
  readonly price_cents: number;
  /** The platform's share of the price, in basis points. */
  readonly fee_bps: number;
  /** Counts to the seller's earnings of the day. */
  readonly earned?: true;
  readonly back?: { readonly to_id: string; readonly cents: number };
}

/** The legs of a payment with a fee: the seller's part, the platform's, what goes back; a leg of nothing is left out. */
export function payWithFee({ debit, seller_id, price_cents, fee_bps, earned, back }: Paid): Shares & { legs: Leg[] } {
  const shares = takeFee(price_cents, fee_bps);
  const { fee_cents, rest_cents } = shares;
  const leg = (credit: Account, amount_cents: number): Leg => ({ debit, credit, amount_cents, may_be_nothing: true });
  const legs = [{ ...leg(`wallet:${seller_id}`, rest_cents), earned }, leg('platform_fees', fee_cents)];
  return { ...shares, legs: back ? [...legs, leg(`wallet:${back.to_id}`, back.cents)] : legs };
}

/** Basis points as people write them: `2.5%`. */
export function percentOf(bps: number): string {
  return `${(bps * 100) / BPS_WHOLE}%`;
}

/** Gross, fee and net as both sides read them before and after: `fee_cents` is the platform's, `net_cents` the seller's. */
export interface Proceeds {
  readonly fee_cents: number;
  readonly net_cents: number;
}

/** What a seller on `plan` gets of parts that are released one by one: each fee is rounded down by itself. */
export function proceedsOf(parts: readonly { readonly amount_cents: number }[], plan: PlanName): Proceeds {
  const shares = parts.map(({ amount_cents }) => takeFee(amount_cents, PLANS[plan].outcome_fee_bps));
  return {
    fee_cents: shares.reduce((sum, { fee_cents }) => sum + fee_cents, 0),
    net_cents: shares.reduce((sum, { rest_cents }) => sum + rest_cents, 0),
  };
}

/** The same of an amount with the parts that it is agreed to be paid in; without parts it is one. */
export function proceedsOfWhole(
  amount_cents: number,
  parts: readonly { readonly amount_cents: number }[],
  plan: PlanName,
): Proceeds {
  return proceedsOf(parts.length > 0 ? parts : [{ amount_cents }], plan);
}
