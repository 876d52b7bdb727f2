// The spec made with SQLite's builders; drizzle-kit reads the migrations off the exported tables.
import { sqliteBuilders } from './builders.ts';
import { define } from './tables.ts';

export const tables = define(sqliteBuilders);
