// The spec made with PostgreSQL's builders, cast to SQLite's so that rows are typed once. Text sorts by its bytes, as it
// does in SQLite: pages and cursors must not depend on a server's locale.
import { bigint, check, customType, index, type PgColumn, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Builders } from './builders.ts';
import { define } from './tables.ts';

const bytewiseText = customType<{ data: string; driverData: string }>({ dataType: () => 'text COLLATE "C"' });

/** JSON is stored as text on both engines, so that it is read as written, with its key order. */
const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text),
});

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

const int = (name: string) => bigint(name, { mode: 'number' });

const postgresBuilders = {
  table: pgTable,
  index,
  uniqueIndex,
  check,
  id: () => bytewiseText('id').primaryKey(),
  idWithin: () => bytewiseText('id').notNull(),
  keyWithin: (within: PgColumn, id: PgColumn) => primaryKey({ columns: [within, id] }),
  text: (name: string) => bytewiseText(name),
  code: (name: string) => bytewiseText(name),
  int,
  json: (name: string) => jsonText(name),
  bytes: (name: string) => bytes(name),
  version: () => int('version').notNull().default(1),
  // The two sets are built alike, column kind by column kind; test/db/ddl.test.ts holds what comes of them together.
} as unknown as Builders;

export const tables = define(postgresBuilders);
export { bytewiseText, int, jsonText };
