// The columns' declarations of personal data, read from the same spec as the tables; and what follows from them: a row after its owner
// has left, and its exported part.
import type { Builders } from './builders.ts';
import type { Any, OwnedRow, Personal } from './personal.ts';
import { inner, keep } from './personal.ts';
import { define, type Row, type TableName } from './tables.ts';

type Declared = Any<unknown>;

interface Column {
  readonly personal: Declared;
  notNull(): Column;
  default(value: unknown): Column;
}

const column = (personal: Declared): Column => {
  const self: Column = { personal, notNull: () => self, default: () => self };
  return self;
};
const declared = (_name: string, personal: Declared): Column => column(personal);

/** A third set of builders besides SQLite's and PostgreSQL's, which only records the columns. */
const recorders = {
  table: (_name: string, columns: Record<string, Column>) => columns,
  id: () => column(keep),
  idWithin: () => column(keep),
  text: declared,
  code: declared,
  int: declared,
  json: declared,
  bytes: declared,
  version: () => column(inner(keep)),
} as unknown as Builders;

const SPEC = define(recorders) as unknown as Readonly<Record<TableName, Readonly<Record<string, Column>>>>;

/** The declaration of each column of a table. */
export function personalOf(table: TableName): readonly (readonly [name: string, personal: Declared])[] {
  return Object.entries(SPEC[table]).map(([name, { personal }]) => [name, personal]);
}

/** The changes of a row when its owner leaves, or one of its two sides. */
export function blanked<T extends TableName>(
  table: T,
  row: Row<T>,
  owner_id: string,
): Partial<Omit<Row<T>, 'id' | 'version'>> {
  const whole: OwnedRow = row;
  const changed = personalOf(table).flatMap(([name, { erase }]) => {
    if (erase.how !== 'blank' || (erase.of !== null && whole[erase.of] !== owner_id)) return [];
    const after = erase.after(whole[name], whole, owner_id);
    return JSON.stringify(after) === JSON.stringify(whole[name]) ? [] : [[name, after]];
  });
  return Object.fromEntries(changed);
}

/** A row without what guards a secret or is of use to the service alone. */
export function exported(table: TableName, row: object): object {
  const columns: Readonly<Record<string, { readonly personal: Personal<unknown> }>> = SPEC[table];
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => (columns[name]?.personal.exported ?? 'yes') === 'yes'),
  );
}
