// The index in memory against plain arithmetic over all pairs: nothing lost, nothing stale, whatever was set, replaced and
// deleted before.

import { describe, expect, test } from 'bun:test';
import { LOOK_MAX, OWN_LOOK, type Wanted } from '../../db/vectors/look.ts';
import { StemPostings } from '../../db/vectors/stems.ts';
import { type Side, VectorIndex } from '../../db/vectors/vector-index.ts';
import { Vocabulary } from '../../db/vectors/vocabulary.ts';
import { embeddingText } from '../../src/domain/listing/listing.ts';
import { labelCloseness, relevanceOf, textCloseness } from '../../src/domain/match/match.ts';
import { codeOf, packSignature, WEIGHTS } from '../../src/domain/text/signature.ts';
import { signatureOf } from '../../src/outbound/embedder/signature.ts';
import { listings, vectorOf } from '../bench/listings.ts';
import { members } from '../bench/population.ts';

const DIMENSIONS = 256;
const FLOOR = 0.25;
const NOW_MS = 1_000;

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

/** Words by hash with their codes; low ones are common. */
type Words = ReadonlyMap<number, number>;

function randomWords(random: () => number): Words {
  const hashes = Array.from({ length: random() % 12 }, () => Math.floor(300 * ((random() % 1000) / 1000) ** 3) * 7_919);
  return new Map(hashes.sort((a, b) => a - b).map((hash) => [hash, codeOf(0.1 + (random() % 100) / 50)]));
}

const pack = (words: Words): Uint8Array =>
  packSignature({ hashes: Uint32Array.from(words.keys()), codes: Uint8Array.from(words.values()) });

function plainCosine(a: Int8Array, b: Int8Array): number {
  let [product, aa, bb] = [0, 0, 0];
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
  readonly agent_id: string;
  readonly card_type: string | null;
  readonly vector: Int8Array;
  readonly labels: readonly string[];
  /** Null as in a row of an older version. */
  readonly words: Words | null;
}

type Network = ReadonlyMap<string, Kept>;

/** Closeness in words of all pairs, counted anew from all that is kept. */
function plainWording(kept: Network): (a: Words | null, b: Words | null) => number {
  const carrying = new Map<number, number>();
  let texts = 0;
  for (const { words } of kept.values()) {
    if (!words || words.size === 0) continue;
    texts += 1;
    for (const hash of words.keys()) carrying.set(hash, (carrying.get(hash) ?? 0) + 1);
  }
  const weight = (words: Words, hash: number): number => {
    const code = words.get(hash);
    return code === undefined ? 0 : (WEIGHTS[code] ?? 0) * Math.log((texts + 1) / ((carrying.get(hash) ?? 0) + 0.5));
  };
  const length = (words: Words): number => Math.hypot(...Array.from(words.keys(), (hash) => weight(words, hash)));
  return (a, b) => {
    if (!a || !b) return 0;
    const shared = Array.from(a.keys()).reduce((sum, hash) => sum + weight(a, hash) * weight(b, hash), 0);
    return shared > 0 ? shared / (length(a) * length(b)) : 0;
  };
}

// A floor below nothing, so that no two random listings are equally relevant.
const relevance = (telling: number, cosine: number, wording: number): number =>
  relevanceOf(labelCloseness(telling), textCloseness(-0.5, cosine, wording));

/** The relevance of one listing to all of a side that it may meet, best first, by plain arithmetic. */
function plainRanking(kept: Network, own: Kept, side: Side, card_type: string): [string, number][] {
  const wording = plainWording(kept);
  return [...kept]
    .filter(([, one]) => one.side === side && one.agent_id !== own.agent_id)
    .filter(([, one]) => one.card_type === null || one.card_type === card_type)
    .map(([id, one]): [string, number] => {
      const telling = new Set(one.labels).intersection(new Set(own.labels)).size;
      return [id, relevance(telling, plainCosine(own.vector, one.vector), wording(own.words, one.words))];
    })
    .filter(([, value]) => value >= FLOOR)
    .sort((a, b) => b[1] - a[1]);
}

const around = (own: Kept) => ({
  vector: own.vector,
  terms: own.words && pack(own.words),
  labels: new Map(own.labels.map((label) => [label, 1])),
});

