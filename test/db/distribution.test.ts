// What Citus distributes: every table has its place, and a row's shard is found as the server finds it.
import { describe, expect, test } from 'bun:test';
import { hashText } from '../../db/postgres/hash.ts';
import { listed, shapeOf } from '../../db/postgres/shapes.ts';
import { Shards } from '../../db/postgres/shards.ts';
import { clusterTables } from '../../db/schema/cluster-tables.ts';
import { DISTRIBUTED, PLACES } from '../../db/schema/distribution.ts';
import { PARTED } from '../../db/schema/keys.ts';
import { tables } from '../../db/schema/postgres.ts';
import { sharedPostgres } from '../support/postgres.ts';

const server = await sharedPostgres();

test('every table has its place', () => {
  expect(Object.keys(PLACES).sort()).toEqual([...Object.keys(tables), ...Object.keys(clusterTables)].sort());
});

test('a table in parts is distributed by what it is parted by', () => {
  for (const [table, column] of DISTRIBUTED) expect([table, column]).toEqual([table, PARTED[table] ?? 'id']);
});

test('rows are divided by the ranges of the shards, in the order of these', () => {
  const shards = new Shards(new Map([['inboxes', [-2_147_483_648, 0]]]));
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const [low, high] = [ids.filter((id) => hashText(id) < 0), ids.filter((id) => hashText(id) >= 0)];
  expect(low.length * high.length).toBeGreaterThan(0);
  expect(shards.divide('inboxes', ids, (id) => id)).toEqual([low, high]);
  expect(shards.divide('agents', ids, (id) => id)).toEqual([ids]);
});

test('new rows of a table in shards are listed by powers of two, at most 64 at once', () => {
  const rows = Array.from({ length: 150 }, (_, n) => ({ id: `a${n}`, last_seq: n }));
  const shape = shapeOf('inboxes', true);
  const statements = listed(shape, rows, false);
  expect(statements.map(([, values]) => values.length / shape.columns.length)).toEqual([64, 64, 16, 4, 2]);
  const ids = statements.flatMap(([, values]) => values.filter((_, at) => at % shape.columns.length === 0));
  expect(ids).toEqual(rows.map(({ id }) => id));
});

describe.skipIf(server === null)('on PostgreSQL', () => {
  test('a text has the hash that the server gives it', async () => {
    await using sql = new Bun.SQL((await server?.database()) ?? '', { max: 1 });
    const texts = [
      ...Array.from({ length: 40 }, (_, n) => 'abcdefghij0123456789-éß€😀.'.repeat(2).slice(0, n)),
      crypto.randomUUID(),
    ];
    for (const text of texts) {
      const [row] = await sql`SELECT hashtext(${text}) AS hash`;
      expect([text, hashText(text)]).toEqual([text, Number(row.hash)]);
    }
  });
});
