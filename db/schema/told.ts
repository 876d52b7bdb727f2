// The changes that a commit announces to its listeners, on every node: those in the tables that caches and streams follow. A
// followed table is named only here.
import type { TableName } from './tables.ts';

/** `changes`: a row that was changed in place or removed. `all`: a new one too, since caches hold lists of them. */
const TELLS = {
  accounts: 'changes',
  actions: 'changes',
  agents: 'all',
  api_keys: 'changes',
  // A deleted account's name is erased in the inboxes of others; an answer alone is not announced.
  events: 'changes',
  handles: 'changes',
  listings: 'all',
  matches: 'changes',
  oauth_grants: 'changes',
  proposals: 'changes',
  push_subscriptions: 'all',
  sessions: 'changes',
  tastes: 'all',
  tasks: 'changes',
  template_words: 'all',
  webhooks: 'all',
} as const satisfies Partial<Record<TableName, 'changes' | 'all'>>;

export type ToldTable = keyof typeof TELLS;

/** A row that a commit changed, made or removed. */
export interface Told {
  readonly table: ToldTable;
  readonly id: string;
}

function isToldTable(table: string): table is ToldTable {
  return Object.hasOwn(TELLS, table);
}

/** Whether a new, or a changed or deleted, row of a table is announced. */
export function isTold(what: 'new' | 'changed', table: TableName): table is ToldTable {
  return isToldTable(table) && (what === 'changed' || TELLS[table] === 'all');
}

/** `table:id`, as a row is named where text is needed. */
export function nameOf({ table, id }: Told): string {
  return `${table}:${id}`;
}

/** Parses such a name; null for a table that this version does not announce. */
export function toldOf(name: string): Told | null {
  const at = name.indexOf(':');
  const table = name.slice(0, at);
  return isToldTable(table) ? { table, id: name.slice(at + 1) } : null;
}
