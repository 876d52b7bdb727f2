// The composite primary keys, and the tables that PostgreSQL partitions: a reference to a row also names its parent, so that one
// partition and one index answer, on one server or many.

/** The column of a row's parent; with the id it is the table's primary key. */
const WITHIN = { events: 'agent_id', messages: 'conversation_id', task_updates: 'task_id' } as const;

/** The partitioned tables, with the column whose hash decides: each of their unique keys contains it. */
export const PARTED: Readonly<Record<string, string>> = {
  events: WITHIN.events,
  messages: WITHIN.messages,
  idempotency: 'id',
};
export const PARTS = 16;

export type WithinTable = keyof typeof WITHIN;

/** What names a row of a table. */
export type KeyOf<T extends string> = { readonly id: string } & {
  readonly [C in T extends WithinTable ? (typeof WITHIN)[T] : never]: string;
};

const columns: Readonly<Record<string, string>> = WITHIN;

/** The column that stands beside the id in the primary key, if any. */
export function withinColumn(table: string): string | undefined {
  return columns[table];
}

/** What a row is within, where that is part of its key. */
export function withinOf(table: string, row: object): string | undefined {
  const column = columns[table];
  return column === undefined ? undefined : (row as Readonly<Record<string, string>>)[column];
}
