// The judgement of a listing's words by the niche classifier and an administrator (rules.md 5). An approval is for the doubtful
// words: an edit that keeps them needs no second review, and one that adds others does.
import { type Effect, insert, patch, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import type { Verdict } from '../../domain/listing/niche.ts';
import type { ListingContent } from './content.ts';

/** The other subject of a review, besides niches: possible contact data or secrets of a person. */
export const PRIVATE = 'private_data';

export type Doubt = Verdict | { readonly verdict: 'unsure'; readonly niche: typeof PRIVATE; readonly evidence: string };

export interface Reviewing {
  readonly niche: Doubt;
  /** The 400 for private data in the words together with all that is shown beside them. */
  readonly told: Fault<'disclosure_refused'> | null;
  /** The newest review, if one may count: for doubtful words, or a held listing. */
  readonly review: Row<'reviews'> | null;
}

/** For content that was refused before its words were classified. */
export const UNDOUBTED: Reviewing = { niche: { verdict: 'clean' }, told: null, review: null };

function isDecided({ niche, review }: Reviewing, as: 'approved' | 'rejected'): boolean {
  return niche.verdict !== 'clean' && review?.status === as && review.text === niche.evidence;
}

/** Whether the words need an approval that they do not have. */
export function needsReview(reviewing: Reviewing): boolean {
  return reviewing.niche.verdict !== 'clean' && !isDecided(reviewing, 'approved');
}

/** The fields of a listing that the classifier reads. */
const WORDS = ['headline', 'description', 'labels', 'fields'] as const;

/** Whether two contents have the same words; prices may differ. */
export function saysSame(a: ListingContent, b: ListingContent): boolean {
  return WORDS.every((name) => Bun.deepEquals(a[name], b[name]));
}

/**
 * The 400 for what cannot be published: a restricted trade that the classifier is sure of, and words that an administrator
 * refused. `error` and `code` say the same (questions.md 41).
 */
export function nicheFault(reviewing: Reviewing): Fault<'restricted_niche' | 'disclosure_refused'> | null {
  const { niche } = reviewing;
  if (niche.verdict === 'clean') return null;
  if (niche.niche === PRIVATE) {
    if (!isDecided(reviewing, 'rejected')) return null;
    return fault('disclosure_refused', 'An administrator refused this text; see gate_report.', { matches: [] });
  }
  const data = { code: 'restricted_niche', niche: niche.niche };
  if (isDecided(reviewing, 'rejected')) {
    return fault('restricted_niche', 'An administrator refused this text; see gate_report.', data);
  }
  if (niche.verdict === 'unsure' || isDecided(reviewing, 'approved')) return null;
  const trade = niche.niche.replace('_', ' ');
  return fault('restricted_niche', `Listings of this trade are not allowed: ${trade}.`, data);
}

/** Updates the queue of reviews: it has each held listing with its doubtful words, and no others. */
export function queueEffects(
  ctx: Ctx,
  after: Pick<Row<'listings'>, 'id' | 'agent_id' | 'status'> | null,
  { niche, review }: Reviewing,
): Effect<never>[] {
  const open = review?.status === 'open' ? review : null;
  if (after?.status !== 'pending_review' || niche.verdict === 'clean') return open ? [remove('reviews', open)] : [];
  const { niche: reason, evidence: text } = niche;
  if (open) return open.text === text ? [] : [patch('reviews', open, { reason, text })];
  const undecided = { reporter_id: null, status: 'open' as const, decided_by: null, decided_at: null };
  const { id: listing_id, agent_id } = after;
  const row = { id: ctx.id(), kind: 'listing' as const, agent_id, listing_id, reason, text, ...undecided };
  return [insert('reviews', { ...row, created_at: ctx.now_ms, version: 1 })];
}
