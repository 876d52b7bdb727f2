// A PostgreSQL database whose vectors an earlier version derived for pgvector: what nothing asks any more goes with the start,
// and the vectors stay. Debian's PostgreSQL lacks the extension, so an array stands for its type.
import { expect, test } from 'bun:test';
import { migratePostgres } from '../../db/migrations/migrate-postgres.ts';
import { sharedPostgres } from '../support/postgres.ts';

const server = await sharedPostgres();

test.skipIf(server === null)('the column, its indexes and its function are dropped, once', async () => {
  if (!server) return;
  await using pool = new Bun.SQL(await server.database(), { max: 2 });
  await migratePostgres(pool, 0);
  await pool.unsafe(`CREATE FUNCTION int8_halfvec(bytes bytea) RETURNS real[] LANGUAGE sql IMMUTABLE STRICT
    AS $$ SELECT array_agg(get_byte(bytes, i)::real ORDER BY i) FROM generate_series(0, length(bytes) - 1) AS i $$`);
  await pool.unsafe(
    'ALTER TABLE listing_vectors ADD COLUMN near real[] GENERATED ALWAYS AS (int8_halfvec(vector)) STORED',
  );
  for (const side of ['offer', 'seek']) {
    await pool.unsafe(
      `CREATE INDEX listing_vectors_near_${side} ON listing_vectors USING gin (near) WHERE side = '${side}'`,
    );
  }
  await pool.unsafe(
    `INSERT INTO listing_vectors (id, agent_id, side, labels, model, vector) VALUES ('l', 'a', 'offer', '[]', 'm', '\\x0102')`,
  );
  for (let starts = 0; starts < 2; starts += 1) {
    expect(await migratePostgres(pool, 1)).toEqual([]);
    const [row] = await pool.unsafe('SELECT * FROM listing_vectors');
    expect(row).toMatchObject({ id: 'l', vector: Buffer.from([1, 2]) });
    expect(row).not.toHaveProperty('near');
    const left = await pool.unsafe(
      "SELECT relname FROM pg_class WHERE relname LIKE 'listing_vectors_near%' UNION SELECT proname FROM pg_proc WHERE proname = 'int8_halfvec'",
    );
    expect(Array.from(left)).toEqual([]);
  }
});
