// One moment of the database, for SQL that both engines understand.

export type Stored = Readonly<Record<string, unknown>>;

export interface Snapshot {
  rows(sql: string): Promise<Stored[]>;
  /** The same in batches, for results that are too large for memory. */
  bites(sql: string): AsyncIterable<readonly Stored[]>;
}

/** A sum or a number, which PostgreSQL gives as text; nothing is 0. */
export function figure(value: unknown): number {
  return Number(value ?? 0);
}

/** The condition that a journal's id begins so, which is a range of its key. */
export function within(column: string, kind: string): string {
  return `${column} >= '${kind}:' AND ${column} < '${kind};'`;
}
