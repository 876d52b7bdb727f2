// Words in a large share of a card type's listings do not distinguish them: "we are looking for", a platform's own phrases,
// repeated sentences of one author. They weigh less in the vectors of that card type. The weights depend on the current
// listings only, not on their order of arrival.

/** Words in a smaller share of a card type's listings have full weight. */
const FULL_SHARE = 0.3;
/** Shares are rounded to steps; otherwise each new listing would change every weight and all vectors. */
const STEP = 0.05;
/** The smallest share that is rounded to a step above FULL_SHARE. */
export const TEMPLATE_SHARE_MIN = FULL_SHARE + STEP / 2;
/** With fewer listings of a card type, a few by one author would decide which words are common. */
export const TEMPLATE_LISTINGS_MIN = 50;

/** The shares, in per cent of a card type's listings, of the words that weigh less, by hash and in steps. */
export type TemplateShares = Readonly<Record<string, number>>;

/** The factors of words by hash; absent words have full weight. */
export type WordWeights = ReadonlyMap<number, number>;

/** The template words among common words of a card type, which are given with their shares, 0 to 1. */
export function templateShares(listings: number, common: Iterable<readonly [number, number]>): TemplateShares {
  if (listings < TEMPLATE_LISTINGS_MIN) return {};
  const shares: Record<string, number> = {};
  for (const [hash, share] of common) {
    const step = Math.round(share / STEP) * STEP * 100;
    if (share >= TEMPLATE_SHARE_MIN) shares[hash] = Math.round(step);
  }
  return shares;
}

/** The square of FULL_SHARE over the word's share: a quarter at twice FULL_SHARE, an eleventh in all listings. */
export function wordWeights(shares: TemplateShares): WordWeights {
  return new Map(Object.entries(shares).map(([hash, share]) => [Number(hash), ((FULL_SHARE * 100) / share) ** 2]));
}

/** The words whose weight differs between two sets. */
export function changedWords(before: TemplateShares, after: TemplateShares): ReadonlySet<number> {
  const changed = new Set<number>();
  for (const hash of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[hash] !== after[hash]) changed.add(Number(hash));
  }
  return changed;
}