const put = (index: VectorIndex, id: string, { vector, words, ...one }: Kept): void =>
  index.set(id, vector, { ...one, terms: words && pack(words) });

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
    const one: Kept = {
      side: random() % 2 ? 'offer' : 'seek',
      agent_id: `agent-${random() % 9}`,
      card_type: ['selling', 'hiring', null][random() % 3] ?? null,
      labels: [`l${random() % 20}`, `l${random() % 20}`],
      vector: randomVector(random, dimensions),
      words: random() % 10 === 0 ? null : randomWords(random),
    };
    put(index, id, one);
    kept.set(id, one);
    // Looks in between must not leave anything behind.
    if (i % 500 === 0) lookAround(index, one, 'offer');
  }
  return { index, kept };
}

function lookAround(index: VectorIndex, own: Kept, side: Side, card_type = 'selling', from: Partial<Wanted> = {}) {
  const wanted = { card_type, exceptAgent: own.agent_id, floor: FLOOR, now_ms: NOW_MS, ...from };
  return index.look(around(own), [side], wanted, relevance);
}

const anybody = (random: () => number): Kept => ({
  side: 'seek',
  agent_id: 'agent-3',
  card_type: 'buying',
  labels: ['l1', 'l2'],
  vector: randomVector(random),
  words: randomWords(random),
});

/** A network of texts as people write them. */
function trades(count: number): { index: VectorIndex; kept: Map<string, Kept> } {
  const made = listings(members(50), 9);
  const index = new VectorIndex(DIMENSIONS);
  const kept = new Map<string, Kept>();
  for (let n = 0; n < count; n += 1) {
    const row = made.next().value;
    const { hashes, codes } = signatureOf(embeddingText(row));
    const words = new Map(Array.from(hashes, (hash, i) => [hash, codes[i] ?? 0]));
    const { direction: side, agent_id, card_type, labels } = row;
    const one: Kept = { side, agent_id, card_type, labels, vector: vectorOf(row), words };
    put(index, row.id, one);
    kept.set(row.id, one);
  }
  return { index, kept };
}

