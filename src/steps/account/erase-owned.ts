// What goes or is blanked by its owner alone, table by table as db/schema/owners.ts says: a slice of removed rows is found no more, and
// those that stay are walked by their ids.
import { apply, type Effect, remove } from '../../../db/effects.ts';
import { OWNED, OWNED_ROWS, type OwnedRows, orderOf } from '../../../db/queries/owned.ts';
import type { OwnedRow } from '../../../db/schema/personal.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { Row, TableName } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { type Named, SLICE, type Slice } from './erase.ts';

/** Puts what its columns declare in place of a row's words; nothing of a row that says nothing. */
export function blankRow<T extends TableName>(
  table: T,
  row: Row<T> & { readonly id: string },
  owner_id: string,
): Effect<never>[] {
  if (Object.keys(blanked(table, row, owner_id)).length === 0) return [];
  return [apply(table, row.id, (now) => blanked(table, now, owner_id))];
}

/** Every removed table has a version; `owners.ts` names none that has not. */
const gone = (table: TableName, row: OwnedRow): Effect<never> => remove(table as 'claims', row as Row<'claims'>);

const stage =
  ({ table, rows, name }: OwnedRows) =>
  async (read: Read, owner_id: string, after: string): Promise<() => Slice> => {
    const query = OWNED[name];
    const found = query ? await read(query, { owner_id, after, limit: SLICE }) : [];
    const order = found.length === SLICE ? found.at(-1)?.[orderOf(table)] : undefined;
    const next = typeof order === 'string' ? order : null;
    const effects = found.flatMap((row) =>
      rows === 'removed' ? [gone(table, row)] : blankRow(table, row as Row<TableName>, owner_id),
    );
    return () => ({ effects, after: rows === 'removed' && next !== null ? '' : next });
  };

/** The stages of the tables that are of agents, or of accounts. */
export function ownedStages(of: OwnedRows['of']): Named<ReturnType<typeof stage>> {
  return OWNED_ROWS.filter((owned) => owned.of === of).map((owned) => [owned.name, stage(owned)] as const);
}
