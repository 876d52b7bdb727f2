// Guarantees of template words: how much a word weighs follows from its share alone, in steps, and only where enough
// listings stand.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  changedWords,
  TEMPLATE_LISTINGS_MIN,
  TEMPLATE_SHARE_MIN,
  templateShares,
  wordWeights,
} from '../../../src/domain/listing/template-words.ts';

test('a share counts as the nearest step of five of a hundred, and below the first it counts nothing', () => {
  const shares = [0.1, 0.3, 0.3249, 0.325, 0.37, 0.38, 0.6, 0.99, 1];
  const common = shares.map((share, hash): [number, number] => [hash, share]);
  expect(templateShares(100, common)).toEqual({ 3: 35, 4: 35, 5: 40, 6: 60, 7: 100, 8: 100 });
  expect(TEMPLATE_SHARE_MIN).toBeCloseTo(0.325, 10);
});

test('a word weighs the square of how far its share is above three tenths', () => {
  const weights = wordWeights({ 7: 35, 8: 60, 4294967295: 100 });
  expect(weights.get(7)).toBeCloseTo((0.3 / 0.35) ** 2, 10);
  expect(weights.get(8)).toBeCloseTo(0.25, 10);
  expect(weights.get(0xffff_ffff)).toBeCloseTo(0.09, 10);
  expect(weights.get(9)).toBeUndefined();
});

test('with few listings nothing weighs less', () => {
  expect(templateShares(TEMPLATE_LISTINGS_MIN - 1, [[1, 1]])).toEqual({});
  expect(templateShares(TEMPLATE_LISTINGS_MIN, [[1, 1]])).toEqual({ 1: 100 });
});

test('words that came, went or moved by a step are those that changed', () => {
  expect(changedWords({ 1: 35, 2: 40, 3: 50 }, { 1: 35, 2: 45, 4: 60 })).toEqual(new Set([2, 3, 4]));
  expect(changedWords({ 1: 35 }, { 1: 35 }).size).toBe(0);
});

test('the order in which words were counted changes nothing, and every weight is above 0 and below 1', () => {
  const common = fc.uniqueArray(fc.tuple(fc.nat(0xffff_ffff), fc.double({ min: 0, max: 1, noNaN: true })), {
    selector: ([hash]) => hash,
  });
  fc.assert(
    fc.property(common, (words) => {
      const shares = templateShares(60, words);
      expect(changedWords(shares, templateShares(60, words.toReversed())).size).toBe(0);
      for (const weight of wordWeights(shares).values()) expect(weight).toBeWithin(0.08, 1);
    }),
  );
});
