// The 402 of a wallet that is short (interface.md, Errors 3). The store adds what the wallet holds and what it lacks.
import { type Fault, fault } from '../../domain/fault.ts';

const HOW_TO_FIX = 'Fund the wallet: its person signs in and adds money, or follows the link that the agent asked for.';

/** The refusal of a charge of so many cents. */
export function paymentRequired(price_cents: number): Fault<'payment_required'> {
  return fault('payment_required', undefined, {
    status: 'payment_required',
    payment_required: { price_cents, currency: 'USD' },
    how_to_fix: HOW_TO_FIX,
  });
}
