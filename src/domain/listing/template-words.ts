// Words that a large part of a card type's listings carry tell them apart no more: "we are looking for", a platform's own
// phrases, the sentences of one poster of many. They weigh less in the vectors of that card type. How much follows from the
// listings that stand, never from the order in which they came.

/** Words in fewer of a card type's listings weigh in full. */
const FULL_SHARE = 0.3;
/** Shares count in steps of so much, or every listing that comes would move every weight, and all vectors with it. */
const STEP = 0.05;
/** The least share that is rounded to a step above FULL_SHARE. */
export const TEMPLATE_SHARE_MIN = FULL_SHARE + STEP / 2;
/** With fewer listings of a card type a handful by one author would decide which words are everybody's. */
export const TEMPLATE_LISTINGS_MIN = 50;

/** In how many of a hundred listings of a card type words stand, by the words' hashes: those that weigh less, in steps. */
export type TemplateShares = Readonly<Record<string, number>>;

/** How much words weigh, by their hashes: a part of what they would; words that are not there weigh in full. */
export type WordWeights = ReadonlyMap<number, number>;

/** The template words among those that are common in a card type's listings, given with their shares, 0 to 1. */
export function templateShares(listings: number, common: Iterable<readonly [number, number]>): TemplateShares {
  if (listings < TEMPLATE_LISTINGS_MIN) return {};
  const shares: Record<string, number> = {};
  for (const [hash, share] of common) {
    const step = Math.round(share / STEP) * STEP * 100;
    if (share >= TEMPLATE_SHARE_MIN) shares[hash] = Math.round(step);
  }
  return shares;
}

/** The square of how far a word's share is above FULL_SHARE: at twice the share a quarter, in all listings a eleventh. */
export function wordWeights(shares: TemplateShares): WordWeights {
  return new Map(Object.entries(shares).map(([hash, share]) => [Number(hash), ((FULL_SHARE * 100) / share) ** 2]));
}

/** The words that weigh something else by another set. */
export function changedWords(before: TemplateShares, after: TemplateShares): ReadonlySet<number> {
  const changed = new Set<number>();
  for (const hash of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[hash] !== after[hash]) changed.add(Number(hash));
  }
  return changed;
}
