// The bands of a track record.
import { expect, test } from 'bun:test';
import { countByBand } from '../../../src/domain/agent/track-record.ts';

const counts = (amounts: number[]): number[] => countByBand(amounts).map(({ count }) => count);

test('every band appears, also when nothing is in it', () => {
  expect(countByBand([])).toEqual(
    ['<10', '10-50', '50-250', '250-1k', '1k-5k', '5k+'].map((band) => ({ band, count: 0 })),
  );
});

test('an amount is in the band that it begins', () => {
  expect(counts([0, 999])).toEqual([2, 0, 0, 0, 0, 0]);
  expect(counts([1_000, 4_999])).toEqual([0, 2, 0, 0, 0, 0]);
  expect(counts([5_000, 25_000, 100_000, 500_000])).toEqual([0, 0, 1, 1, 1, 1]);
  expect(counts([1_000_000_000_000])).toEqual([0, 0, 0, 0, 0, 1]);
});
