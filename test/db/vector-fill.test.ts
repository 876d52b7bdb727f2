// The index in memory is filled while the service already answers: nobody may see that it is not whole yet, and what is
// written meanwhile must stand.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Effect } from '../../db/effects.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import { loadVec } from '../../db/sqlite/vec.ts';
import type { Store } from '../../db/store.ts';
import { packSignature } from '../../src/domain/text/signature.ts';
import { embedding } from '../support/embedding.ts';
import { until } from '../support/until.ts';

const LISTINGS = 1_700;
const sealer = { seal: (text: string) => text, open: (text: string) => text };
let data_dir: string;

const open = (): Store => openSqliteStore({ data_dir, sealer, dimensions: 256, model: 'm', now_ms: 1 });
const idOf = (n: number): string => `listing-${n}`;
const terms = packSignature({ hashes: Uint32Array.of(7, 9), codes: Uint8Array.of(100, 140) });
const vectorOf = (n: number): Int8Array => new Int8Array(256).map((_, i) => ((n * 31 + i * 7) % 251) - 125);
const embed = (n: number, vector: Int8Array | null, labels = ['rope']): Effect =>
  embedding(idOf(n), vector, { labels, terms });
const commit = (store: Store, ...effects: Effect[]): Promise<unknown> =>
  store.turn({ attempt: async () => ({ reply: null, effects }) });

beforeEach(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-fill-'));
  const store = open();
  await commit(store, ...Array.from({ length: LISTINGS }, (_, n) => embed(n, vectorOf(n))));
  await store.close();
});

afterEach(() => rmSync(data_dir, { recursive: true }));

test('who asks at once finds the last listing as well as the first', async () => {
  const store = open();
  for (const n of [LISTINGS - 1, 0, 777]) {
    expect(store.vectors.cosine(vectorOf(n), idOf(n))).toBeCloseTo(1);
  }
  expect(store.vectors.size).toBe(LISTINGS);
  expect(store.vectors.commonWords('selling', 1)).toEqual(
    new Map([
      [7, 1],
      [9, 1],
    ]),
  );
  const [one] = store.vectors.compare({ vector: null, terms, labels: new Map() }, [idOf(777)]);
  expect(one?.wording).toBeCloseTo(1, 9);
  await store.close();
});

test('is known to be filling until it is whole', async () => {
  const store = open();
  expect(store.vectors.filling).toBe(true);
  await until(() => !store.vectors.filling);
  expect(store.vectors.size).toBe(LISTINGS);
  await store.close();
});

test('an index in the file that differs from the rows is mended, and turns go on between its slices', async () => {
  {
    using db = new Database(join(data_dir, DATABASE_FILE));
    loadVec(db, data_dir);
    db.run("DELETE FROM listing_index WHERE listing_id NOT LIKE '%7'");
    db.run("UPDATE listing_vectors SET id = 'strange' WHERE id = 'listing-7'");
  }
  const store = open();
  const strange = async () => (await store.checkRows(1)).problems.filter(({ subject }) => subject === 'index');
  const problems = await strange();
  expect(problems.length).toBe(2);
  let turns = 0;
  const mended: string[] = [];
  const mending = store.mend(problems).then((did) => mended.push(...did));
  for (; mended.length === 0; turns++) await commit(store, embed(LISTINGS, vectorOf(6)));
  await mending;
  const lacking = LISTINGS - LISTINGS / 10 + 1;
  expect(mended).toEqual([`the index of vectors: 1 taken out, ${lacking} put in`]);
  expect(turns).toBeGreaterThan(4);
  expect(await strange()).toEqual([]);
  await store.close();
});

test('what is written before the index is whole stands when it is', async () => {
  const store = open();
  const [replaced, removed, added] = [LISTINGS - 2, LISTINGS - 1, LISTINGS];
  const written = commit(
    store,
    embed(replaced, vectorOf(5), ['knot']),
    embed(removed, null),
    embed(added, vectorOf(6)),
  );
  // The turn is applied and not yet committed, and the slices in between must not see it.
  await written;
  expect(store.vectors.cosine(vectorOf(5), idOf(replaced))).toBeCloseTo(1);
  expect(store.vectors.cosine(vectorOf(6), idOf(removed))).toBeNull();
  expect(store.vectors.cosine(vectorOf(6), idOf(added))).toBeCloseTo(1);
  const labelled = { vector: null, terms: null, labels: new Map([['knot', 1]]) };
  const wanted = { card_type: 'selling', exceptAgent: 'b', floor: 1, now_ms: 0 };
  const { near } = store.vectors.look(labelled, ['offer'], wanted, (telling) => telling);
  expect(near.map(({ id }) => id)).toEqual([idOf(replaced)]);
  expect(store.vectors.size).toBe(LISTINGS);
  await store.close();
});

test('a store that is closed before it is whole opens again with everything', async () => {
  await open().close();
  const store = open();
  while (store.vectors.size < LISTINGS) await new Promise((resolve) => setImmediate(resolve));
  expect(store.vectors.size).toBe(LISTINGS);
  await store.close();
});
