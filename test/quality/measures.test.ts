// The measures of matching, on numbers made by hand.

import { describe, expect, test } from 'bun:test';
import { type Market, type ServiceTask, textOf } from '../../scripts/ranking/markets.ts';
import {
  bestFirst,
  mean,
  meanOf,
  minus,
  ndcg,
  quantiles,
  recall,
  resample,
  withInterval,
} from '../../scripts/ranking/measures.ts';
import { MEASURES, resultsOf } from '../../scripts/ranking/results.ts';
import { figuresOf } from '../../scripts/ranking/tables.ts';

const GAINS = new Map([
  ['a', 2],
  ['d', 1],
]);

describe('NDCG@10', () => {
  test('is 1 for the best order, less for a worse one, and 0 when nothing relevant is in the first ten', () => {
    expect(ndcg(['a', 'd', 'b'], GAINS)).toBe(1);
    expect(ndcg(['d', 'a'], GAINS)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1 / Math.log2(3)), 12);
    expect(ndcg([...'0123456789', 'a', 'd'], GAINS)).toBe(0);
    expect(ndcg([], GAINS)).toBe(0);
  });

  test('takes the highest score first, and of equal ones the first', () => {
    expect(bestFirst(Float64Array.of(1, 3, 1, 2))).toEqual([1, 3, 0, 2]);
  });
});

describe('recall', () => {
  const right = new Map(Array.from({ length: 40 }, (_, i) => [i, 1]));
  const all = Array.from({ length: 60 }, (_, i) => 59 - i);

  test('counts what is right among the first n against all that is, and against what n could hold', () => {
    // 59 to 40 are wrong; 39 and so on are right.
    expect(recall(all, right, 30)).toEqual({ share: 10 / 40, capped: 10 / 30 });
    expect(recall(all, right, 50)).toEqual({ share: 30 / 40, capped: 30 / 40 });
    expect(recall(all, right, 10)).toEqual({ share: 0, capped: 0 });
  });

  test('of a short list misses what is not in it', () => {
    expect(recall([0, 50], right, 30)).toEqual({ share: 1 / 40, capped: 1 / 30 });
  });
});

test('quantiles are values of the sample', () => {
  expect(
    quantiles(
      Float64Array.from({ length: 10 }, (_, i) => 9 - i),
      [0.1, 0.5, 0.9],
    ),
  ).toEqual([1, 5, 9]);
});

describe('the bootstrap', () => {
  const values = Array.from({ length: 400 }, (_, i) => i % 2);
  const meanOver = (list: readonly number[], name: string): ReturnType<typeof resample>[number] => {
    const [found] = resample(name, list.length, (drawn) => [mean(Array.from(drawn, (i) => list[i] ?? 0))]);
    if (!found) throw new Error('nothing was measured');
    return found;
  };

  test('gives the interval that the theory gives, and the same one each time', () => {
    const { value, low, high } = withInterval(meanOver(values, 'coins'));
    expect(value).toBe(0.5);
    // 400 coins: a standard error of .025, and 1.96 of it to each side.
    expect(Math.abs(low - 0.451)).toBeLessThan(0.008);
    expect(Math.abs(high - 0.549)).toBeLessThan(0.008);
    expect(withInterval(meanOver(values, 'coins'))).toEqual({ value, low, high });
  });

  test('has no width where all queries are alike', () => {
    expect(withInterval(meanOver([3, 3, 3], 'alike'))).toEqual({ value: 3, low: 3, high: 3 });
  });

  test('compares two runs in pairs: a small gain everywhere is no noise', () => {
    const better = values.map((value) => value + 0.01);
    const { value, low, high } = withInterval(minus(meanOver(better, 'coins'), meanOver(values, 'coins')));
    for (const figure of [value, low, high]) expect(figure).toBeCloseTo(0.01, 9);
  });

  test('of a mean over two tasks is narrower than of either', () => {
    const [a, b] = [meanOver(values, 'heads'), meanOver(values, 'tails')];
    const width = (figure: ReturnType<typeof meanOver>): number => {
      const { low, high } = withInterval(figure);
      return high - low;
    };
    expect(meanOf([a, b]).value).toBe(0.5);
    expect(width(meanOf([a, b]))).toBeLessThan(0.85 * width(a));
  });
});

describe('what a service showed', () => {
  const listing = { card_type: 'selling', description: '', geo: null, labels: [] } as const;
  const task: ServiceTask = {
    name: 'boats',
    seeks: ['s', 't'],
    offers: ['a', 'd'],
    queries: [{ id: 's', gains: GAINS }],
  };
  const market: Market = {
    listings: [
      { ...listing, id: 's', headline: 'rowing boat' },
      { ...listing, id: 't', headline: 'canoe' },
      { ...listing, id: 'a', headline: 'sailing boat' },
      { ...listing, id: 'd', headline: 'rowing boat, old', labels: ['oak-wood'], geo: 'Ulm' },
    ],
    tasks: [task],
  };
  const shown = [
    { offer: 'a', seek: 's', score: 0.9 },
    { offer: 'a', seek: 't', score: 0.8 },
  ];

  test('is measured by query and counted by listing, beside BM25 over the same texts', () => {
    const [result] = resultsOf(market, shown);
    expect(result?.service).toEqual({ s: [0.826_235, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5] });
    // BM25 puts the rowing boat first.
    expect(result?.bm25.s?.[MEASURES.indexOf('NDCG@10')]).toBe(0.796_708);
    expect([result?.seeks, result?.offers]).toEqual([
      { s: 1, t: 1 },
      { a: 2, d: 0 },
    ]);
    expect(market.listings.map(textOf).at(-1)).toBe('rowing boat, old\nUlm\noak wood');
  });

  test('is told with all figures, and beside itself shows no difference', () => {
    const results = { half: 'tuning', tasks: resultsOf(market, shown) } as const;
    expect(figuresOf(results).ranking.service.mean?.['recall@10']).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
    expect(figuresOf(results).matches.boats?.['seeks p50']).toEqual({ value: 1, low: 1, high: 1 });
    const beside = figuresOf(results, results);
    expect(beside.ranking.service.boats?.['NDCG@10']).toEqual({ value: 0, low: 0, high: 0 });
  });
});
