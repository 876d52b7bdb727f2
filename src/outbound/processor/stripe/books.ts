// What Stripe took back of payments, and the lines of its books (balance transactions).

import type Stripe from 'stripe';
import { DAY_MS } from '../../../domain/time.ts';
import type { BookLine, Called, PlanMonth, Processor, TakenBack } from '../processor.ts';
import { done, look, nameOf, OUR_ID, whole } from './call.ts';
import type { Client } from './checkout.ts';

/** A bank's question about a payment takes no money yet. */
const ASKED_ONLY: ReadonlySet<string> = new Set([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'prevented',
]);

const ENDS: Readonly<Record<string, TakenBack['status']>> = { won: 'won', lost: 'lost' };

function disputeState(payment_id: string, dispute: Stripe.Dispute): TakenBack {
  const { id: external_id, amount, status, reason, balance_transactions } = dispute;
  return {
    external_id,
    payment_id,
    kind: 'chargeback',
    amount_cents: amount,
    fee_cents: balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
    status: ENDS[status] ?? 'open',
    reason,
  };
}

/** A refund that failed gave the money back to us. */
function refundState(payment_id: string, { id: external_id, amount, status, reason }: Stripe.Refund): TakenBack {
  const undone = status === 'failed' || status === 'canceled';
  const taken = { external_id, payment_id, kind: 'refund' as const, amount_cents: amount, fee_cents: 0, reason };
  return { ...taken, status: undone ? 'won' : 'lost' };
}

type Source = NonNullable<Exclude<Stripe.BalanceTransaction['source'], string>>;

/** The payment, transfer or whatever a line is of, by the name under which our rows know it. */
function sourceOf(source: Source | null, fallback: string): Pick<BookLine, 'source_id' | 'payment_id' | 'our_id'> {
  if (source === null) return { source_id: fallback, payment_id: null, our_id: null };
  const our_id = ('metadata' in source ? source.metadata?.[OUR_ID] : undefined) ?? null;
  const payment_id = 'payment_intent' in source ? nameOf(source.payment_intent) : null;
  if (source.object === 'charge') return { source_id: payment_id ?? source.id, payment_id, our_id };
  const source_id = source.object === 'transfer_reversal' ? (nameOf(source.transfer) ?? source.id) : source.id;
  return { source_id, payment_id, our_id };
}

const KINDS: Readonly<Record<string, BookLine['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  transfer: 'transfer',
  transfer_refund: 'reversal',
  transfer_cancel: 'reversal',
  transfer_failure: 'reversal',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  stripe_fee: 'fee',
};

function kindOf({ type }: Stripe.BalanceTransaction, source: Source | null): BookLine['kind'] {
  if (source?.object === 'dispute') return 'chargeback';
  return KINDS[type] ?? 'other';
}

function bookLine(line: Stripe.BalanceTransaction): BookLine {
  const source = whole(line.source);
  return {
    id: line.id,
    kind: kindOf(line, source),
    amount_cents: line.amount,
    fee_cents: line.fee,
    ...sourceOf(source, nameOf(line.source) ?? line.id),
    plan: null,
    created_at: line.created * 1000,
  };
}

/** The first try of an invoice may be so long before the payment that went through. */
const RETRIED_MS = 30 * DAY_MS;

function monthOf({ parent, billing_reason, period_end }: Stripe.Invoice): PlanMonth | null {
  const of = parent?.subscription_details;
  const subscription_id = nameOf(of?.subscription ?? null);
  if (!of || subscription_id === null) return null;
  const checkout_id = of.metadata?.[OUR_ID] ?? null;
  const first = billing_reason === 'subscription_create';
  return { subscription_id, checkout_id, first, begins_at: period_end * 1000 };
}

/** The months of plans by their payments: a charge itself does not name what it renews. */
async function planMonths(stripe: Stripe, from_ms: number, to_ms: number): Promise<Map<string, PlanMonth>> {
  const created = { gte: Math.floor((from_ms - RETRIED_MS) / 1000), lt: Math.ceil(to_ms / 1000) };
  const months = new Map<string, PlanMonth>();
  const asked = { created, status: 'paid', limit: 100, expand: ['data.payments'] } as const;
  for await (const invoice of stripe.invoices.list({ ...asked, expand: [...asked.expand] })) {
    const month = monthOf(invoice);
    for (const { payment } of month ? (invoice.payments?.data ?? []) : []) {
      const name = nameOf(payment.payment_intent ?? null);
      if (month && name !== null) months.set(name, month);
    }
  }
  return months;
}

/** A day of more lines than these is looked through in part, and says so. */
const LINES_MAX = 100_000;

async function linesOf(stripe: Stripe, from_ms: number, to_ms: number): Promise<BookLine[]> {
  const created = { gte: Math.floor(from_ms / 1000), lt: Math.ceil(to_ms / 1000) };
  const lines: BookLine[] = [];
  for await (const line of stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })) {
    lines.push(bookLine(line));
    if (lines.length > LINES_MAX) throw new Error('more lines than can be compared');
  }
  // What carries no id of ours may pay for a plan.
  const isUnnamed = ({ kind, our_id }: BookLine): boolean => kind === 'payment' && our_id === null;
  const months = lines.some(isUnnamed) ? await planMonths(stripe, from_ms, to_ms) : null;
  // Stripe lists the newest first.
  return lines.map((line) => ({ ...line, plan: months?.get(line.payment_id ?? '') ?? null })).reverse();
}

export function stripeBooks(client: Client): Pick<Processor, 'takenBack' | 'books'> {
  const books = async (from_ms: number, to_ms: number): Promise<Called<readonly BookLine[]>> => {
    const stripe = await client();
    const found = await look(() => linesOf(stripe, from_ms, to_ms));
    return found.outcome === 'done' ? done(found.value ?? []) : found;
  };
  return {
    takenBack: async (payment_intent) => {
      const stripe = await client();
      const found = await look(async () => {
        const disputes = await stripe.disputes.list({ payment_intent, limit: 100 });
        const refunds = await stripe.refunds.list({ payment_intent, limit: 100 });
        return [
          ...disputes.data
            .filter(({ status }) => !ASKED_ONLY.has(status))
            .map((each) => disputeState(payment_intent, each)),
          ...refunds.data.map((each) => refundState(payment_intent, each)),
        ];
      });
      return found.outcome === 'done' ? done(found.value ?? []) : found;
    },
    books,
  };
}
