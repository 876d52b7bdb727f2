// Guarantees of bands: each deal falls into one, ends exclusive, and every band is shown.
import { expect, test } from 'bun:test';
import { addToBands, countByBand } from '../../../src/domain/agent/track-record.ts';

const counts = (amounts: readonly number[]): number[] =>
  countByBand(amounts.reduce<readonly number[]>((bands, cents) => addToBands(bands, cents), [])).map(
    ({ count }) => count,
  );

test('every band is there, in order, without a deal too', () => {
  expect(countByBand([])).toEqual(
    ['<10', '10-50', '50-250', '250-1k', '1k-5k', '5k+'].map((band) => ({ band, count: 0 })),
  );
});

test.each<[cents: number[], expected: number[]]>([
  [
    [1, 999],
    [2, 0, 0, 0, 0, 0],
  ],
  [
    [1_000, 4_999],
    [0, 2, 0, 0, 0, 0],
  ],
  [
    [5_000, 24_999],
    [0, 0, 2, 0, 0, 0],
  ],
  [
    [25_000, 99_999],
    [0, 0, 0, 2, 0, 0],
  ],
  [
    [100_000, 499_999],
    [0, 0, 0, 0, 2, 0],
  ],
  [
    [500_000, 10_000_000_000],
    [0, 0, 0, 0, 0, 2],
  ],
  [
    [1, 1_000, 5_000, 25_000, 100_000, 500_000],
    [1, 1, 1, 1, 1, 1],
  ],
])('%p', (cents, expected) => {
  expect(counts(cents)).toEqual(expected);
});
