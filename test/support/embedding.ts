// The effect that writes a listing's vector, with what tests of indexes do not look at filled in.
import type { EmbedEffect } from '../../db/effects.ts';

/** Of an offer that sells rope, by the model `m`, without words. */
export function embedding(
  listing_id: string,
  vector: Int8Array | null,
  rest: Partial<Pick<EmbedEffect, 'labels' | 'card_type' | 'terms'>> = {},
): EmbedEffect {
  return {
    do: 'embed',
    listing_id,
    agent_id: 'a',
    side: 'offer',
    labels: ['rope'],
    card_type: 'selling',
    model: 'm',
    vector,
    terms: null,
    ...rest,
  };
}
