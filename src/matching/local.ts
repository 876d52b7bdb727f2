// Matching by the index of this process.
import type { Store } from '../../db/store.ts';
import type { FlowPorts } from '../contract/ports.ts';
import { embeddingText } from '../domain/listing/listing.ts';
import { TEMPLATE_SHARE_MIN, templateShares } from '../domain/listing/template-words.ts';
import { embedsHere, vectorsInTime } from '../steps/listing/vectors.ts';
import type { ListingCache } from './listing-cache.ts';
import { explainListing, previewDraft } from './look.ts';
import type { Matcher } from './matcher.ts';
import { matchListing } from './matching.ts';
import { findSellers } from './sellers.ts';
import type { Tastes } from './tastes.ts';
import type { WorkQueue } from './work-queue.ts';

export interface Indexed extends Pick<FlowPorts, 'clock' | 'embedder' | 'tasks'> {
  readonly store: Pick<Store, 'read' | 'vectors' | 'shared'>;
  readonly listings: ListingCache;
  readonly tastes: Tastes;
  readonly queue: WorkQueue;
}

/** The newest of some ids, which sort by their time, each once and newest first. One pass, which keeps at most twice as many. */
export function newest(ids: Iterable<string>, before: string, limit: number): string[] {
  let kept: string[] = [];
  let oldest = '';
  const cut = (): void => {
    kept = [...new Set(kept)].sort().reverse().slice(0, limit);
    oldest = kept[limit - 1] ?? '';
  };
  for (const id of ids) {
    if (id >= before || id <= oldest) continue;
    kept.push(id);
    if (kept.length === 2 * limit) cut();
  }
  cut();
  return kept;
}

export function localMatcher(world: Indexed): Matcher {
  const { read, vectors } = world.store;
  const { queue } = world;
  return {
    match: (ctx, listing_id, asked) => matchListing(ctx, world, queue, listing_id, asked),
    explain: ({ now_ms }, listing_id) => explainListing(read, world, queue, listing_id, now_ms),
    preview: async (draft, limit, now_ms) => {
      // The built-in model's vectors are made where they are compared.
      const here = embedsHere(world);
      const [vector = null] = (here ? null : await vectorsInTime(world, [embeddingText(draft)])) ?? [];
      const previewed = await previewDraft(read, world, queue, draft, vector, limit, now_ms);
      return previewed && { ...previewed, with_texts: here || vector !== null };
    },
    sellers: (draft, limit) => findSellers(read, world, queue, draft, limit),
    agentsWith: async (labels, before, limit) => newest(vectors.agentsWith(labels), before, limit),
    templates: (card_type) =>
      templateShares(vectors.listingsOf(card_type), vectors.commonWords(card_type, TEMPLATE_SHARE_MIN)),
  };
}
