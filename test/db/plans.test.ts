// What every query of db/queries costs where one account owns as much as all others together: on both engines it walks an index
// and stops at its limit. What scans a table or sorts more than a page stands in the list below, with the reason why it may.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { drizzle as postgresDrizzle } from 'drizzle-orm/bun-sql';
import { drizzle as sqliteDrizzle } from 'drizzle-orm/bun-sqlite';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { tables as postgresTables } from '../../db/schema/postgres.ts';
import { tables as sqliteTables } from '../../db/schema/sqlite.ts';
import { argumentOf, LIMIT, QUERIES, type Written, written } from '../support/every-query.ts';
import { hubRows, POSTGRES_DIALECT, SQLITE_DIALECT } from '../support/hub-rows.ts';
import { sharedPostgres } from '../support/postgres.ts';

/** What may be sorted, or read without a key: some pages. */
const PAGES = 8 * LIMIT;

const MILESTONES = 'an escrow has twenty milestones at most, and a page so many escrows';
const PERIOD = 'figures of a period, asked for in slices of it';

/** Asked by an operator, once after a restore: it counts all that waits. */
const RESUMED = 'counts what waits after a restore, once, when an operator asks what resume will start';

const ALLOWED: Readonly<Record<string, string>> = {
  'held.chargeCentsBefore': RESUMED,
  'held.remindersBefore': RESUMED,
  'held.sendsBefore': RESUMED,
  'block.liveThreadBetween': 'two agents have few threads with each other; here one has all with itself',
  'escrow.escrowsBought.milestones': MILESTONES,
  'escrow.escrowsSold.milestones': MILESTONES,
  'match.pairsOfListing': 'all pairs of one listing, which each run of matching goes through anyway',
  'processor.differencesOfDay': 'a row is a difference between our books and the processor’s: there should be none',
  'reminder.dueReminders': 'sorts only what is due at one instant',
  'turn.sealedRows': 'counts what a lost secret makes unreadable, once, when a start is told to accept that',
  'talk-figures.begunByAgent': PERIOD,
  'talk-figures.begunByOthers': PERIOD,
};

const sqlite = new Database(':memory:');
migrateSqlite(sqlite, 0);
afterAll(() => sqlite.close());

const UNIQUE = `SELECT l.name, m.name FROM sqlite_schema AS m, pragma_index_list(m.name) AS l
  WHERE m.type = 'table' AND l."unique" = 1`;

/** The last column of each unique key, by table. */
function uniqueColumns(): (table: string) => ReadonlySet<string> {
  const known = new Map<string, Set<string>>();
  for (const [index, table] of sqlite.query(UNIQUE).values() as [string, string][]) {
    const columns = sqlite.query('SELECT name FROM pragma_index_info(?)').values(index).flat().map(String);
    // An id differs from row to row, whatever else is of the key.
    if (columns.includes('id')) continue;
    known.set(table, (known.get(table) ?? new Set()).add(columns.at(-1) ?? ''));
  }
  return (table) => known.get(table) ?? new Set();
}

const unique = uniqueColumns();

describe('SQLite', () => {
  beforeAll(() => {
    for (const statement of hubRows(sqliteTables, SQLITE_DIALECT, unique)) sqlite.run(statement);
  });
  const db = sqliteDrizzle({ client: sqlite });
  const names = new Set(
    sqlite.query("SELECT name FROM sqlite_schema WHERE type = 'table'").values().flat().map(String),
  );

  /** How many rows a query has where nothing limits it. */
  const rowsOf = ({ sql, params }: Written): number => {
    const given = params.map((param) => {
      const isLimit = typeof param === 'object' && param !== null && 'name' in param && param.name === 'limit';
      return isLimit ? Number.MAX_SAFE_INTEGER : argumentOf(param, false);
    });
    return sqlite.query(sql).values(...(given as string[])).length;
  };

  /** What a plan does that it should not: it reads a table without an index, or sorts what is more than some pages. */
  const flaws = (query: Written): string[] => {
    const given = query.params.map((param) => argumentOf(param, false));
    const steps = sqlite.query(`EXPLAIN QUERY PLAN ${query.sql}`).all(...(given as string[])) as { detail: string }[];
    const lines = steps.map(({ detail }) => detail);
    const scans = lines.filter((line) => names.has(/^SCAN (\w+)$/.exec(line)?.[1] ?? ''));
    const sorts = lines.filter((line) => line.includes('TEMP B-TREE'));
    return [...scans, ...(sorts.length > 0 && rowsOf(query) > PAGES ? sorts : [])];
  };

  test.each(QUERIES)('%s', (name, query) => {
    const found = flaws(written(query, db, sqliteTables));
    if (!(name in ALLOWED)) expect(found).toEqual([]);
  });
});

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** What a plan that was carried out did and should not: it read a table without a key, or sorted more than some pages. */
function flawsOf(node: Node): string[] {
  const type = node['Node Type'];
  const inner = node.Plans ?? [];
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const isScan = type === 'Seq Scan' || (type.startsWith('Index') && node['Index Cond'] === undefined);
  const sorted = type === 'Sort' ? Math.max(0, ...inner.map((each) => each['Actual Rows'] * each['Actual Loops'])) : 0;
  const said = `${type} ${node['Index Name'] ?? node['Relation Name'] ?? ''} of ${Math.max(read, sorted)} rows`;
  return [...((isScan && read > PAGES) || sorted > PAGES ? [said] : []), ...inner.flatMap(flawsOf)];
}

const server = await sharedPostgres();

describe.skipIf(server === null)('PostgreSQL', () => {
  let sql: Bun.SQL;
  beforeAll(async () => {
    sql = new Bun.SQL((await server?.migrated()) ?? '', { max: 1 });
    for (const statement of hubRows(postgresTables, POSTGRES_DIALECT, unique)) await sql.unsafe(statement);
    await sql.unsafe('VACUUM ANALYZE');
    // Tables as small as these are read as a whole where a large one would not be.
    await sql.unsafe('SET enable_seqscan = off');
  });
  afterAll(async () => {
    await sql?.close({ timeout: 0 });
  });

  /** Which of a prepared statement's parameters are text. */
  const textsOf = async (statement: string): Promise<boolean[]> => {
    const [row] = await sql.unsafe(
      `SELECT array_to_string(parameter_types::text[], ',') AS types FROM pg_prepared_statements WHERE name = '${statement}'`,
    );
    return String(row.types)
      .split(',')
      .map((type) => type === 'text');
  };

  const literalOf = (value: unknown): string =>
    typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;

  test.each(QUERIES.map(([name, query], at) => [name, query, `q${at}`] as const))(
    '%s',
    async (name, query, prepared) => {
      const { sql: text, params } = written(query, postgresDrizzle({ client: sql }), postgresTables);
      await sql.unsafe(`PREPARE ${prepared} AS ${text}`);
      const texts = await textsOf(prepared);
      const values = params.map((param, at) => literalOf(argumentOf(param, !texts[at])));
      const call = values.length > 0 ? `${prepared}(${values.join(', ')})` : prepared;
      // A plan made for nobody takes the hub for one of many, and one made for it may find so small a table cheaper to read: what one
      // of the two does, an index is there for.
      const found: string[][] = [];
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await sql.unsafe(`SET plan_cache_mode = ${mode}`);
        const [row] = await sql.unsafe(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE ${call}`);
        const plan = row['QUERY PLAN'];
        const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Node }];
        found.push(flawsOf(Plan));
      }
      if (!(name in ALLOWED)) expect(found).toContainEqual([]);
    },
  );
});
