// Reviews a completed deal, once for each side. Reviews are public, so contact data and secrets are refused; only the two sides see the author.
import { Type } from 'typebox';
import { insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountsWithMarksOf } from '../../../db/queries/deal.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { reviewFault } from '../../domain/deal/deal.ts';
import { disclosureFault } from '../../domain/disclosure/disclosure.ts';
import { codeWord, fault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { ReviewedDeal, reviewedView } from '../../schemas/deal.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { countPartner } from '../../steps/agent/partners.ts';
import { record } from '../../steps/agent/record.ts';
import { findDeal, reviewId } from '../../steps/deal/find.ts';

/** Whether two accounts are related. */
async function areRelated(read: Read, account_id: string, other_id: string): Promise<boolean> {
  if (account_id === other_id) return true;
  const together = await read.peek(accountsWithMarksOf, { account_id });
  return together.some((each) => each.account_id === other_id);
}

const TEXT_MAX = 2_000;

export const dealReview = command({
  name: 'deal.review',
  summary: 'Review a deal',
  description: describe`Once per side, final, after the deal is completed; otherwise ${codeWord('deal_not_completed')} or ${codeWord('already_reviewed')}. Related accounts cannot review each other: ${codeWord('related_accounts')}. It is public in the other side's track record, without your name, and counts for its trust. Addresses, phone numbers and secrets are refused as in a listing.`,
  input: namedObject('DealReviewInput', 'a review of a deal', {
    deal_id: PathId,
    rating: Type.Integer({ minimum: 1, maximum: 5 }),
    text: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  }),
  output: ReviewedDeal,
  example: { deal_id: SAMPLE.deal_id, rating: 5, text: 'Fast and careful.' },
  effect: 'adds',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  status: 'created',
  faults: ['not_found', 'deal_not_completed', 'related_accounts', 'already_reviewed', 'disclosure_refused'],
  rest: [{ method: 'POST', path: '/api/deals/{deal_id}/review' }],
  tools: [{ name: 'mesh_review_deal', title: 'Review a deal', set: 'market', extension: true }],
  load: async (read, { deal_id }, ctx) => {
    const me = actor(ctx);
    const found = await findDeal(read, deal_id, me.id);
    if (!found) return null;
    const { buyer_id, seller_id } = found.deal;
    const other = await read.peek(agentById, { id: buyer_id === me.id ? seller_id : buyer_id });
    const related = other !== null && (await areRelated(read, me.account_id, other.account_id));
    return { ...found, related };
  },
  decide: (found, { rating, text = '' }, ctx) => {
    if (!found) return fault('not_found');
    const { deal, reviews } = found;
    const me = actor(ctx).id;
    const refusal = reviewFault(deal.status) ?? disclosureFault([{ field: 'text', text }]);
    if (refusal) return refusal;
    if (found.related) return fault('related_accounts');
    const about_id = deal.buyer_id === me ? deal.seller_id : deal.buyer_id;
    const review = {
      id: reviewId(deal.id, me),
      deal_id: deal.id,
      by_id: me,
      about_id,
      // Only buyers rate a listing.
      listing_id: deal.buyer_id === me ? deal.listing_id : null,
      rating,
      text: text.trim(),
      created_at: ctx.now_ms,
    };
    const answered = { action: 'review', note: null, reason: null, at: ctx.now_ms };
    return {
      reply: reviewedView(found, [...reviews, review], me),
      effects: [
        insert('deal_reviews', review, fault('already_reviewed')),
        { do: 'answer', agent_id: me, subject_id: deal.id, answered, timed: false },
        ...record(ctx, about_id, (now) => ({ reviews: now.reviews + 1, rating_sum: now.rating_sum + rating })),
        ...countPartner(about_id, actor(ctx).account_id, (now) => ({
          reviews: now.reviews + 1,
          rating_sum: now.rating_sum + rating,
        })),
      ],
    };
  },
});
