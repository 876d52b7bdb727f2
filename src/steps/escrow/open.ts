// Opens an escrow: its rows, its deal, the money out of the buyer's wallet, and what its terms arm, all in one commit. A purchase of
// a listing and an escrow between two agents are opened alike.
import { apply, type Effect, insert, patch } from '../../../db/effects.ts';
import type { AgreedColumn, TermsColumn } from '../../../db/schema/escrow.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { fundingJournal } from '../../domain/escrow/escrow.ts';
import { fault } from '../../domain/fault.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { proceedsOf } from '../../domain/money/fee.ts';
import { post } from '../../domain/money/ledger.ts';
import { tell } from '../event.ts';
import { openObligations, paymentRequired } from '../money/obligation.ts';
import { expireLater } from './terms.ts';

/** A part with its own payment. */
export interface Part {
  readonly title: string;
  readonly amount_cents: number;
  /** Epoch milliseconds. */
  readonly due_at?: number | null;
}

export interface EscrowWanted {
  /** Read with their versions: an agent that leaves in the same moment makes the turn decide again. */
  readonly buyer: Row<'agents'>;
  readonly seller: Row<'agents'>;
  readonly seller_plan: PlanName;
  /** At least one. */
  readonly milestones: readonly Part[];
  readonly origin: 'escrow' | 'checkout';
  readonly title: string;
  readonly terms: Omit<TermsColumn, 'agreed'>;
  readonly conversation_id: string | null;
  readonly listing_id: string | null;
  /** The deal that it pays for, where the two had agreed to one. */
  readonly agreed?: Row<'deals'> | null;
  readonly auto_release_after_days: number | null;
  readonly expires_at: number | null;
}

/** The terms that an escrow stores of its listing, when no tier was bought. */
export function untieredTerms(listing: Row<'listings'> | null): EscrowWanted['terms'] {
  return {
    listing_id: listing?.id ?? null,
    headline: listing?.headline ?? null,
    slug: listing?.slug ?? null,
    tier_id: null,
    tier_name: null,
    buyer_email: null,
  };
}

/** An escrow that was opened, with what that takes. */
export interface OpenedEscrow {
  readonly escrow: Row<'escrows'>;
  readonly milestones: readonly Row<'milestones'>[];
  readonly deal: Row<'deals'>;
  readonly effects: readonly Effect<'payment_required' | 'conflict' | 'open_obligations'>[];
}

function milestoneOf(escrow_id: string, { title, amount_cents, due_at = null }: Part, n: number): Row<'milestones'> {
  return {
    id: `${escrow_id}.${n}`,
    escrow_id,
    milestone_index: n,
    title,
    amount_cents,
    due_at,
    status: 'held',
    ended_by: null,
    fee_cents: 0,
    deliverable: null,
    backlink: null,
    checked_at: null,
    released_at: null,
    ended_at: null,
    version: 1,
  };
}

function agreedBy({ principal }: Ctx, { buyer, seller }: EscrowWanted): AgreedColumn {
  const by = principal.kind === 'session' ? 'person' : 'program';
  return { by, buyer_bounds: buyer.bounds, seller_bounds: seller.bounds };
}

type Opening = Omit<OpenedEscrow, 'effects'>;

function rowsOf(ctx: Ctx, wanted: EscrowWanted): Opening {
  const { buyer, seller, origin, title, terms, conversation_id, listing_id, agreed = null } = wanted;
  const [escrow_id, deal_id, created_at] = [ctx.id(), agreed?.id ?? ctx.id(), ctx.now_ms];
  const total_cents = wanted.milestones.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const sides = { buyer_id: buyer.id, seller_id: seller.id };
  const escrow: Row<'escrows'> = {
    id: escrow_id,
    ...sides,
    buyer_account_id: buyer.account_id,
    seller_account_id: seller.account_id,
    title,
    status: 'active',
    total_cents,
    released_cents: 0,
    refunded_cents: 0,
    fee_cents: 0,
    deal_id,
    conversation_id,
    origin,
    terms: { ...terms, agreed: agreedBy(ctx, wanted) },
    auto_release_after_days: wanted.auto_release_after_days,
    expires_at: wanted.expires_at,
    dispute_id: null,
    created_at,
    ended_at: null,
    version: 1,
  };
  const milestones = wanted.milestones.map((part, n) => milestoneOf(escrow_id, part, n));
  if (agreed) return { escrow, milestones, deal: { ...agreed, escrow_id } };
  const deal: Row<'deals'> = {
    id: deal_id,
    kind: origin,
    ...sides,
    amount_cents: total_cents,
    title,
    status: 'open',
    escrow_id,
    conversation_id,
    listing_id,
    created_at,
    completed_at: null,
    version: 1,
  };
  return { escrow, milestones, deal };
}

/** Tells both sides that the money left the wallet and is held. The seller is not paid yet, and `held` says so. */
function news(ctx: Ctx, { buyer, seller, ...wanted }: EscrowWanted, { escrow, milestones }: Opening): Effect<never>[] {
  const { id: escrow_id, deal_id, conversation_id, total_cents: amount_cents, title } = escrow;
  const bought = wanted.origin === 'checkout';
  const ids = { reference_id: bought ? deal_id : escrow_id, escrow_id, journal_id: fundingJournal(escrow_id) };
  const of = bought ? { listing_id: wanted.listing_id } : {};
  const sums = { amount_cents, ...proceedsOf(milestones, wanted.seller_plan) };
  const paid = { kind: 'purchase', ...sums, ...ids, ...of, held: true } as const;
  const opened = { escrow_id, deal_id, conversation_id, title, ...sums };
  const sides = [
    { to: buyer, other: seller, role: 'payer', side: 'buyer' },
    { to: seller, other: buyer, role: 'payee', side: 'seller' },
  ] as const;
  return sides.flatMap(({ to, other: { handle: counterparty_handle }, role, side }) => [
    tell(ctx, to, 'payment.succeeded', { ...paid, counterparty_handle, your_role: role }),
    tell(ctx, to, 'escrow.opened', { ...opened, counterparty_handle, your_side: side }),
  ]);
}

/**
 * The rows of a new escrow and the effects that open it, with the events to both sides; a short wallet refuses it with 402
 * `payment_required`. The caller adds the spending checks (`spend`).
 */
export function openEscrow(ctx: Ctx, wanted: EscrowWanted): OpenedEscrow {
  const opening = rowsOf(ctx, wanted);
  const { escrow, milestones, deal } = opening;
  const { id, buyer_id, seller_id, total_cents, conversation_id, deal_id } = escrow;
  const effects = [
    insert('escrows', escrow),
    ...milestones.map((row) => insert('milestones', row)),
    wanted.agreed ? patch('deals', wanted.agreed, { escrow_id: id }) : insert('deals', deal),
    post(
      { id: fundingJournal(id), kind: 'escrow', subject_id: id, created_at: ctx.now_ms },
      [{ debit: `wallet:${buyer_id}`, credit: `escrow:${id}`, amount_cents: total_cents }],
      paymentRequired(total_cents),
      fault('conflict'),
    ),
    ...(conversation_id === null ? [] : [apply('conversations', conversation_id, () => ({ deal_id }))]),
    ...openObligations(buyer_id, seller_id),
    ...expireLater(escrow, ctx.now_ms),
    ...news(ctx, wanted, opening),
  ];
  return { escrow, milestones, deal, effects };
}
