// One period's charge: the price less the outcome fee of the seller's current plan goes from the buyer's wallet to the seller's, the fee to
// the platform, in one journal whose id is the period's, so that no period is charged twice. Both sides are told.
import { type Effect, insert } from '../../../db/effects.ts';
import type { Payer } from '../../../db/queries/wallet.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { PLANS, type PlanName } from '../../domain/identity/plan.ts';
import type { DataOf } from '../../domain/inbox/event.ts';
import { payWithFee } from '../../domain/money/fee.ts';
import { post } from '../../domain/money/ledger.ts';
import { periodStart } from '../../domain/subscription/period.ts';
import { type ChargeFailure, chargeJournal } from '../../domain/subscription/subscription.ts';
import { canBePaid } from '../agent/payable.ts';
import { type Recipient, tell } from '../event.ts';
import { type Allotment, isAllotted } from './allotment.ts';

/** The facts of a due charge. Figures are current: if the balance is less by the commit, the turn decides again. */
export interface Due {
  readonly row: Row<'subscriptions'>;
  readonly buyer: Payer;
  readonly seller: Row<'agents'>;
  readonly seller_plan: PlanName;
  readonly spent_cents: number;
  readonly restricted: boolean;
  readonly allotment: Allotment | null;
}

/** Why a due charge cannot be made now, or null. */
export function failureOf(due: Due): ChargeFailure | null {
  const { row, buyer, seller, spent_cents, restricted, allotment } = due;
  const { amount_cents } = row;
  const { per_transaction_cents, per_day_cents } = buyer;
  // An agent with open subscriptions is deactivated only when its account is suspended.
  if (buyer.deactivated_at !== null) return 'account_suspended';
  if (buyer.verified_at === null) return 'verification_required';
  if (!canBePaid(seller)) return 'seller_cannot_be_paid';
  if (restricted) return 'account_restricted';
  if (per_transaction_cents !== null && amount_cents > per_transaction_cents) return 'spending_limit';
  if (per_day_cents !== null && spent_cents + amount_cents > per_day_cents) return 'spending_limit';
  if (allotment && !isAllotted(allotment, row)) return 'budget';
  return amount_cents > (buyer.balance_cents ?? 0) ? 'payment_required' : null;
}

/** The two sides of a charge, as they are called now. */
interface Sides {
  readonly buyer: Recipient;
  readonly seller: Recipient;
}

/** Tells both sides the result of an attempt. */
function news(
  ctx: Ctx,
  { id, amount_cents }: Row<'subscriptions'>,
  { buyer, seller }: Sides,
  kind: 'payment.succeeded' | 'payment.failed',
  more:
    | Pick<DataOf<'payment.succeeded'>, 'fee_cents' | 'net_cents' | 'journal_id'>
    | Pick<DataOf<'payment.failed'>, 'reason' | 'status'>,
): Effect<never>[] {
  const data = { kind: 'subscription' as const, amount_cents, reference_id: id, subscription_id: id, ...more };
  return [
    tell(ctx, buyer, kind, { ...data, counterparty_handle: seller.handle, your_role: 'payer' }),
    tell(ctx, seller, kind, { ...data, counterparty_handle: buyer.handle, your_role: 'payee' }),
  ];
}

type Attempt = Row<'subscription_charges'>;

function attemptAt(
  ctx: Ctx,
  row: Row<'subscriptions'>,
  period: number,
  ended: Pick<Attempt, 'status' | 'fee_cents' | 'reason'>,
): Attempt {
  const { id: subscription_id, seller_id, amount_cents } = row;
  const period_start = periodStart(row, period);
  const of = { subscription_id, seller_id, period, period_start, amount_cents };
  return { id: ctx.id(), ...of, ...ended, created_at: ctx.now_ms };
}

/** The writes of an attempt besides the subscription's own row. */
interface Attempted<C extends 'payment_required' | 'conflict'> {
  readonly charge: Attempt;
  readonly effects: readonly Effect<C>[];
}

export function chargePeriod<C extends 'payment_required' = never>(
  ctx: Ctx,
  row: Row<'subscriptions'>,
  sides: Sides,
  { period, seller_plan, onShort }: { period: number; seller_plan: PlanName; onShort: Fault<C> | 'again' },
): Attempted<C | 'conflict'> {
  const { fee_cents, rest_cents, legs } = payWithFee({
    debit: `wallet:${row.buyer_id}`,
    seller_id: row.seller_id,
    price_cents: row.amount_cents,
    fee_bps: PLANS[seller_plan].outcome_fee_bps,
    earned: true,
  });
  const journal = { id: chargeJournal(row.id, period), kind: 'charge', subject_id: row.id, created_at: ctx.now_ms };
  const charge = attemptAt(ctx, row, period, { status: 'succeeded', fee_cents, reason: null });
  const effects = [
    post<C | 'conflict'>(journal, legs, onShort, fault('conflict')),
    insert('subscription_charges', charge),
    ...news(ctx, row, sides, 'payment.succeeded', { fee_cents, net_cents: rest_cents, journal_id: journal.id }),
  ];
  return { charge, effects };
}

/** The effects of an attempt that came to nothing; `status` is what the subscription is after it. */
export function failPeriod(
  ctx: Ctx,
  row: Row<'subscriptions'>,
  sides: Sides,
  { period, reason, status }: { period: number; reason: ChargeFailure; status: string },
): Attempted<never> {
  const charge = attemptAt(ctx, row, period, { status: 'failed', fee_cents: 0, reason });
  const effects = [
    insert('subscription_charges', charge),
    ...news(ctx, row, sides, 'payment.failed', { reason, status }),
  ];
  return { charge, effects };
}

/** Tells both sides that a subscription has ended at its term. */
export function endNews(
  ctx: Ctx,
  { id: subscription_id }: Row<'subscriptions'>,
  { buyer, seller }: Sides,
): Effect<never>[] {
  const data = { subscription_id, status: 'completed', changed_by: 'terms' as const };
  return [
    tell(ctx, buyer, 'subscription.updated', { ...data, counterparty_handle: seller.handle }),
    tell(ctx, seller, 'subscription.updated', { ...data, counterparty_handle: buyer.handle }),
  ];
}
