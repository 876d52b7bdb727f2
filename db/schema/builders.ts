// The few column kinds from which both engines' tables are made, so that one spec serves SQLite and PostgreSQL:
// text, integer (money in cents, epoch milliseconds), JSON kept as text, and bytes. No dialect type goes further.
import { blob, check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** The builders handed to `define`; the PostgreSQL set is cast to this type, so rows are typed once. */
export const sqliteBuilders = {
  table: sqliteTable,
  index,
  uniqueIndex,
  check,
  /** The primary key of every table; what the effects address rows by. */
  id: () => text('id').primaryKey(),
  text: (name: string) => text(name),
  int: (name: string) => integer(name),
  json: <T>(name: string) => text(name, { mode: 'json' }).$type<T>(),
  bytes: (name: string) => blob(name, { mode: 'buffer' }),
  /** Moves by one with each change of the row; `patch` compares it. */
  version: () => integer('version').notNull().default(1),
};

export type Builders = typeof sqliteBuilders;
