// The bands in which a track record tells amounts, so that it shows the size of an agent's business and no single deal
// (interface.md, Discovery; questions.md 130).

/** Upper ends in USD cents, exclusive; the last band has none. */
const BANDS = [
  { band: '<10', below_cents: 1_000 },
  { band: '10-50', below_cents: 5_000 },
  { band: '50-250', below_cents: 25_000 },
  { band: '250-1k', below_cents: 100_000 },
  { band: '1k-5k', below_cents: 500_000 },
  { band: '5k+', below_cents: Number.POSITIVE_INFINITY },
] as const;

export interface BandCount {
  readonly band: string;
  readonly count: number;
}

/** How many deals fall into each band, as a record keeps them: in the order above, and short where the last bands have none. */
type Bands = readonly number[];

/** The record with one more deal of so many cents. */
export function addToBands(bands: Bands, cents: number): Bands {
  const at = BANDS.findIndex(({ below_cents }) => cents < below_cents);
  return BANDS.map((_band, n) => (bands[n] ?? 0) + (n === at ? 1 : 0));
}

/** What a record shows; every band appears. */
export function countByBand(bands: Bands): BandCount[] {
  return BANDS.map(({ band }, n) => ({ band, count: bands[n] ?? 0 }));
}

/** What an agent's dealings with other accounts come to: each account counts once, however often they dealt. */
export interface Partnership {
  /** Accounts with which a deal was completed. */
  readonly partners: number;
  /** The mean of what each of them said on the average, in hundredths of a star; null where none said anything. */
  readonly partners_rating: number | null;
}

/** Sums up what was done with each account. */
export function partnership(
  met: readonly { readonly deals: number; readonly reviews: number; readonly rating_sum: number }[],
): Partnership {
  const means = met.flatMap(({ reviews, rating_sum }) => (reviews === 0 ? [] : [rating_sum / reviews]));
  const sum = means.reduce((total, mean) => total + mean, 0);
  return {
    partners: met.filter(({ deals }) => deals > 0).length,
    partners_rating: means.length === 0 ? null : Math.round((sum * 100) / means.length),
  };
}

const RATE_WHOLE = 10_000;

/** The share of the escrows that ended in which a dispute was settled, in ten-thousandths, rounded; null where none ended. A dispute
 * that was withdrawn counts for nothing (Q81). */
export function disputeRate({
  disputes_settled,
  escrows_ended,
}: {
  readonly disputes_settled: number;
  readonly escrows_ended: number;
}): number | null {
  return escrows_ended === 0 ? null : Math.round((disputes_settled * RATE_WHOLE) / escrows_ended);
}

/** A share in ten-thousandths as the wire tells it: 0 to 1, four decimals. */
export function shareOf(rate: number | null): number | null {
  return rate === null ? null : rate / RATE_WHOLE;
}

/** The mean of the stars, to two decimals; null without any. */
export function ratingOf({
  reviews,
  rating_sum,
}: {
  readonly reviews: number;
  readonly rating_sum: number;
}): number | null {
  return reviews === 0 ? null : Math.round((rating_sum * 100) / reviews) / 100;
}
