// Makes the deal of an agreement: its row, and the escrow that pays for it if the buyer allows that and its wallet has enough. Otherwise
// the deal is agreed and unpaid, and both sides are told so, the buyer also why.
import { apply, count, type Effect, insert } from '../../../db/effects.ts';
import type { Payer } from '../../../db/queries/wallet.ts';
import type { BudgetColumn } from '../../../db/schema/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type FixedTerms, NO_TERMS } from '../../domain/escrow/escrow.ts';
import { fault } from '../../domain/fault.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { proceedsOfWhole } from '../../domain/money/fee.ts';
import type { Proposed } from '../../domain/negotiation/proposal.ts';
import { DAY_MS } from '../../domain/time.ts';
import { canBePaid } from '../agent/payable.ts';
import { openEscrow, untieredTerms } from '../escrow/open.ts';
import { tell } from '../event.ts';
import { budgetFault, countByDay, countUnasked, stillUnrestricted } from '../money/spend.ts';

/** An agreement of two sides. */
interface Agreement {
  readonly buyer: Row<'agents'>;
  readonly seller: Row<'agents'>;
  readonly seller_plan: PlanName;
  readonly amount_cents: number;
  readonly title: string;
  readonly milestones: readonly Proposed[];
  /** The terms of the escrow; terms without agreement are left to the buyer, who releases. */
  readonly escrow_terms: FixedTerms | null;
  readonly conversation_id: string;
  readonly listing: Row<'listings'> | null;
}

/** What the buyer's wallet can pay now. If it is less by the commit, the turn decides again. */
export interface Purse {
  readonly payer: Payer;
  readonly spent_cents: number;
  readonly restricted: boolean;
  /** Today's payments by programs, if a program agrees to pay and its person has bounded that; else null. */
  readonly by_programs_cents: number | null;
  /** The budget of the key that agrees, or has agreed, for the buyer, with its use; null without one. */
  readonly budget: { readonly of: BudgetColumn; readonly day_cents: number; readonly total_cents: number } | null;
}

/** Whether the acting key's budget keeps it from paying so much. */
function isBarred(used: NonNullable<Purse['budget']>, amount_cents: number, to_id: string): boolean {
  if (budgetFault(used.of, { amount_cents, to_id })) return true;
  const { per_day_cents, total_cents } = used.of;
  if (per_day_cents !== null && used.day_cents + amount_cents > per_day_cents) return true;
  return total_cents !== null && used.total_cents + amount_cents > total_cents;
}

/** Why an agreed deal was not paid at once. */
export const UNPAID = [
  'payment_required',
  'spending_limit',
  'account_restricted',
  'verification_required',
  'seller_cannot_be_paid',
  'approval_required',
] as const;
export type Unpaid = (typeof UNPAID)[number];

/** Why the buyer's wallet cannot pay; null when it can. */
export function unpaidFor(
  { buyer, seller, amount_cents }: Pick<Agreement, 'buyer' | 'seller' | 'amount_cents'>,
  purse: Purse | null,
): Unpaid | null {
  if (!canBePaid(seller)) return 'seller_cannot_be_paid';
  if (!purse) return 'account_restricted';
  const { payer, by_programs_cents, spent_cents, restricted } = purse;
  const { per_transaction_cents, per_day_cents, balance_cents } = payer;
  const by_programs_most = payer.bounds.max_pay_per_day_cents ?? null;
  if (restricted) return 'account_restricted';
  if (buyer.verified_at === null) return 'verification_required';
  if (per_transaction_cents !== null && amount_cents > per_transaction_cents) return 'spending_limit';
  if (per_day_cents !== null && spent_cents + amount_cents > per_day_cents) return 'spending_limit';
  if (purse.budget && isBarred(purse.budget, amount_cents, seller.id)) return 'spending_limit';
  if (by_programs_cents !== null && by_programs_most !== null && by_programs_cents + amount_cents > by_programs_most)
    return 'approval_required';
  return amount_cents > (balance_cents ?? 0) ? 'payment_required' : null;
}

export interface Agreed {
  readonly deal: Row<'deals'>;
  readonly escrow_id: string | null;
  readonly unpaid: Unpaid | null;
  readonly effects: readonly Effect<'conflict' | 'open_obligations' | 'payment_required'>[];
}

/** A deal that is agreed and not paid for. */
export function agreeOn(
  ctx: Ctx,
  {
    buyer,
    seller,
    amount_cents,
    title,
    conversation_id,
    listing,
  }: Omit<Agreement, 'milestones' | 'escrow_terms' | 'buyer' | 'seller' | 'seller_plan'> & {
    readonly buyer: Pick<Row<'agents'>, 'id'>;
    readonly seller: Pick<Row<'agents'>, 'id'>;
  },
): { readonly deal: Row<'deals'>; readonly effects: readonly Effect<never>[] } {
  const deal: Row<'deals'> = {
    id: ctx.id(),
    kind: 'agreement',
    buyer_id: buyer.id,
    seller_id: seller.id,
    amount_cents,
    title,
    status: 'open',
    escrow_id: null,
    conversation_id,
    listing_id: listing?.id ?? null,
    created_at: ctx.now_ms,
    completed_at: null,
    version: 1,
  };
  const effects = [insert('deals', deal), apply('conversations', conversation_id, () => ({ deal_id: deal.id }))];
  return { deal, effects };
}

