// The tables that PostgreSQL keeps in parts have them all, and what is asked most, and written by its key, touches one of them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sql';
import { openPool } from '../../db/postgres/connection.ts';
import type { Pool } from '../../db/postgres/pool.ts';
import { slice } from '../../db/postgres/postgres-store.ts';
import { QueryReader } from '../../db/postgres/reader.ts';
import { type Select, selectOf } from '../../db/postgres/select.ts';
import { columnArrays, literal, shapeOf, updateOf } from '../../db/postgres/shapes.ts';
import { messagesOf, threadById, threadsOpened } from '../../db/queries/conversation.ts';
import { idempotencyById } from '../../db/queries/identity.ts';
import { eventById, eventsAfter } from '../../db/queries/inbox.ts';
import { eventsBetween } from '../../db/queries/leaving.ts';
import { dueReminders } from '../../db/queries/reminder.ts';
import type { Db, Query } from '../../db/query.ts';
import type { Values } from '../../db/rows.ts';
import { PARTED, PARTS } from '../../db/schema/keys.ts';
import { tables } from '../../db/schema/postgres.ts';
import type { TableName, Tables } from '../../db/schema/tables.ts';
import { sharedPostgres } from '../support/postgres.ts';

const COUNT = 4_000;
const numbered = (row: (i: number) => Values): Values[] => Array.from({ length: COUNT }, (_, i) => row(i));
const FILL: readonly (readonly [table: TableName, rows: readonly Values[]])[] = [
  ['agents', [{ id: 'a7' }, { id: 'a8', handle: 'other' }]],
  ['conversations', [{ id: 'c7', opener_id: 'a7', other_id: 'a8', last_message_id: 'm47' }]],
  ['events', numbered((i) => ({ id: `e${i}`, agent_id: `a${i % 40}`, seq: i }))],
  ['messages', numbered((i) => ({ id: `m${i}`, conversation_id: `c${i % 40}`, n: i }))],
  ['idempotency', numbered((i) => ({ id: `k${i}` }))],
];

/** Puts rows in, with nothing in the columns of which nothing is said. */
async function put(sql: Bun.SQL, table: TableName, rows: readonly Values[]): Promise<void> {
  const { columns, insert } = shapeOf(table);
  const empty = columns.map(({ key, type, column, fallback }) => {
    return [key, fallback ?? (column.notNull ? (type === 'bigint' ? 0 : '') : null)] as const;
  });
  const whole = rows.map((row) => ({ ...Object.fromEntries(empty), ...row }));
  await sql.unsafe(insert, columnArrays(columns, whole));
}

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

/** The parts that a plan went to when it was carried out. */
function partsOf(node: Node): string[] {
  const name = node['Relation Name'] ?? '';
  const own = node['Actual Loops'] > 0 && /^(events|messages|idempotency)_\d+$/.test(name) ? [name] : [];
  return [...new Set([...own, ...(node.Plans ?? []).flatMap(partsOf)])];
}

const server = await sharedPostgres();

