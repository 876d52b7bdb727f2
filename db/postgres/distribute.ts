// Distributes the tables of an existing database over the workers of Citus, one table a transaction: what was ended goes on with the
// next table.
import { DISTRIBUTED } from '../schema/distribution.ts';
import type { Connection } from './connection.ts';
import { NO_LIMIT, refuseNodes, takeTime, whileNoneServes } from './while-none-serves.ts';

/** The shards of each table: no more workers can share it, and each statement over all of it asks so many. */
const SHARDS = 16;
/** Where a table in parts lies until its rows are moved. */
const ASIDE = 'meshwork_parts';

class CannotDistribute extends Error {
  override readonly name = 'CannotDistribute';
}

async function refuseUnprepared(sql: Connection): Promise<void> {
  const [citus] = await sql.unsafe("SELECT extversion FROM pg_extension WHERE extname = 'citus'");
  if (!citus) throw new CannotDistribute('the database has no extension citus');
  const [nodes] = await sql.unsafe('SELECT count(*) AS n FROM pg_dist_node WHERE isactive AND shouldhaveshards');
  if (Number(nodes?.['n']) === 0) throw new CannotDistribute('Citus knows no worker: call citus_add_node first');
}

/** The keys and indexes of a table, as the statements that make them. */
async function keysOf(sql: Connection, table: string): Promise<string[]> {
  const keys = await sql.unsafe(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS made FROM pg_constraint
     WHERE conrelid = to_regclass($1) AND contype = 'p'`,
    [table],
  );
  const indexes = await sql.unsafe(
    'SELECT pg_get_indexdef(indexrelid) AS made FROM pg_index WHERE indrelid = to_regclass($1) AND NOT indisprimary',
    [table],
  );
  return [
    ...keys.map(({ name, made }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${made}`),
    ...indexes.map(({ made }) => String(made).replace(' ON ONLY ', ' ON ')),
  ];
}

/** Each part of a table in parts would be distributed by itself: the table is made anew, whole. */
async function distributeParted(sql: Connection, table: string, distributes: string): Promise<void> {
  const keys = await keysOf(sql, table);
  await sql.unsafe(`CREATE SCHEMA ${ASIDE}`);
  await sql.unsafe(`ALTER TABLE ${table} SET SCHEMA ${ASIDE}`);
  await sql.unsafe(`CREATE TABLE ${table} (LIKE ${ASIDE}.${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  for (const key of keys) await sql.unsafe(key);
  await sql.unsafe(distributes);
  await sql.unsafe(`INSERT INTO ${table} SELECT * FROM ${ASIDE}.${table}`);
  await sql.unsafe(`DROP TABLE ${ASIDE}.${table}`);
  await sql.unsafe(`DROP SCHEMA ${ASIDE}`);
}

async function distributeTable(sql: Connection, table: string, column: string): Promise<void> {
  const distributes = `SELECT create_distributed_table('${table}', '${column}')`;
  const [found] = await sql.unsafe("SELECT relkind = 'p' AS parted FROM pg_class WHERE oid = to_regclass($1)", [table]);
  if (found?.['parted'] === true) return distributeParted(sql, table, distributes);
  await sql.unsafe(distributes);
  await sql.unsafe(`SELECT truncate_local_data_after_distributing_table('${table}')`);
}

/** Distributes the tables that are not yet, while no node serves. Throws `CannotDistribute`. */
export function distribute(url: string, say: (line: string) => void, shards = SHARDS): Promise<void> {
  return whileNoneServes(url, 'READ COMMITTED', async (_, sql) => {
    await refuseUnprepared(sql as never);
    const rows = await sql.unsafe('SELECT logicalrelid::text AS name FROM pg_dist_partition');
    const done = new Set(rows.map(({ name }: { name: string }) => name));
    for (const [table, column] of DISTRIBUTED) {
      if (done.has(table)) continue;
      await sql.begin(async (transaction) => {
        await takeTime(transaction);
        await transaction.unsafe(NO_LIMIT);
        await transaction.unsafe(`SET LOCAL citus.shard_count = ${shards}`);
        await transaction.unsafe("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
        await distributeTable(transaction as never, table, column);
        // A node writes its row first and reads its shards then: it serves before this, or it sees them.
        await transaction.unsafe('LOCK TABLE nodes IN SHARE MODE');
        await refuseNodes(transaction);
      });
      say(`${table} is distributed by ${column}`);
    }
  });
}