function pay(ctx: Ctx, agreement: Agreement, { payer, budget, by_programs_cents }: Purse): Agreed {
  const { buyer, seller, seller_plan, amount_cents, title, milestones, conversation_id, listing } = agreement;
  const { escrow, deal, effects } = openEscrow(ctx, {
    buyer,
    seller,
    seller_plan,
    milestones: milestones.length > 0 ? milestones : [{ title, amount_cents }],
    origin: 'escrow',
    title,
    terms: untieredTerms(listing),
    conversation_id,
    listing_id: listing?.id ?? null,
    ...(agreement.escrow_terms ?? NO_TERMS),
  });
  return {
    deal,
    escrow_id: escrow.id,
    unpaid: null,
    effects: [
      stillUnrestricted(buyer.account_id),
      ...countUnasked(payer, budget?.of ?? null, amount_cents, ctx.now_ms),
      ...(by_programs_cents === null ? [] : countByDay(payer, amount_cents, ctx.now_ms)),
      ...effects,
    ],
  };
}

/** Tells both sides that nothing was paid yet; only the buyer gets the reason. */
function tellUnpaid(ctx: Ctx, { buyer, seller, ...of }: Agreement, deal_id: string, reason: Unpaid): Effect<never>[] {
  const { amount_cents, conversation_id } = of;
  const data = { kind: 'purchase' as const, amount_cents, reference_id: deal_id, deal_id, conversation_id };
  const payer = { your_role: 'payer' as const, reason };
  const payee = { your_role: 'payee' as const, ...(reason === 'seller_cannot_be_paid' && { reason }) };
  return [
    tell(ctx, buyer, 'payment.failed', { ...data, ...payer, counterparty_handle: seller.handle }),
    tell(ctx, seller, 'payment.failed', { ...data, ...payee, counterparty_handle: buyer.handle }),
  ];
}

/** Tells both sides that they have agreed, paid or not. */
function tellAgreed(ctx: Ctx, agreement: Agreement, { id: deal_id }: Row<'deals'>, escrow_id: string | null) {
  const { buyer, seller, seller_plan, amount_cents, milestones, title, conversation_id } = agreement;
  const data = {
    ...{ deal_id, escrow_id, conversation_id, title, amount_cents },
    ...proceedsOfWhole(amount_cents, milestones, seller_plan),
  };
  return [
    tell(ctx, buyer, 'deal.agreed', { ...data, counterparty_handle: seller.handle, your_side: 'buyer' }),
    tell(ctx, seller, 'deal.agreed', { ...data, counterparty_handle: buyer.handle, your_side: 'seller' }),
  ];
}

/** The deal of an agreement, paid for at once if possible. */
export function agree(ctx: Ctx, agreement: Agreement, purse: Purse | null, pays: boolean): Agreed {
  const made = agreedOn(ctx, agreement, purse, pays);
  return { ...made, effects: [...tellAgreed(ctx, agreement, made.deal, made.escrow_id), ...made.effects] };
}

function agreedOn(ctx: Ctx, agreement: Agreement, purse: Purse | null, pays: boolean): Agreed {
  const unpaid = pays ? unpaidFor(agreement, purse) : 'approval_required';
  if (unpaid === null && purse) return pay(ctx, agreement, purse);
  // Nothing is paid out of a purse that is not there.
  const reason = unpaid ?? 'account_restricted';
  const { deal, effects } = agreeOn(ctx, agreement);
  return {
    deal,
    escrow_id: null,
    unpaid: reason,
    effects: [...effects, ...tellUnpaid(ctx, agreement, deal.id, reason)],
  };
}

export interface Word {
  /** Whether it still counts. */
  readonly stands: boolean;
  /** Whether a program said it, and not its person. */
  readonly by_program: boolean;
  /** Whether its wallet may pay for it at once, as far as it is a buyer's. */
  readonly may_pay: boolean;
  /** The budget of the key that agreed, or null. */
  readonly budget: BudgetColumn | null;
  /** The key of the counter that lets only one of several concurrent deals about its listing pass. */
  readonly once: string | null;
}

/** Whether it may. */
export interface Alone {
  readonly allowed: boolean;
  /** The counter that only one of several concurrent deals passes; null when several are allowed. */
  readonly once: string | null;
}

/** Longer than the time between two turns that read the same deals. */
const MOMENT_MS = DAY_MS;

/** Of two deals that were decided on before either was made, has the second decided on again; a person is told of the first. */
export function onlyOnce(
  { principal, now_ms }: Ctx,
  counters: readonly (string | null | undefined)[],
): Effect<'conflict'>[] {
  const once = new Set(counters.flatMap((key) => key ?? []));
  const second =
    principal.kind === 'session' ? fault('conflict', 'Another deal was just made; read it first.') : 'again';
  return [...once].map((key) => count(key, 1, second, now_ms + MOMENT_MS));
}
