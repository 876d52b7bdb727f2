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

/** A deal of less is none that trust counts: a cent moved is no sign of anything. */
const WEIGHS_FROM_CENTS = 100;
/** From so much on an account weighs in full. */
const WEIGHS_IN_FULL_CENTS = 5_000;

/** What of a completed deal counts to trust. */
export function weighingCents(amount_cents: number): number {
  return amount_cents < WEIGHS_FROM_CENTS ? 0 : amount_cents;
}

/** What an account weighs by all that one dealt with it, in hundredths: half of the whole at a quarter of the amount. */
function weightOf(cents: number): number {
  return Math.round(100 * Math.min(1, Math.sqrt(cents / WEIGHS_IN_FULL_CENTS)));
}

/** What an agent's dealings with other accounts come to: each account counts once, however often they dealt, by the amounts. */
export interface Partnership {
  /** Accounts with which a deal was completed that counts. */
  readonly partners: number;
  /** What they weigh together, in hundredths of one that weighs in full. */
  readonly partners_weight: number;
  /** The mean of what each of them said on the average, by their weight, in hundredths of a star; null where none said anything. */
  readonly partners_rating: number | null;
}

/** Sums up what was done with each account. */
export function partnership(
  met: readonly { readonly cents: number; readonly reviews: number; readonly rating_sum: number }[],
): Partnership {
  const weighed = met.map((each) => ({ ...each, weight: weightOf(each.cents) })).filter(({ weight }) => weight > 0);
  const said = weighed.filter(({ reviews }) => reviews > 0);
  const heard = said.reduce((sum, { weight }) => sum + weight, 0);
  const stars = said.reduce((sum, { weight, reviews, rating_sum }) => sum + (weight * rating_sum) / reviews, 0);
  return {
    partners: weighed.length,
    partners_weight: weighed.reduce((sum, { weight }) => sum + weight, 0),
    partners_rating: heard === 0 ? null : Math.round((stars * 100) / heard),
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
