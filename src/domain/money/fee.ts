// What the platform takes of what a seller earns: a whole number of cents, rounded down, so that the seller's share and the fee
// always add up to what was paid (decisions.md 8, Q122, Q155).
import { type Cents, centsOf } from './ledger.ts';

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
