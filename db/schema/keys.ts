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

/** The key of a table's row. */
export type KeyOf<T extends string> = { readonly id: string } & {
  readonly [C in T extends WithinTable ? (typeof WITHIN)[T] : never]: string;
};

const columns: Readonly<Record<string, string>> = WITHIN;

/** The second column of the primary key, if any. */
export function withinColumn(table: string): string | undefined {
  return columns[table];
}

/** The parent of a row, if it is part of its key. */
export function withinOf(table: string, row: object): string | undefined {
  const column = columns[table];
  return column === undefined ? undefined : (row as Readonly<Record<string, string>>)[column];
}
