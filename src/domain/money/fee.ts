// The platform's fee on a seller's earnings: whole cents, rounded down, so that the seller's share and the fee always add up to the
// payment (rules.md 8, Q122, Q155).
import { PLANS, type PlanName } from '../identity/plan.ts';
import { type Account, type Cents, centsOf, type Leg } from './ledger.ts';

const BPS_WHOLE = 10_000;

export interface Shares {
  readonly fee_cents: Cents;
  readonly rest_cents: Cents;
}

/** Splits whole cents by basis points. Exact for amounts up to 10,000,000,000 cents. */
export function takeFee(amount_cents: number, bps: number): Shares {
  // The largest transfer times 10,000 stays below 2^53.
  const fee_cents = centsOf(Math.floor((centsOf(amount_cents) * bps) / BPS_WHOLE));
  return { fee_cents, rest_cents: centsOf(amount_cents - fee_cents) };
}

/** A payment to a seller from `debit`, with an optional refund to the payer. */
export interface Paid {
  readonly debit: Account;
  readonly seller_id: string;
  readonly price_cents: number;
  /** The platform's share of the price, in basis points. */
  readonly fee_bps: number;
  /** Counts toward the seller's earnings of the day. */
  readonly earned?: true;
  readonly back?: { readonly to_id: string; readonly cents: number };
}

/** The legs of a payment with a fee: the seller's part, the fee, the refund; legs of zero are left out. */
export function payWithFee({ debit, seller_id, price_cents, fee_bps, earned, back }: Paid): Shares & { legs: Leg[] } {
  const shares = takeFee(price_cents, fee_bps);
  const { fee_cents, rest_cents } = shares;
  const leg = (credit: Account, amount_cents: number): Leg => ({ debit, credit, amount_cents, may_be_nothing: true });
  const legs = [{ ...leg(`wallet:${seller_id}`, rest_cents), earned }, leg('platform_fees', fee_cents)];
  return { ...shares, legs: back ? [...legs, leg(`wallet:${back.to_id}`, back.cents)] : legs };
}

/** Fee and net of an amount, before and after payment: `fee_cents` for the platform, `net_cents` for the seller. */
export interface Proceeds {
  readonly fee_cents: number;
  readonly net_cents: number;
}

/** The proceeds of a seller on `plan` from milestones: each fee is rounded down separately. */
export function proceedsOf(parts: readonly { readonly amount_cents: number }[], plan: PlanName): Proceeds {
  const shares = parts.map(({ amount_cents }) => takeFee(amount_cents, PLANS[plan].outcome_fee_bps));
  return {
    fee_cents: shares.reduce((sum, { fee_cents }) => sum + fee_cents, 0),
    net_cents: shares.reduce((sum, { rest_cents }) => sum + rest_cents, 0),
  };
}

/** The same for an amount with its agreed milestones; without them it is one part. */
export function proceedsOfWhole(
  amount_cents: number,
  parts: readonly { readonly amount_cents: number }[],
  plan: PlanName,
): Proceeds {
  return proceedsOf(parts.length > 0 ? parts : [{ amount_cents }], plan);
}
