// The size of rows, as plans count it: their texts in UTF-8, and a flat figure for the rest of a row and its indexes. Of rows that
// expire, those whose length callers decide are counted: each names the account and the bytes, which the commit that deletes it gives
// back. Limits of their own bound the number of all others.
import type { TableName } from './schema/tables.ts';

/** Of each table that callers can fill without end, the columns whose length they decide. */
const TEXTS: Partial<Record<TableName, readonly string[]>> = {
  messages: ['content'],
  listings: ['headline', 'description', 'labels', 'conditions', 'fields'],
  knowledge: ['title', 'text'],
  proposals: ['terms', 'milestones'],
  dispute_evidence: ['statement', 'links'],
  milestones: ['title', 'deliverable'],
  earlier_deliverables: ['deliverable'],
  idempotency: ['value'],
  router_results: ['sealed'],
  task_updates: ['message', 'artifact'],
};
const CHARGED: ReadonlySet<TableName> = new Set(['idempotency', 'router_results', 'task_updates']);
const ROW_BYTES = 300;
/** An event; its data are bounded. */
export const EVENT_BYTES = 500;

function bytesOf(row: object, column: string): number {
  const value: unknown = Reflect.get(row, column);
  if (value === null || value === undefined) return 0;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Bytes of a whole row; 0 of a table that is not counted. */
export function rowBytes(table: TableName, row: object): number {
  return TEXTS[table]?.reduce((sum, column) => sum + bytesOf(row, column), ROW_BYTES) ?? 0;
}

/** Whether rows of a table say to whom they are charged, as they expire by themselves. */
export const isCharged = (table: TableName): boolean => CHARGED.has(table);

/** By how many bytes a change makes a row longer; negative for shorter. */
export function growth(table: TableName, row: object, set: object): number {
  const changed = TEXTS[table]?.filter((column) => column in set && column in row) ?? [];
  return changed.reduce((sum, column) => sum + bytesOf(set, column) - bytesOf(row, column), 0);
}

/** A row that is charged to an account. */
export interface Charged {
  readonly charged_to: string | null;
  readonly bytes: number;
}

/** The bytes of rows by the account that they are charged to. */
export function bytesByAccount(rows: readonly Charged[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { charged_to, bytes } of rows) {
    if (charged_to !== null) sums.set(charged_to, (sums.get(charged_to) ?? 0) + bytes);
  }
  return sums;
}
