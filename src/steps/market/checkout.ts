// A purchase as its callers learn of it: what they are answered, and what a listing would cost whoever asks.
import type { Static } from 'typebox';
import type { Decision } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { fundingJournal } from '../../domain/escrow/escrow.ts';
import { isFault } from '../../domain/fault.ts';
import type { NextOperation } from '../../domain/next-step.ts';
import type { PurchaseShape } from '../../schemas/market.ts';
import { buy, type Counter, type CounterFault, type PurchaseRefusal, type Said } from './purchase.ts';

export const PURCHASE_FAULTS = [
  'not_found',
  'own_listing',
  'no_fixed_price',
  'use_subscription',
  'seller_cannot_be_paid',
  'payment_required',
  'account_restricted',
  'spending_limit',
  'outside_bounds',
  'blocked',
  'invalid_request',
  'conversation_closed',
  'plan_limit',
  'open_obligations',
  'conflict',
] as const satisfies readonly (PurchaseRefusal | CounterFault['fault'])[];

type Reply = Static<typeof PurchaseShape>;
type Refusal = (typeof PURCHASE_FAULTS)[number];

/** Decides a purchase; `asked` is what was given of the call that a person can approve where the agent's bounds refuse it. */
export function checkout(
  counter: Counter | CounterFault,
  said: Said,
  ctx: Ctx,
  asked?: object,
): Decision<Reply, Refusal> {
  if (isFault(counter)) return counter;
  const bought = buy(ctx, counter, said, asked);
  if ('fault' in bought) return bought;
  const { escrow, conversation_id, proceeds, effects } = bought;
  const { id: escrow_id, deal_id } = escrow;
  const { settings, addresses } = ctx;
  const address = (operation: NextOperation): string =>
    `${settings.base_url}${addresses.path({ operation, input: { escrow_id } })}`;
  return {
    reply: {
      checkout_id: deal_id,
      purchase_id: deal_id,
      conversation_id,
      escrow_id,
      journal_id: fundingJournal(escrow_id),
      charged_cents: escrow.total_cents,
      ...proceeds,
      status: 'held_in_escrow',
      next: {
        deliver: address('escrow.deliver'),
        release: address('escrow.release'),
        dispute: address('dispute.open'),
      },
    },
    effects,
  };
}
