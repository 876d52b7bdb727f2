// A database in which one account owns as much as everybody else together: rows of every table of the schema, made from its
// columns alone, so that a new table is filled without a word here. What the hub owns names `HUB` in every text; what the
// others own differs from row to row.
import { type Column, getTableColumns, getTableName, type Table } from 'drizzle-orm';

/** What every text of the hub's rows is, and the id of one row of each table. */
export const HUB = 'abcdef';
/** Rows of each table; every second one is the hub's. */
const ROWS = 3_000;
/** Of what a rule of the service bounds, the hub has so many. */
const FEW = 20;

/** Tables of which nobody can own many rows: a limit of the plan, of an escrow, of a task or of a journal keeps them few. */
const BOUNDED = new Set([
  ...['agents', 'claims', 'account_marks', 'passkeys', 'webhooks', 'push_configs', 'push_subscriptions', 'providers'],
  ...[
    'milestones',
    'earlier_deliverables',
    'disputes',
    'dispute_evidence',
    'demand_quotes',
    'forwards',
    'transfers',
    'task_updates',
  ],
]);

/** How an engine writes what the filling asks of it. */
export interface Dialect {
  /** The numbers 0 … n, each as `i`. */
  readonly series: (count: number) => string;
  /** A number as text that sorts as the number does. */
  readonly text: string;
  readonly empty: string;
}

export const SQLITE_DIALECT: Dialect = {
  series: (n) => `(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < ${n}) SELECT i FROM s)`,
  text: "printf('%08d', i)",
  empty: "x''",
};
export const POSTGRES_DIALECT: Dialect = {
  series: (n) => `generate_series(0::bigint, ${n}) AS s(i)`,
  text: "lpad(i::text, 8, '0')",
  empty: "''::bytea",
};

function columnValue(table: string, column: Column, unique: boolean, { text, empty }: Dialect): string {
  const type = column.getSQLType();
  if (type === 'bigint' || type === 'integer') return 'i';
  if (type === 'bytea' || type === 'blob') return empty;
  if (unique || column.name === 'id') return `CASE WHEN i = 0 THEN '${HUB}' ELSE ${text} END`;
  const owned = BOUNDED.has(table) ? `i % 2 = 1 AND i < ${2 * FEW}` : 'i % 2 = 1';
  return `CASE WHEN ${owned} THEN '${HUB}' ELSE ${text} END`;
}

/** The statements that fill the tables; `unique` says of which columns no two rows hold the same. */
export function hubRows(
  tables: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  unique: (table: string) => ReadonlySet<string>,
): string[] {
  return (Object.values(tables) as Table[]).map((table) => {
    const name = getTableName(table);
    const columns = Object.values(getTableColumns(table));
    const values = columns.map((column) => columnValue(name, column, unique(name).has(column.name), dialect));
    const list = columns.map((column) => `"${column.name}"`).join(', ');
    return `INSERT INTO "${name}" (${list}) SELECT ${values.join(', ')} FROM ${dialect.series(ROWS - 1)}`;
  });
}
