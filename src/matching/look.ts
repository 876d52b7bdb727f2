// Scoring without writes: explaining a listing's matches, and previewing those of a draft. It waits in the queue like any
// run.
import type { Read } from '../../db/store.ts';
import type { Draft, Previewed } from '../contract/ports.ts';
import type { Explained } from '../domain/match/missing.ts';
import { type Scoring, subjectOf } from './candidates.ts';
import { explain, Lacks } from './explain.ts';
import type { ListingCache } from './listing-cache.ts';
import { pairOf } from './pair.ts';
import { findFits, scoreDraft } from './score.ts';
import type { WorkQueue } from './work-queue.ts';

/** Explains the matches of a stored listing; null when it takes no part in matching. */
export async function explainListing(
  read: Read,
  scoring: Scoring,
  queue: WorkQueue,
  listing_id: string,
  now_ms: number,
): Promise<Explained | null> {
  const own = await scoring.listings.get(listing_id);
  if (!own) return null;
  return queue.run(own.agent.account_id, async () => {
    const scored = await findFits(scoring, read, listing_id, { explains: true });
    return scored?.lacks ? explain(read, scored, scored.lacks, now_ms) : null;
  });
}

/** The scoring of drafts. */
type DraftScoring = Scoring & { readonly listings: Pick<ListingCache, 'draft'> };

/** Scores a draft as the listing that it would be; null when its agent takes no part in matching. `vector` is for a model that
 * is asked outside, where null leaves labels and words to decide. */
export function previewDraft(
  read: Read,
  scoring: DraftScoring,
  queue: WorkQueue,
  draft: Draft,
  vector: Int8Array | null,
  limit: number,
  now_ms: number,
): Promise<Omit<Previewed, 'with_texts'> | null> {
  return queue.run(draft.account_id, async () => {
    const own = await scoring.listings.draft(draft);
    if (!own || own.part === 'none') return null;
    const lacks = new Lacks(own);
    const subject = await subjectOf(scoring, read, own);
    const given = vector ? { ...subject, around: { ...subject.around, vector } } : subject;
    const scored = await scoreDraft(scoring, read, given, lacks);
    const best = scored.fits.filter(({ other }) => other.part === 'both').slice(0, limit);
    return {
      best: best.map((fit) => {
        const { other, score, reasons } = fit;
        const { id, headline, agent } = other;
        const my_side = pairOf(own, fit).offer === own ? 'offer' : 'seek';
        return { handle: agent.handle, listing: { id, headline }, score, reasons, my_side };
      }),
      explained: await explain(read, scored, lacks, now_ms),
    };
  });
}
