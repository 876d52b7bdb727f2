// What a run of the service showed, query by query, and the figures made of it. The values of each query are kept, so
// that two runs can be compared on the same queries.

import type { Half } from './halves.ts';
import { type Market, type ServiceTask, textOf } from './markets.ts';
import { bestFirst, type Gains, ndcg, quantiles, type Resampled, recall, resample } from './measures.ts';
import { bm25 } from './rankers.ts';
import type { Shown } from './served.ts';

/** What is measured of each query. A recall counts against what could be shown, a share against all that is right. */
export const MEASURES = ['NDCG@10', 'recall@10', 'recall@30', 'recall@50', 'share@10', 'share@30', 'share@50'] as const;

/** Values by query, in the order of MEASURES. */
type ByQuery = Readonly<Record<string, readonly number[]>>;
/** How many matches a listing has. */
type Counts = Readonly<Record<string, number>>;

export interface TaskResult {
  readonly name: string;
  readonly service: ByQuery;
  readonly bm25: ByQuery;
  readonly seeks: Counts;
  readonly offers: Counts;
}

export interface Results {
  readonly half: Half;
  readonly tasks: readonly TaskResult[];
}

/** As many as BM25 shows of all candidates; it has no score below which it shows nothing. */
const BM25_SHOWN = 30;
export const SHARES = [0.1, 0.5, 0.9];

const digits = (value: number): number => Math.round(value * 1e6) / 1e6;

function valuesOf(ranking: readonly string[], gains: Gains<string>): number[] {
  const [ten, thirty, fifty] = [10, 30, 50].map((n) => recall(ranking, gains, n));
  const at = [ten, thirty, fifty];
  const all = [ndcg(ranking, gains), ...at.map((one) => one?.capped ?? 0), ...at.map((one) => one?.share ?? 0)];
  return all.map(digits);
}

/** For each query the documents that BM25 puts first among the candidates of its task. */
function lexicalRankings(market: Market, { queries, offers }: ServiceTask): Map<string, string[]> {
  const texts = new Map(market.listings.map((listing) => [listing.id, textOf(listing)]));
  const rank = bm25(offers.map((id) => texts.get(id) ?? ''));
  return new Map(
    queries.map(({ id }) => {
      const best = bestFirst(rank(texts.get(id) ?? '')).slice(0, BM25_SHOWN);
      return [id, best.map((at) => offers[at] ?? '')];
    }),
  );
}

/** The results of a market's tasks; `shown` is best first. */
export function resultsOf(market: Market, shown: readonly Shown[]): TaskResult[] {
  const bySeek = new Map<string, string[]>();
  const byOffer = new Map<string, number>();
  for (const { offer, seek } of shown) {
    const list = bySeek.get(seek);
    if (list) list.push(offer);
    else bySeek.set(seek, [offer]);
    byOffer.set(offer, (byOffer.get(offer) ?? 0) + 1);
  }
  return market.tasks.map((task) => {
    const lexical = lexicalRankings(market, task);
    const values = (rankings: ReadonlyMap<string, readonly string[]>): ByQuery =>
      Object.fromEntries(task.queries.map(({ id, gains }) => [id, valuesOf(rankings.get(id) ?? [], gains)]));
    return {
      name: task.name,
      service: values(bySeek),
      bm25: values(lexical),
      seeks: Object.fromEntries(task.seeks.map((id) => [id, bySeek.get(id)?.length ?? 0])),
      offers: Object.fromEntries(task.offers.map((id) => [id, byOffer.get(id) ?? 0])),
    };
  });
}

/** Means over the queries `ids` of each measure, in the order of MEASURES. Tasks of the same queries are drawn alike. */
export function measured(values: ByQuery, ids: readonly string[]): Resampled[] {
  const rows = ids.map((id) => values[id] ?? []);
  return resample(ids.join(), ids.length, (drawn) => {
    const sums = MEASURES.map(() => 0);
    for (const i of drawn) {
      const row = rows[i] ?? [];
      for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + (row[at] ?? 0);
    }
    return sums.map((sum) => sum / drawn.length);
  });
}

/** The listings of a task by the side whose matches are counted. */
export function countsOf({ seeks, offers }: TaskResult, side: 'seeks' | 'offers' | 'both'): Counts {
  return side === 'both' ? { ...seeks, ...prefixed(offers) } : side === 'seeks' ? seeks : offers;
}

// One row may stand on both sides, as a title that asks and as the text that offers.
const prefixed = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).map(([id, n]) => [`offer ${id}`, n]));

/** Quantiles of the matches a listing over `ids`, in the order of SHARES. */
export function spreadOf(counts: Counts, ids: readonly string[]): Resampled[] {
  const all = Float64Array.from(ids, (id) => counts[id] ?? 0);
  const taken = new Float64Array(all.length);
  return resample(ids.join(), ids.length, (drawn) => {
    drawn.forEach((i, at) => {
      taken[at] = all[i] ?? 0;
    });
    return quantiles(taken, SHARES);
  });
}