describe('the index of vectors, words and labels', () => {
  test('compares exactly as plain arithmetic does, after any order of changes', () => {
    const { index, kept } = churn(7, 6_000);
    const random = seeded(99);
    expect(index.size).toBe(kept.size);
    const wording = plainWording(kept);
    for (let i = 0; i < 5; i += 1) {
      const own = anybody(random);
      const compared = index.compare(around(own), kept.keys());
      expect(compared).toHaveLength(kept.size);
      for (const one of compared) {
        const { vector, words } = kept.get(one.id) ?? own;
        expect(one.cosine).toBeCloseTo(plainCosine(own.vector, vector), 9);
        expect(one.wording).toBeCloseTo(wording(own.words, words), 9);
        expect(index.cosine(own.vector, one.id)).toBe(one.cosine);
      }
    }
  });

  test('works for lengths that do not fill a SIMD lane', () => {
    const { index, kept } = churn(3, 400, 37);
    const query = randomVector(seeded(5), 37);
    for (const [id, { vector }] of kept) expect(index.cosine(query, id)).toBeCloseTo(plainCosine(query, vector), 9);
  });

  test('is the same to the last bit whichever of a pair asks', () => {
    const { index, kept } = trades(300);
    const all = [...kept];
    for (const [id, one] of all.slice(0, 40)) {
      for (const { id: other, cosine, wording } of index.compare(around(one), kept.keys())) {
        const [back] = index.compare(around(kept.get(other) ?? one), [id]);
        expect([back?.cosine, back?.wording]).toEqual([cosine, wording]);
      }
    }
  });

  test('finds the best of random listings, as a comparison of all pairs does', () => {
    const { index, kept } = churn(13, 6_000);
    const random = seeded(4);
    for (const side of ['offer', 'seek'] as const) {
      for (let i = 0; i < 5; i += 1) {
        const own = anybody(random);
        const best = plainRanking(kept, own, side, 'selling').slice(0, 30);
        expect(best).toHaveLength(30);
        const found = new Set(lookAround(index, own, side).near.map(({ id }) => id));
        expect(best.filter(([id]) => !found.has(id))).toEqual([]);
      }
    }
  });

  test('finds the best of texts as people write them, as a comparison of all pairs does', () => {
    const { index, kept } = trades(3_000);
    for (const [, own] of [...kept].slice(0, 20)) {
      const [side, card_type] = own.side === 'offer' ? (['seek', 'buying'] as const) : (['offer', 'selling'] as const);
      const best = plainRanking(kept, own, side, card_type).slice(0, 30);
      expect(best).toHaveLength(30);
      const found = new Set(lookAround(index, own, side, card_type).near.map(({ id }) => id));
      expect(best.filter(([id]) => !found.has(id))).toEqual([]);
    }
  });

  test('finds who shares words alone, far in meaning and without a label in common', () => {
    const index = new VectorIndex(DIMENSIONS);
    const random = seeded(8);
    for (let n = 0; n < 50; n += 1)
      put(index, `other-${n}`, { ...anybody(random), side: 'offer', agent_id: 'b', card_type: 'selling', labels: [] });
    const words = new Map([
      [12_345_678, codeOf(1)],
      [23_456_789, codeOf(1)],
    ]);
    const far = { ...anybody(random), labels: [], words };
    put(index, 'named', { ...far, side: 'offer', agent_id: 'b', card_type: 'selling', vector: randomVector(random) });
    expect(lookAround(index, far, 'offer').near[0]).toMatchObject({ id: 'named', wording: expect.closeTo(1, 9) });
  });

  test('gives each relevant listing once over all looks, and none less relevant than what it says is left', () => {
    const { index, kept } = churn(31, 12_000);
    const own = anybody(seeded(6));
    const expected = plainRanking(kept, own, 'offer', 'selling');
    expect(expected.length).toBeGreaterThan(OWN_LOOK);
    for (const id of kept.keys()) index.setThreshold(id, 1, NOW_MS + 1);
    const given: string[] = [];
    for (let from: Partial<Wanted> = {}; ; ) {
      const { near, below: next } = lookAround(index, own, 'offer', 'selling', from);
      given.push(...near.map(({ id }) => id));
      const left = expected.filter(([id]) => !given.includes(id));
      if (next === null) {
        expect(left).toEqual([]);
        break;
      }
      expect(left[0]?.[1] ?? 0).toBeLessThanOrEqual(next);
      from = { below: next };
    }
    expect(given.toSorted()).toEqual(expected.map(([id]) => id).toSorted());
  });

  test('gives below the best those alone whose threshold a pair may beat, each once', () => {
    const { index, kept } = churn(37, 12_000);
    const own = anybody(seeded(6));
    const ranking = plainRanking(kept, own, 'offer', 'selling');
    for (const id of kept.keys()) index.setThreshold(id, 1, NOW_MS + 1);
    const low = ranking.slice(OWN_LOOK + 20).filter((_, n) => n % 3 === 0);
    for (const [id, value] of low) index.setThreshold(id, value - 0.01, NOW_MS + 1);
    const first = lookAround(index, own, 'offer');
    const found = new Set(first.near.map(({ id }) => id));
    expect(low.slice(0, LOOK_MAX - OWN_LOOK).filter(([id]) => !found.has(id))).toEqual([]);
    const high = ranking.slice(OWN_LOOK + 20).filter(([id]) => !low.some(([other]) => other === id));
    expect(high.filter(([id]) => found.has(id))).toEqual([]);
    // What was given has a higher threshold by now, and gives way to those that were not.
    for (const id of found) index.setThreshold(id, 1, NOW_MS + 1);
    for (let { offered } = first; offered !== null; ) {
      const next = lookAround(index, own, 'offer', 'selling', { offered });
      expect(next.near.filter(({ id }) => found.has(id))).toEqual([]);
      for (const { id } of next.near) found.add(id);
      offered = next.offered;
    }
    expect(low.filter(([id]) => !found.has(id))).toEqual([]);
    expect(high.filter(([id]) => found.has(id))).toEqual([]);
  });

  test('believes a threshold no longer than it was said to hold', () => {
    const { index, kept } = churn(37, 12_000);
    const own = anybody(seeded(6));
    for (const id of kept.keys()) index.setThreshold(id, 1, NOW_MS);
    expect(lookAround(index, own, 'offer').near).toHaveLength(LOOK_MAX);
    for (const id of kept.keys()) index.setThreshold(id, 1, NOW_MS + 1);
    expect(lookAround(index, own, 'offer').near).toHaveLength(OWN_LOOK);
  });

  test('gives at once all that is relevant enough, to who looks on for that', () => {
    const { index, kept } = churn(31, 12_000);
    const own = anybody(seeded(6));
    const ranking = plainRanking(kept, own, 'offer', 'selling');
    const first = lookAround(index, own, 'offer');
    const least = ranking[OWN_LOOK + 200]?.[1] ?? 0;
    const next = lookAround(index, own, 'offer', 'selling', { below: first.below ?? 0, least });
    const found = new Set([...first.near, ...next.near].map(({ id }) => id));
    expect(ranking.slice(0, OWN_LOOK + 200).filter(([id]) => !found.has(id))).toEqual([]);
    expect(next.near.length).toBeLessThan(OWN_LOOK);
    expect(next.below).toBeLessThanOrEqual(least);
  });

  test('looks on around one and the same object among what is there by then', () => {
    const { index, kept } = churn(31, 12_000);
    const one = around(anybody(seeded(6)));
    const wanted = { card_type: 'selling', exceptAgent: 'nobody', floor: FLOOR, now_ms: NOW_MS };
    const seen = (asked: typeof one): string[] =>
      index.look(asked, ['offer'], { ...wanted, below: 2, least: FLOOR }, relevance).near.map(({ id }) => id);
    expect(seen(one)).toHaveLength(LOOK_MAX);
    [...kept.keys()].forEach((id, n) => {
      if (n % 10 > 0) index.delete(id);
    });
    const left = seen(one);
    expect(left.length).toBeGreaterThan(0);
    index.delete(left[0] ?? '');
    expect(seen(one)).toEqual(left.slice(1));
    put(index, 'new', { ...anybody(seeded(6)), side: 'offer', card_type: 'selling' });
    expect(seen(one)).toEqual(seen({ ...one }));
  });

  test('keeps the threshold of each listing, whichever others go and whatever becomes of its own text', () => {
    const { index, kept } = churn(41, 2_000);
    const thresholds = new Map(Array.from(kept.keys(), (id, n) => [id, n / kept.size]));
    for (const [id, threshold] of thresholds) index.setThreshold(id, threshold, NOW_MS + 1);
    const random = seeded(7);
    for (const [id, one] of kept) {
      if (random() % 2) put(index, id, { ...one, card_type: 'partnering', words: randomWords(random) });
      else {
        index.delete(id);
        thresholds.delete(id);
      }
    }
    for (const [id, threshold] of thresholds) expect([id, index.thresholdOf(id, NOW_MS)]).toEqual([id, threshold]);
    const own = anybody(random);
    for (const side of ['offer', 'seek'] as const) {
      const found = lookAround(index, own, side, 'partnering').near.map(({ id }) => id);
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((id) => !thresholds.has(id))).toEqual([]);
    }
  });

  test('ends a look that many equal listings would fill, and goes on where it ended', () => {
    const index = new VectorIndex(DIMENSIONS);
    const same = { ...anybody(seeded(3)), side: 'offer', agent_id: 'b', card_type: 'selling' } as const;
    for (let n = 0; n < 3_000; n += 1) put(index, `same-${n}`, same);
    const own = { ...same, side: 'seek', agent_id: 'a' } as const;
    const first = lookAround(index, own, 'offer');
    expect(first.near).toHaveLength(LOOK_MAX);
    const next = lookAround(index, own, 'offer', 'selling', { offered: first.offered ?? 0 });
    expect(next.near).toHaveLength(LOOK_MAX);
    expect(new Set([...first.near, ...next.near].map(({ id }) => id)).size).toBe(2 * LOOK_MAX);
  });

  test("lets neither an agent's own nor types that never pair use up a look", () => {
    const index = new VectorIndex(DIMENSIONS);
    const own = { ...anybody(seeded(3)), agent_id: 'a' };
    const twin = { ...own, side: 'offer', card_type: 'selling' } as const;
    for (let n = 0; n < 1_500; n += 1) {
      put(index, `mine-${n}`, twin);
      put(index, `raise-${n}`, { ...twin, agent_id: 'b', card_type: 'fundraising' });
    }
    put(index, 'theirs', { ...twin, agent_id: 'b' });
    put(index, 'older', { ...twin, agent_id: 'b', card_type: null, words: null });
    const { near, below } = lookAround(index, own, 'offer');
    expect([near.map(({ id }) => id).toSorted(), below]).toEqual([['older', 'theirs'], null]);
  });

  test('moves a listing that changes sides, and takes no labels or words along', () => {
    const index = new VectorIndex(DIMENSIONS);
    const before: Kept = { ...anybody(seeded(2)), side: 'offer', card_type: 'selling', agent_id: 'b', labels: ['one'] };
    const own = { ...before, agent_id: 'a' };
    put(index, 'x', before);
    put(index, 'x', { ...before, side: 'seek', labels: ['two'], words: new Map([[5, 100]]) });
    expect(lookAround(index, own, 'offer').near).toEqual([]);
    expect(lookAround(index, own, 'seek').near).toMatchObject([{ id: 'x', cosine: expect.closeTo(1, 9), wording: 0 }]);
    expect([...index.agentsWith(['one'])]).toEqual([]);
    expect([...index.agentsWith(['two'])]).toEqual(['b']);
  });

  test('survives the extreme bytes, gives zeros no nearness, and refuses other lengths', () => {
    const index = new VectorIndex(DIMENSIONS);
    const one = { ...anybody(seeded(2)), words: null, labels: [] };
    const low = new Int8Array(DIMENSIONS).fill(-128);
    put(index, 'low', { ...one, vector: low });
    put(index, 'high', { ...one, vector: new Int8Array(DIMENSIONS).fill(127) });
    put(index, 'empty', { ...one, vector: new Int8Array(DIMENSIONS) });
    const cosines = index
      .compare(around({ ...one, vector: low }), ['low', 'high', 'empty'])
      .map(({ cosine }) => cosine);
    expect(cosines).toEqual([expect.closeTo(1, 9), expect.closeTo(-1, 9), 0]);
    expect(() => lookAround(index, { ...one, vector: new Int8Array(8) }, 'seek')).toThrow('8 dimensions');
    expect(() => put(index, 'short', { ...one, vector: new Int8Array(8) })).toThrow();
    expect(index.size).toBe(3);
  });

  test('leaves the lists of labels alone where a listing keeps its labels', () => {
    const index = new VectorIndex(DIMENSIONS);
    const random = seeded(3);
    const agents = ['a', 'b', 'c', 'd'];
    const label = 'label';
    const set = (agent_id: string, labels: readonly string[]): void =>
      put(index, agent_id, { ...anybody(random), side: 'offer', agent_id, labels });
    for (const agent of agents) set(agent, [label, 'other']);
    for (const agent of agents) set(agent, [label, 'other', label]);
    expect([...index.agentsWith([label])]).toEqual(agents);
    set('b', ['other', label]);
    set('c', ['other']);
    expect([...index.agentsWith([label])].sort()).toEqual(['a', 'b', 'd']);
  });

  test('knows in how many listings of a type each word stands, counted anew', () => {
    const { index, kept } = churn(17, 3_000);
    for (const type of ['selling', 'hiring']) {
      const texts = [...kept.values()].filter(({ card_type, words }) => card_type === type && words && words.size > 0);
      expect(index.listingsOf(type)).toBe(texts.length);
      const shares = new Map<number, number>();
      for (const { words } of texts) {
        for (const hash of words?.keys() ?? []) shares.set(hash, (shares.get(hash) ?? 0) + 1);
      }
      const all = new Map(Array.from(shares, ([hash, carrying]) => [hash, carrying / texts.length]));
      expect(new Map(index.commonWords(type, 0))).toEqual(all);
      const common = [...shares].filter(([, carrying]) => carrying / texts.length >= 0.1).map(([hash]) => hash);
      expect(common.length).toBeGreaterThan(0);
      expect(Array.from(index.commonWords(type, 0.1).keys()).toSorted()).toEqual(common.toSorted());
    }
  });
});

describe('the lists of words', () => {
  test('take no more room the longer strangers come and go with words that nobody else uses', () => {
    const vocabulary = new Vocabulary();
    const stems = new StemPostings(vocabulary);
    const random = seeded(5);
    const words = (): Uint8Array =>
      packSignature({
        hashes: Uint32Array.from({ length: 64 }, () => random()).sort(),
        codes: new Uint8Array(64).fill(120),
      });
    const live = 50;
    let most = 0;
    for (let n = 0; n < 20 * live; n += 1) {
      if (n >= live) stems.remove(n % live, 'selling');
      stems.add(n % live, words(), 'selling');
      if (n === 2 * live) most = stems.room;
    }
    expect(vocabulary.size).toBeLessThanOrEqual(64 * live);
    expect(vocabulary.end).toBeLessThanOrEqual(64 * live);
    expect(stems.room).toBe(most);
    for (let row = 0; row < live; row += 1) stems.remove(row, 'selling');
    expect([vocabulary.size, vocabulary.listings]).toEqual([0, 0]);
  });
});
