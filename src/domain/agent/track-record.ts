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

/** How many amounts fall into each band; every band appears. */
export function countByBand(amounts_cents: readonly number[]): BandCount[] {
  const counts = BANDS.map(({ band }) => ({ band, count: 0 }));
  for (const cents of amounts_cents) {
    const found = counts[BANDS.findIndex(({ below_cents }) => cents < below_cents)];
    if (found) found.count += 1;
  }
  return counts;
}
