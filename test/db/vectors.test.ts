// The index in memory against a plain scan: nothing lost, nothing stale, whatever was set, replaced and deleted before.

import { describe, expect, test } from 'bun:test';
import { type Side, VectorIndex } from '../../db/vectors/vector-index.ts';

const DIMENSIONS = 256;

/** A seeded xorshift, so that a failure can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const randomVector = (random: () => number, dimensions = DIMENSIONS): Int8Array =>
  Int8Array.from({ length: dimensions }, () => (random() % 255) - 127);

function plainCosine(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let aa = 0;
  let bb = 0;
  a.forEach((x, i) => {
    const y = b[i] ?? 0;
    product += x * y;
    aa += x * x;
    bb += y * y;
  });
  return aa > 0 && bb > 0 ? product / Math.sqrt(aa * bb) : 0;
}

interface Kept {
  readonly side: Side;
  readonly vector: Int8Array;
  readonly labels: readonly string[];
}

function plainNearest(kept: ReadonlyMap<string, Kept>, query: Int8Array, side: Side, k: number): number[] {
  return Array.from(kept.values())
    .filter((one) => one.side === side)
    .map(({ vector }) => plainCosine(query, vector))
    .sort((a, b) => b - a)
    .slice(0, k);
}

/** Random changes to an index and, alongside, to a plain map. */
function churn(
  seed: number,
  changes: number,
  dimensions = DIMENSIONS,
): { index: VectorIndex; kept: Map<string, Kept> } {
  const random = seeded(seed);
  const index = new VectorIndex(dimensions);
  const kept = new Map<string, Kept>();
  for (let i = 0; i < changes; i += 1) {
    const id = `listing-${random() % Math.ceil(changes / 2)}`;
    if (random() % 4 === 0) {
      index.delete(id);
      kept.delete(id);
      continue;
    }
    const side: Side = random() % 2 ? 'offer' : 'seek';
    const labels = [`l${random() % 20}`, `l${random() % 20}`];
    const vector = randomVector(random, dimensions);
    index.set(id, vector, { side, agent_id: `agent-${random() % 9}`, labels });
    kept.set(id, { side, vector, labels });
  }
  return { index, kept };
}

describe('the vector index', () => {
  test('finds exactly what a plain scan finds, after any order of changes', () => {
    const { index, kept } = churn(7, 12_000);
    const random = seeded(99);
    expect(index.size).toBe(kept.size);
    for (const side of ['offer', 'seek'] as const) {
      for (let i = 0; i < 5; i += 1) {
        const query = randomVector(random);
        const found = index.nearest(query, side, 20);
        const expected = plainNearest(kept, query, side, 20);
        expect(found.map(({ score }) => score.toFixed(9))).toEqual(expected.map((score) => score.toFixed(9)));
        for (const { id, score } of found) {
          expect(plainCosine(query, kept.get(id)?.vector ?? new Int8Array())).toBeCloseTo(score, 9);
          expect(kept.get(id)?.side).toBe(side);
          expect(index.cosine(query, id)).toBeCloseTo(score, 9);
        }
      }
    }
  });

  test('works for lengths that do not fill a SIMD lane', () => {
    const { index, kept } = churn(3, 400, 37);
    const query = randomVector(seeded(5), 37);
    const expected = plainNearest(kept, query, 'offer', 10);
    expect(index.nearest(query, 'offer', 10).map(({ score }) => score)).toEqual(
      expected.map((score) => expect.closeTo(score, 9)),
    );
  });

  test('survives the extreme bytes', () => {
    const index = new VectorIndex(DIMENSIONS);
    const low = new Int8Array(DIMENSIONS).fill(-128);
    const high = new Int8Array(DIMENSIONS).fill(127);
    index.set('low', low, { side: 'offer', agent_id: 'a', labels: [] });
    index.set('high', high, { side: 'offer', agent_id: 'a', labels: [] });
    const found = index.nearest(low, 'offer', 2);
    expect(found.map(({ id }) => id)).toEqual(['low', 'high']);
    expect(found.map(({ score }) => score)).toEqual([expect.closeTo(1, 9), expect.closeTo(-1, 9)]);
  });

  test('gives a vector of zeros no nearness, and refuses other lengths', () => {
    const index = new VectorIndex(DIMENSIONS);
    index.set('empty', new Int8Array(DIMENSIONS), { side: 'seek', agent_id: 'a', labels: [] });
    expect(index.nearest(new Int8Array(DIMENSIONS).fill(1), 'seek', 3)).toEqual([{ id: 'empty', score: 0 }]);
    expect(index.nearest(new Int8Array(DIMENSIONS).fill(1), 'offer', 3)).toEqual([]);
    expect(() => index.nearest(new Int8Array(8), 'seek', 3)).toThrow('8 dimensions');
    expect(() => index.set('short', new Int8Array(8), { side: 'seek', agent_id: 'a', labels: [] })).toThrow();
    expect(index.size).toBe(1);
  });

  test("leaves out one agent's own listings without shortening the list", () => {
    const { index } = churn(11, 2_000);
    const found = index.nearest(randomVector(seeded(1)), 'offer', 50, 'agent-3');
    const all = index.nearest(randomVector(seeded(1)), 'offer', 2_000);
    expect(found).toHaveLength(50);
    expect(all.length).toBeGreaterThan(found.length);
  });

  test('moves a listing that changes sides', () => {
    const index = new VectorIndex(DIMENSIONS);
    const vector = randomVector(seeded(2));
    index.set('x', vector, { side: 'offer', agent_id: 'a', labels: ['one'] });
    index.set('x', vector, { side: 'seek', agent_id: 'a', labels: ['two'] });
    expect(index.nearest(vector, 'offer', 1)).toEqual([]);
    expect(index.nearest(vector, 'seek', 1)).toHaveLength(1);
    expect(index.byLabels(['one'], 'offer', 5)).toEqual([]);
    expect(index.byLabels(['one', 'two'], 'seek', 5)).toEqual(['x']);
  });

  test('finds all that share a label, the most and rarest shared first', () => {
    const { index, kept } = churn(21, 3_000);
    const wanted = ['l1', 'l2'];
    const expected = [...kept].filter(([, k]) => k.side === 'seek' && k.labels.some((l) => wanted.includes(l)));
    const found = index.byLabels(wanted, 'seek', 10_000);
    expect(found.toSorted()).toEqual(expected.map(([id]) => id).toSorted());
    const both = expected.filter(([, k]) => wanted.every((l) => k.labels.includes(l)));
    expect(found.slice(0, both.length).toSorted()).toEqual(both.map(([id]) => id).toSorted());
  });

  test('fills its lists of labels anew when labels change', () => {
    const index = new VectorIndex(DIMENSIONS);
    const vector = randomVector(seeded(4));
    index.set('x', vector, { side: 'offer', agent_id: 'a', labels: ['old', 'kept'] });
    index.set('x', vector, { side: 'offer', agent_id: 'a', labels: ['new', 'kept'] });
    expect(index.byLabels(['old'], 'offer', 5)).toEqual([]);
    expect(index.byLabels(['new'], 'offer', 5)).toEqual(['x']);
    expect(index.byLabels(['kept'], 'offer', 5)).toEqual(['x']);
  });
});