describe.skipIf(server === null)('tables in parts', () => {
  const opened: Bun.SQL[] = [];
  const connection = (at: number): Bun.SQL => opened[at] as Bun.SQL;
  beforeAll(async () => {
    const url = (await server?.migrated()) ?? '';
    opened.push(openPool({ url, pooled: false }, 1), openPool({ url, pooled: false }, 1, 'keys'));
    for (const [table, rows] of FILL) await put(connection(0), table, rows);
    await connection(0).unsafe('ANALYZE');
  });
  afterAll(async () => {
    for (const sql of opened) await sql.close({ timeout: 0 });
  });

  test('are read over the connections whose plans are made once, and other tables are not', async () => {
    const asked: string[] = [];
    const pool = (name: string): Pool => {
      const values = async (): Promise<unknown[][]> => {
        asked.push(name);
        return [];
      };
      return { values, again: (attempt: () => unknown) => attempt() } as unknown as Pool;
    };
    const read = new QueryReader({ reads: pool('reads'), keys: pool('keys') }).as(null);
    await read(eventsAfter, { agent_id: 'a7', after: 5, limit: 50 });
    await read(threadsOpened, { agent_id: 'a7', before: 'g', limit: 50 });
    await read(dueReminders, { now_ms: 1, from_ms: 0, limit: 50 });
    expect(asked).toEqual(['keys', 'keys', 'reads']);
    const [mode] = await connection(1).unsafe('SHOW plan_cache_mode');
    expect(mode.plan_cache_mode).toBe('force_generic_plan');
  });

  test('have sixteen each', async () => {
    const found = await connection(0).unsafe(
      'SELECT inhparent::regclass::text AS name, count(*)::int AS parts FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE relkind = $1 GROUP BY 1 ORDER BY 1',
      ['r'],
    );
    expect([...found]).toEqual(
      Object.keys(PARTED)
        .sort()
        .map((name) => ({ name, parts: PARTS })),
    );
  });

  /** Which parts a statement touches, planned for its values and for any. */
  const touched = async (sql: Bun.SQL, text: string, values: readonly unknown[]): Promise<string[][]> => {
    const given = values.map((value) => (typeof value === 'number' ? String(value) : `'${String(value)}'`));
    await sql.unsafe(`PREPARE asked AS ${text}`);
    const found: string[][] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await sql.unsafe(`SET plan_cache_mode = ${mode}`);
      const [row] = await sql.unsafe(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE asked(${given.join(', ')})`);
      const plan = row['QUERY PLAN'];
      const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Node }];
      found.push(partsOf(Plan));
    }
    await sql.unsafe('DEALLOCATE asked');
    return found;
  };

  const select = (query: Query<never, unknown>): Select => {
    const db = drizzle({ client: connection(0) }) as unknown as Db;
    const made = selectOf(query.build(db, tables as Tables).prepare());
    if (!made) throw new Error('its rows are objects in objects');
    return made;
  };

  test.each([
    ['a page of an inbox', eventsAfter, { agent_id: 'a7', after: 5, limit: 50 }],
    ['a page of a thread', messagesOf, { conversation_id: 'c7', after: 'm47', before: '', limit: 50 }],
    ['a thread with its last message', threadById, { id: 'c7' }],
    ['an event by its id', eventById, { agent_id: 'a7', id: 'e47' }],
    ['what an inbox was told at a time', eventsBetween, { agent_id: 'a7', from: 'e40', to: 'e50', limit: 50 }],
    ['an idempotency row', idempotencyById, { id: 'k47' }],
  ] as const)('%s is read from one', async (_what, query, args) => {
    const made = select(query as unknown as Query<never, unknown>);
    for (const parts of await touched(connection(0), made.text, made.bind(args))) expect(parts).toHaveLength(1);
  });

  test.each([
    ['an event', eventById, { agent_id: 'a7', id: 'e47' }],
    ['an idempotency row', idempotencyById, { id: 'k47' }],
  ] as const)('%s that is looked up with others is read from its own', async (_what, query, args) => {
    const many = select(query as unknown as Query<never, unknown>).many();
    for (const parts of await touched(connection(1), many.text, many.bind([args]))) expect(parts).toHaveLength(1);
  });

  test('lose what has expired without being read from end to end', async () => {
    const sql = connection(0);
    await sql.unsafe('BEGIN');
    await sql.unsafe(
      "INSERT INTO idempotency (id, request_hash, status, notes, value, expires_at) SELECT i, '', '', '[]', '', i FROM generate_series(1, 60000) AS i",
    );
    await sql.unsafe('ANALYZE idempotency');
    const rows = await sql.unsafe(`EXPLAIN (ANALYZE, TIMING OFF) ${slice('idempotency', '0')}`);
    await sql.unsafe('ROLLBACK');
    const plan = rows.map((row: Values) => String(row['QUERY PLAN'])).join('\n');
    expect(plan).toContain('rows=500');
    expect(plan).not.toContain('Seq Scan');
  });

  const events = shapeOf('events');
  const set = events.columns.filter(({ key }) => key === 'awaiting');
  const key = [literal(['e47']), literal(['a7'])];

  test.each([
    ['locked', events.lock, key],
    ['changed', updateOf(events, set), [...key, literal([1])]],
    ['removed', events.remove, key],
  ])('a row by its key is %s in one', async (_what, text, values) => {
    for (const parts of await touched(connection(1), text, values)) expect(parts).toHaveLength(1);
  });
});
