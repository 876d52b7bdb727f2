// Buys a listing at its fixed price: the money goes into escrow, the seller gets a conversation with the buyer, and both are told, all
// in one commit. The current listing sets the price: a concurrent change makes the turn read it again.

import type { Static } from 'typebox';
import { count, type Effect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { acceptsMessages, blockGate } from '../../domain/conversation/conversation.ts';
import { fixedTerms, fundingJournal, type TermsAsked } from '../../domain/escrow/escrow.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import type { PlanName } from '../../domain/identity/plan.ts';
import { boughtOnce, dearerThan, type Purchase } from '../../domain/listing/purchase.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import { type Proceeds, proceedsOf } from '../../domain/money/fee.ts';
import type { NextOperation } from '../../domain/next-step.ts';
import { DAY_MS } from '../../domain/time.ts';
import { purchaseLetter } from '../../outbound/mailer/letters.ts';
import { letterWordsFor } from '../../outbound/mailer/words/words.ts';
import type { PurchaseShape } from '../../schemas/market.ts';
import { openEscrow } from '../escrow/open.ts';
import { sendLetter } from '../letter.ts';
import { openConversation, post, type Reached, startsKey } from '../message/post.ts';
import { isSpendFault, type SpendFault, type SpendState, spend } from '../money/spend.ts';

const LETTERS_MAX = 20;
const UNLIMITED = Number.MAX_SAFE_INTEGER;

export function lettersKey(account_id: string, now_ms: number): string {
  return `purchase_letters:${account_id}:${Math.floor(now_ms / DAY_MS)}`;
}

interface Sides {
  readonly buyer: string;
  readonly seller: string;
}

/** Sends the receipt of a purchase that was just made. */
function sendReceipt(
  ctx: Ctx,
  { id, buyer_account_id, total_cents, terms }: Row<'escrows'>,
  { buyer, seller, proceeds, sent }: Sides & { readonly proceeds: Proceeds; readonly sent: number },
): Effect<never>[] {
  if (terms.buyer_email === null || sent >= LETTERS_MAX) return [];
  const { app_url } = ctx.settings;
  const { fee_cents: fee, net_cents: net } = proceeds;
  const words = letterWordsFor(ctx.principal);
  const letter = purchaseLetter({ buyer, seller }, { gross: total_cents, fee, net }, `${app_url}/escrows/${id}`, words);
  return [
    count(lettersKey(buyer_account_id, ctx.now_ms), UNLIMITED, 'again', ctx.now_ms + DAY_MS),
    sendLetter({ channel: 'mail', to: terms.buyer_email, ...letter }, ctx),
  ];
}

/** Where a purchase is decided: the listing with its seller, what the two have with each other, what the buyer may spend. */
export interface Counter {
  readonly listing: Row<'listings'>;
  readonly reached: Reached;
  readonly buyer: Row<'agents'>;
  readonly seller_plan: PlanName;
  readonly spending: SpendState;
  /** Receipts that the buyer's account has sent by letter today. */
  readonly letters_sent: number;
}

/** Why nothing can be bought there, by any caller. */
export type CounterFault = Fault<'not_found' | 'own_listing' | 'seller_cannot_be_paid'>;

/** The address of a listing: the seller's handle, and a slug or id. */
export interface Address {
  readonly handle: string;
  readonly slug: string;
}

/** The buyer's input: the tier, the terms of the escrow, a note. */
export interface Said extends TermsAsked {
  readonly tier_id: string;
  readonly buyer_email?: string;
  /** A price above it is not paid. */
  readonly max_price_cents?: number;
  /** To the seller, as a message. */
  readonly note?: string;
}

type ThreadRefusal = 'not_found' | 'invalid_request' | 'blocked' | 'conversation_closed' | 'plan_limit';

/** The conversation of the two, with the note in it. A new one costs the buyer nothing of its plan: a purchase is no cold call. */
function threadWith(
  ctx: Ctx,
  { reached, listing }: Counter,
  note: string | undefined,
): { readonly conversation_id: string; readonly effects: readonly Effect<ThreadRefusal>[] } | Fault<ThreadRefusal> {
  const { other, thread, blocks } = reached;
  const me = actor(ctx);
  if (blocks.opener || blocks.other) return fault('blocked', 'One of you has blocked the other.');
  if (thread && acceptsMessages(thread, ctx.now_ms)) {
    // A block that comes in the same moment stops the purchase, or comes after it.
    const gate = count(blockGate(other.id, me.id), 0, fault('blocked'), null, 0);
    if (note === undefined) return { conversation_id: thread.id, effects: [gate] };
    const posted = post(ctx, me, thread, note);
    return isFault(posted) ? posted : { conversation_id: thread.id, effects: [gate, ...posted.effects] };
  }
  const of = { opener: me, other, match_id: null, subject: listing.headline, blocks, metered: false } as const;
  // Two first purchases at the same moment, on two nodes, share one: the later sees what the first opened.
  const alone = count(startsKey(me.id, other.id), reached.starts + 1, 'again');
  const { conversation_id, effects } = openConversation(ctx, { ...of, ...(note !== undefined && { content: note }) });
  return { conversation_id, effects: [alone, ...effects] };
}

interface Bought {
  readonly purchase: Purchase;
  readonly conversation_id: string;
  readonly escrow: Row<'escrows'>;
  readonly proceeds: Proceeds;
  readonly effects: readonly Effect<PurchaseRefusal>[];
}

type PurchaseRefusal =
  | ThreadRefusal
  | 'no_fixed_price'
  | 'use_subscription'
  | 'payment_required'
  | 'conflict'
  | 'open_obligations'
  | 'account_restricted'
  | 'spending_limit'
  | 'outside_bounds';

/** Buys; the wallet that is short refuses it in the commit. */
function buy(ctx: Ctx, counter: Counter, said: Said, asked?: object): Bought | Fault<PurchaseRefusal> | SpendFault {
  const { listing, reached, buyer, seller_plan, spending, letters_sent: sent } = counter;
  const { other: seller } = reached;
  const purchase = boughtOnce(listing, said.tier_id);
  if (isFault(purchase)) return purchase;
  const dearer = dearerThan(said.max_price_cents, purchase.price_cents);
  if (dearer) return dearer;
  const fixed = fixedTerms(said, ctx.now_ms);
  if (isFault(fixed)) return fixed;
  const buyer_email = said.buyer_email === undefined ? null : parseEmail(said.buyer_email, 'buyer_email');
  if (isFault(buyer_email)) return buyer_email;
  const { tier_id, tier_name, price_cents: amount_cents } = purchase;
  const spent = spend(ctx, spending, {
    ...{ amount_cents, to_id: seller.id, operation: 'marketplace.checkout' as const },
    ...(asked && { input: asked }),
  });
  if (isSpendFault(spent)) return spent;
  const thread = threadWith(ctx, counter, said.note);
  if (isFault(thread)) return thread;
  const { conversation_id } = thread;
  const { id: listing_id, headline, slug } = listing;
  const title = tier_name === null ? headline : `${headline}: ${tier_name}`;
  const { escrow, effects } = openEscrow(ctx, {
    buyer,
    seller,
    seller_plan,
    milestones: [{ title, amount_cents }],
    origin: 'checkout',
    title,
    terms: { listing_id, headline, slug, tier_id, tier_name, buyer_email },
    conversation_id,
    listing_id,
    ...fixed,
  });
  const proceeds = proceedsOf([{ amount_cents }], seller_plan);
  const receipt = sendReceipt(ctx, escrow, { buyer: buyer.handle, seller: seller.handle, proceeds, sent });
  return {
    purchase,
    conversation_id,
    escrow,
    proceeds,
    effects: [spent.gate, ...spent.counts, ...thread.effects, ...effects, ...receipt],
  };
}

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

type CheckoutRefusal = (typeof PURCHASE_FAULTS)[number];

/** Decides a purchase; `asked` is what was given of the call that a person can approve where the agent's bounds refuse it. */
export function checkout(
  counter: Counter | CounterFault,
  said: Said,
  ctx: Ctx,
  asked?: object,
): Decision<Reply, CheckoutRefusal> {
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
