// Where the database has pgvector it answers what the index in memory answers. Debian's PostgreSQL lacks the extension,
// so its SQL runs on PGlite, which brings it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { POSTGRES_MIGRATIONS } from '../../db/migrations/postgres.ts';
import type { Connection } from '../../db/postgres/connection.ts';
import { openPgvector, type Pgvector, type Transact } from '../../db/postgres/pgvector.ts';
import { type Side, VectorIndex } from '../../db/vectors/vector-index.ts';

const [DIMENSIONS, LISTINGS, AGENTS] = [256, 240, 40];
let db: PGlite;
let pgvector: Pgvector | null = null;
const memory = new VectorIndex(DIMENSIONS);

const over = (runner: Pick<PGlite, 'query'>): Connection => ({
  unsafe: async (text, values = []) => (await runner.query<Record<string, unknown>>(text, [...values])).rows,
});
const transact: Transact = (work) => db.transaction((transaction) => work(over(transaction)));

/** A seeded vector around one of a few centres, as texts lie around topics. */
function vectorAt(n: number): Int8Array {
  const hash = (i: number, salt: number): number =>
    (Math.imul((i + 1) * 2_654_435_761 + salt, 1_597_334_677) >>> 16) % 255;
  return Int8Array.from({ length: DIMENSIONS }, (_, i) => {
    const [centre, own] = [hash(i, (n % 12) * 7_919) - 127, hash(i, n * 104_729 + 13) - 127];
    return Math.round((centre + own) / 2);
  });
}

async function put(id: string, agent_id: string, side: Side, model: string, value: Int8Array): Promise<void> {
  await db.query(
    `INSERT INTO listing_vectors (id, agent_id, side, labels, model, vector) VALUES ($1, $2, $3, '[]', $4, $5)
     ON CONFLICT (id) DO UPDATE SET vector = excluded.vector`,
    [id, agent_id, side, model, new Uint8Array(value.buffer)],
  );
}

beforeAll(async () => {
  db = await PGlite.create({ extensions: { vector } });
  await db.exec(
    "CREATE TABLE migrations (name text PRIMARY KEY, applied_at bigint NOT NULL); INSERT INTO migrations VALUES ('lock', 0)",
  );
  for (const { statements } of POSTGRES_MIGRATIONS) for (const statement of statements) await db.exec(statement);
}, 60_000);
afterAll(() => db.close());

test('a database without the extension is left as it is', async () => {
  expect(await openPgvector(transact, transact, DIMENSIONS, 'm')).toBeNull();
});

test('rows from before and after it was put in are answered as from memory, best first', async () => {
  for (let n = 0; n < LISTINGS; n += 1) {
    if (n === LISTINGS / 2) {
      await db.exec('CREATE EXTENSION vector');
      pgvector = await openPgvector(transact, transact, DIMENSIONS, 'm');
      // Of nodes that start together one makes it ready.
      expect(await openPgvector(transact, transact, DIMENSIONS, 'm')).not.toBeNull();
    }
    const [id, agent_id, side] = [`l${n}`, `a${n % AGENTS}`, n % 2 === 0 ? 'offer' : 'seek'] as const;
    await put(id, agent_id, side, 'm', vectorAt(n));
    memory.set(id, vectorAt(n), { side, agent_id, labels: [] });
  }
  let [asked, asGood] = [0, 0];
  for (const side of ['offer', 'seek'] as const) {
    for (let n = 0; n < 20; n += 1) {
      const wanted = memory.nearest(vectorAt(n), side, 50, `a${n % AGENTS}`);
      const found = (await pgvector?.nearest(vectorAt(n), side, 50, `a${n % AGENTS}`)) ?? [];
      expect(found).toHaveLength(50);
      for (const { id, score } of found) expect(score).toBeCloseTo(memory.cosine(vectorAt(n), id) ?? Number.NaN, 3);
      asked += wanted.length;
      // Of equally near ones either may come first, so ranks are compared by how near they are.
      asGood += wanted.filter(({ score }, rank) => (found[rank]?.score ?? -1) > score - 0.001).length;
    }
  }
  // The graph is approximate.
  expect(asGood / asked).toBeGreaterThan(0.995);
}, 120_000);

test('a changed vector, one that is gone, one of another model and one of zeros are what they are', async () => {
  await put(
    'l0',
    'a0',
    'offer',
    'm',
    vectorAt(7).map((value) => -value),
  );
  await db.query('DELETE FROM listing_vectors WHERE id = $1', ['l12']);
  await put('foreign', 'b', 'offer', 'another', vectorAt(0));
  await put('empty', 'b', 'offer', 'm', new Int8Array(DIMENSIONS));
  const ids = (await pgvector?.nearest(vectorAt(0), 'offer', 10, 'nobody'))?.map(({ id }) => id) ?? [];
  expect(ids).toHaveLength(10);
  for (const id of ['l0', 'l12', 'foreign', 'empty']) expect(ids).not.toContain(id);
});
