// The other side's earlier approval of a proposal, as it counts now: a person's stays valid; a program's only while its key is valid and its
// person's bounds and policies allow it; the service's only while it would approve again. With what the buyer can pay.

import { cancelledDealIn } from '../../../db/queries/deal.ts';
import { decisionOn, turnAt } from '../../../db/queries/negotiation.ts';
import { counterById } from '../../../db/queries/turn.ts';
import { payerById } from '../../../db/queries/wallet.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { isLet } from '../../domain/agent/policy.ts';
import { dealsWanted } from '../../domain/listing/conditions.ts';
import { isActive } from '../../domain/listing/state.ts';
import { isWithin, limitOf } from '../../domain/negotiation/bargain.ts';
import { keepsLimits } from '../../domain/negotiation/goal.ts';
import type { Bid } from '../../domain/negotiation/package.ts';
import { askingBound, type DealSide } from '../../domain/negotiation/proposal.ts';
import { budgetDayKey, budgetKey, paidByKeys, restrictionKey, spentKey } from '../money/spend.ts';
import type { Alone, Purse, Word } from './agree.ts';
import { DEALS_MAX, readDealsAbout } from './compared.ts';
import type { Talk } from './find.ts';
import { listedFor } from './listed.ts';
import { programOf } from './program.ts';

/** Whether both listings, as they are now, let the service agree to a bid for the other side. */
function isListed({ other, mine, theirs }: Talk, side: DealSide, bid: Bid): boolean {
  const { amount_cents } = bid;
  const { own, asked } = listedFor(theirs, side === 'buyer' ? mine : null);
  return (
    keepsLimits(side, theirs?.goals ?? null, bid) &&
    isWithin({ side, limit: limitOf(side, other.bounds, own), asked }, amount_cents)
  );
}

/** Reads it; null where the other side has not agreed. */
export async function readWord(read: Read, ctx: Ctx, talk: Talk, row: Row<'proposals'> | null): Promise<Word | null> {
  const { me, other, theirs } = talk;
  const side = row?.buyer_id === other.id ? 'buyer' : 'seller';
  const at = row && (side === 'buyer' ? row.buyer_at : row.seller_at);
  if (!row || at === null) return null;
  const { conversation_id } = row;
  const { id: agent_id, account_id } = other;
  const said = await read.peek(decisionOn, { agent_id, subject_id: row.id, at });
  const about = { conversation_id, listing: theirs };
  const { allowed, once } = await readAlone(read, about);
  if (said?.by === 'person') return { stands: true, by_program: false, may_pay: true, budget: null, once };
  const asked_by = said?.credential_id ?? null;
  // Autopilot has no key.
  const program = asked_by === null ? { budget: null } : await programOf(read, ctx, { asked_by, account_id });
  const is_asked = askingBound(other.bounds, side, row.amount_cents, me.id) !== null;
  // The service's own approval is checked again: the same may have been bought elsewhere meanwhile, or its listing changed.
  const turn = await read.peek(turnAt, { conversation_id, agent_id, at });
  const would_still = turn === null || (allowed && isListed(talk, side, row));
  const flies_still = asked_by !== null || other.autopilot === 1;
  const stands = said !== null && program !== null && !is_asked && would_still && flies_still;
  const may_pay = isLet(other.bounds.policies, 'escrow.create', me.id);
  return { stands, by_program: true, may_pay, budget: program?.budget ?? null, once };
}

/** A side of a talk, as far as its program decides. */
interface Side {
  readonly conversation_id: string;
  /** Its own listing in the talk. */
  readonly listing: Row<'listings'> | null;
}

export async function readAlone(read: Read, about: Side): Promise<Alone> {
  const { conversation_id, listing } = about;
  if (listing === null || !isActive(listing.status)) return { allowed: false, once: null };
  if (await read.peek(cancelledDealIn, { conversation_id })) return { allowed: false, once: null };
  const wanted = dealsWanted(listing);
  if (wanted === null) return { allowed: true, once: null };
  const { made, all } = await readDealsAbout(read, listing);
  // Beyond what is looked at the number of deals stays the same, and would let none pass.
  return { allowed: made < wanted, once: all < DEALS_MAX ? `bought:${listing.id}:${all}` : null };
}

/** Reads the purse of a proposal's buyer; `word` is the other side's approval, if any. */
export async function readPurse(
  read: Read,
  ctx: Ctx,
  { me, other }: Pick<Talk, 'me' | 'other'>,
  { buyer_id, word }: { readonly buyer_id: string; readonly word: Word | null },
): Promise<Purse | null> {
  const buys = buyer_id === me.id;
  const buyer = buys ? me : other;
  const budget = buys ? ctx.principal.budget : (word?.budget ?? null);
  const counted = async (id: string): Promise<number> => (await read.peek(counterById, { id }))?.n ?? 0;
  const by_program = buys ? ctx.principal.kind !== 'session' : word?.by_program === true;
  const is_bounded = by_program && (buyer.bounds.max_pay_per_day_cents ?? null) !== null;
  const [payer, by_programs_cents, spent_cents, owed, day_cents, total_cents] = await Promise.all([
    read(payerById, { id: buyer.id }),
    is_bounded ? counted(paidByKeys(buyer.id, ctx.now_ms)) : null,
    counted(spentKey(buyer.id, ctx.now_ms)),
    counted(restrictionKey(buyer.account_id)),
    budget ? counted(budgetDayKey(budget.id, ctx.now_ms)) : 0,
    budget ? counted(budgetKey(budget.id)) : 0,
  ]);
  if (!payer) return null;
  const of_budget = budget && { of: budget, day_cents, total_cents };
  return { payer, by_programs_cents, spent_cents, restricted: owed > 0, budget: of_budget };
}
