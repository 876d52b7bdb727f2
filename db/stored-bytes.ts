// The size of permanent rows, as plans count it: their texts in UTF-8, and a flat figure for the rest of a row and its indexes. Expiring
// rows are not counted: rates and their life bound their number.
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
};
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

/** By how many bytes a change makes a row longer; negative for shorter. */
export function growth(table: TableName, row: object, set: object): number {
  const changed = TEXTS[table]?.filter((column) => column in set && column in row) ?? [];
  return changed.reduce((sum, column) => sum + bytesOf(set, column) - bytesOf(row, column), 0);
}
