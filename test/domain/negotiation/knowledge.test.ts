// How well what an agent knows answers a question: by telling words, and by meaning where two vectors compare.
import { expect, test } from 'bun:test';
import {
  answerScore,
  knowledgeFull,
  storedCosine,
  vectorBytes,
  type Worded,
  wordShares,
} from '../../../src/domain/negotiation/knowledge.ts';

const worded = (hits: Record<string, number>, length = 10): Worded => ({ hits: new Map(Object.entries(hits)), length });
const asked = (...words: string[]): ReadonlySet<string> => new Set(words);

test('a rare word answers more than a common one', () => {
  const [rare = 0, common = 0, other = 1] = wordShares(asked('rope', 'refund'), [
    worded({ refund: 1 }),
    worded({ rope: 1 }),
    worded({}),
    worded({ rope: 1 }),
  ]);
  expect(rare).toBeGreaterThan(common);
  expect(common).toBeGreaterThan(0);
  expect(other).toBe(0);
});

test('all words of a question answer more than one of them said often', () => {
  const [both = 0, one = 0] = wordShares(asked('rope', 'refund'), [
    worded({ rope: 1, refund: 1 }),
    worded({ rope: 9 }),
  ]);
  expect(both).toBeGreaterThan(one);
});

test('what no entry says takes no more from an answer than what one says, however little is known', () => {
  const [known = 0] = wordShares(asked('draft'), [worded({ draft: 1 })]);
  const [half = 0] = wordShares(asked('draft', 'soon'), [worded({ draft: 1 })]);
  expect(half).toBeCloseTo(known / 2, 6);
});

test('of two that say a word as often the shorter one answers more', () => {
  const [short = 0, long = 0] = wordShares(asked('rope'), [worded({ rope: 1 }, 5), worded({ rope: 1 }, 500)]);
  expect(short).toBeGreaterThan(long);
});

test('a share is never above 1, nor of nothing anything', () => {
  const [all = 2] = wordShares(asked('rope'), [worded({ rope: 1_000 }, 1)]);
  expect(all).toBeLessThanOrEqual(1);
  expect(wordShares(asked(), [worded({})])).toEqual([0]);
  expect(wordShares(asked('rope'), [])).toEqual([]);
});

test('stored vectors are of length 1, and their product is the cosine', () => {
  const [east, north, both] = [
    [127, 0],
    [0, 9],
    [5, 5],
  ].map((values) => vectorBytes(Int8Array.from(values)));
  if (!east || !north || !both) throw new Error('three vectors were made');
  expect(east.byteLength).toBe(8);
  expect(storedCosine(east, east)).toBeCloseTo(1, 6);
  expect(storedCosine(east, north)).toBe(0);
  expect(storedCosine(east, both)).toBeCloseTo(Math.SQRT1_2, 6);
  expect(storedCosine(vectorBytes(new Int8Array(2)), east)).toBe(0);
  expect(storedCosine(vectorBytes(new Int8Array(3)), east)).toBeNull();
});

test('a stored vector is read wherever its bytes begin', () => {
  const bytes = vectorBytes(Int8Array.of(1, 2, 2));
  const moved = new Uint8Array(bytes.byteLength + 3);
  moved.set(bytes, 3);
  expect(storedCosine(moved.subarray(3), bytes)).toBeCloseTo(1, 6);
});

test.each<[words: number, cosine: number | null, score: number]>([
  [0, null, 0],
  [0, 0.2, 0],
  [0, 1, 0.7],
  [0.5, null, 0.5],
  [0.5, 0.1, 0.5],
  [0.5, 0.6, 0.675],
  [1, 0.1, 1],
])('words %p with a cosine of %p answer %p', (words, cosine, score) => {
  expect(answerScore(words, cosine, 0.2)).toBeCloseTo(score, 4);
});

test('a refusal names the limit', () => {
  expect(knowledgeFull('entries').message).toContain('200');
  expect(knowledgeFull('characters').message).toContain('1,000,000');
});
