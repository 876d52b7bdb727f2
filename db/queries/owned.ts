// Rows by owner (owners.ts), for the tables that need no erasure stage of their own: removed rows in any order, because the next slice
// finds the rest, and kept rows in the order of their ids.
import { and, asc, eq, gt } from 'drizzle-orm';
import { arg, many, type Query } from '../query.ts';
import { OWNED_TABLES } from '../schema/owners.ts';
import type { OwnedRow } from '../schema/personal.ts';
import type { TableName, Tables } from '../schema/tables.ts';

type Slice = { owner_id: string; after: string; limit: number };
type OwnedQuery = Query<Slice, OwnedRow[]>;

/** A table with the column that names its rows' owner. */
export interface OwnedRows {
  readonly table: TableName;
  readonly of: 'agents' | 'accounts';
  readonly rows: 'removed' | 'blanked';
  /** `table.column`, by which its query is found. */
  readonly name: string;
  /** Tables whose rows have the same id, and are removed with these. */
  readonly companions: readonly TableName[];
}

/** The pages of a match are walked by the id that the wire shows. */
const ORDER: Partial<Record<TableName, string>> = { matches: 'match_id' };

export const orderOf = (table: TableName): string => ORDER[table] ?? 'id';

function ownedBy(table: TableName, column: string, rows: OwnedRows['rows']): OwnedQuery {
  const query = many<Slice>()(rows === 'removed' ? table : null, (db, t: Tables) => {
    // The tables differ here only in their columns: one type represents all.
    const from = t[table] as Tables['agents'];
    const columns = from as unknown as Record<string, Tables['agents']['id']>;
    const [owner, order] = [columns[column] ?? from.id, columns[orderOf(table)] ?? from.id];
    const own = eq(owner, arg('owner_id'));
    const all = db.select().from(from);
    return rows === 'removed'
      ? all.where(own).limit(arg('limit'))
      : all
          .where(and(own, gt(order, arg('after'))))
          .orderBy(asc(order))
          .limit(arg('limit'));
  });
  return query as unknown as OwnedQuery;
}

function companionsOf(table: TableName): TableName[] {
  return OWNED_TABLES.flatMap(([other, { of, by, stage }]) =>
    of === table && stage === 'with' && by.includes('id') ? [other] : [],
  );
}

const found: OwnedRows[] = [];
const queries: Record<string, OwnedQuery> = {};
for (const [table, { of, rows, by, stage }] of OWNED_TABLES) {
  if (stage || (of !== 'agents' && of !== 'accounts')) continue;
  if (rows !== 'removed' && rows !== 'blanked') continue;
  for (const column of by) {
    const name = `${table}.${column}`;
    queries[name] = ownedBy(table, column, rows);
    found.push({ table, of, rows, name, companions: rows === 'removed' ? companionsOf(table) : [] });
  }
}

/** The tables whose rows are removed or blanked by owner alone. */
export const OWNED_ROWS: readonly OwnedRows[] = found;
export const OWNED: Readonly<Record<string, OwnedQuery>> = queries;
