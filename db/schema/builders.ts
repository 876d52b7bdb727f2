// The few column kinds from which both engines' tables are made, so that one spec serves SQLite and PostgreSQL:
// text, integer (money in cents, epoch milliseconds), JSON kept as text, and bytes. No dialect type goes further. Each column declares
// what it says of a person (personal.ts), which a third reading of the spec gathers (personal-columns.ts).
import {
  blob,
  check,
  index,
  integer,
  primaryKey,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Any, Words } from './personal.ts';

/** The builders handed to `define`; the PostgreSQL set is cast to this type, so rows are typed once. */
export const sqliteBuilders = {
  table: sqliteTable,
  index,
  uniqueIndex,
  check,
  /** The primary key of most tables; what the effects address rows by. */
  id: () => text('id').primaryKey(),
  /** An id whose row is named together with what it is within (keys.ts). Here the id alone is the primary key: it rises with time,
   * and the other column would cost 40 bytes a row. There what the rows are parted by comes first. */
  idWithin: () => text('id').notNull(),
  keyWithin: (_within: SQLiteColumn, id: SQLiteColumn) => primaryKey({ columns: [id] }),
  text: (name: string, _personal: Words<string | null>) => text(name),
  /** Text of the service's own making: an id, a hash, one of a few words. */
  code: <T extends string | null = string>(name: string, _personal: Any<NoInfer<T> | null>) => text(name).$type<T>(),
  int: (name: string, _personal: Any<number | null>) => integer(name),
  json: <T>(name: string, _personal: Words<NoInfer<T> | null>) => text(name, { mode: 'json' }).$type<T>(),
  bytes: (name: string, _personal: Any<Buffer | null>) => blob(name, { mode: 'buffer' }),
  /** Moves by one with each change of the row; `patch` compares it. */
  version: () => integer('version').notNull().default(1),
};

export type Builders = typeof sqliteBuilders;
