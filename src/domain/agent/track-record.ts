// The bands of amounts in a track record, which shows the size of an agent's business and no single deal (interface.md, Discovery; questions.md 130).

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

/** Deals by band, in the order above; trailing empty bands are left out. */
type Bands = readonly number[];

/** Adds a deal. */
export function addToBands(bands: Bands, cents: number): Bands {
  const at = BANDS.findIndex(({ below_cents }) => cents < below_cents);
  return BANDS.map((_band, n) => (bands[n] ?? 0) + (n === at ? 1 : 0));
}

/** The counts for display, with every band. */
export function countByBand(bands: Bands): BandCount[] {
  return BANDS.map(({ band }, n) => ({ band, count: bands[n] ?? 0 }));
}

/** The smallest deal that counts for trust. */
const WEIGHS_FROM_CENTS = 100;
/** From this sum on an account has its full weight. */
const WEIGHS_IN_FULL_CENTS = 5_000;

/** The part of a completed deal that counts for trust. */
export function weighingCents(amount_cents: number): number {
  return amount_cents < WEIGHS_FROM_CENTS ? 0 : amount_cents;
}

/** The weight of an account by the sum of deals with it, in hundredths: half of the full weight at a quarter of the sum. */
function weightOf(cents: number): number {
  return Math.round(100 * Math.min(1, Math.sqrt(cents / WEIGHS_IN_FULL_CENTS)));
}

/** Totals of an agent's dealings with other accounts: each account counts once, weighted by its amounts. */
export interface Partnership {
  /** Accounts with a completed deal that counts. */
  readonly partners: number;
  /** Their total weight, in hundredths of a full one. */
  readonly partners_weight: number;
  /** The weighted mean of their average ratings, in hundredths of a star; null without ratings. */
  readonly partners_rating: number | null;
}

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

/** The share of ended escrows with a settled dispute, in ten-thousandths, rounded; null where none ended. Withdrawn disputes do not count (Q81). */
export function disputeRate({
  disputes_settled,
  escrows_ended,
}: {
  readonly disputes_settled: number;
  readonly escrows_ended: number;
}): number | null {
  return escrows_ended === 0 ? null : Math.round((disputes_settled * RATE_WHOLE) / escrows_ended);
}

/** Converts ten-thousandths to the form of the wire: 0 to 1, four decimals. */
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
