// Copies the embedded database while it is in use, and inspects one that is not in use. The copying connection only reads: turns
// continue, and the log grows until the copy is done.
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkLedger } from '../ledger-check/check.ts';
import type { Problem } from '../ledger-check/problems.ts';
import { SQLITE_MIGRATIONS } from '../migrations/sqlite.ts';
import { type Applied, refuseUnknown, unknownAmong } from '../migrations/unknown.ts';
import { checkRows } from '../row-check/check.ts';
import { closeUnfolded, DATABASE_FILE } from './connection.ts';
import { keepFreePagesInCopies } from './free-pages.ts';
import { INDEX_RULES } from './index-rules.ts';
import { LogIndex } from './log-index.ts';
import { lossCode } from './lost-writes.ts';
import { countIn, endsBefore, type Position, readMark } from './mark.ts';
import { snapshotOf } from './snapshot.ts';

/** The tables whose rows are counted. */
const COUNTED = [
  ...['accounts', 'agents', 'listings', 'matches', 'conversations', 'messages', 'events', 'tasks', 'deals'],
  ...['escrows', 'journals', 'transfers'],
] as const;

/** Further tables whose old state must not return: keys revoked since, used invitations. */
const CHANGING = [
  ...['api_keys', 'sessions', 'oauth_grants', 'passkeys', 'webhooks', 'invitations', 'wallets', 'plan_terms'],
  'subscriptions',
] as const;

const FIGURES = `
  SELECT (SELECT count(*) FROM ledger_accounts) AS accounts, (SELECT count(*) FROM transfers) AS transfers,
    (SELECT coalesce(sum(balance_cents), 0) FROM ledger_accounts) AS held_cents,
    (SELECT coalesce(sum(balance_cents), 0) FROM ledger_accounts)
      + (SELECT coalesce(sum(amount_cents), 0) FROM transfers WHERE credit_after_cents IS NULL)
      - (SELECT coalesce(sum(amount_cents), 0) FROM transfers WHERE debit_after_cents IS NULL) AS sum_cents`;
const HEAD = `
  SELECT (SELECT max(id) FROM events) AS event, (SELECT max(id) FROM ledger_days) AS sealed_day,
    (SELECT id FROM journals ORDER BY created_at DESC, id DESC LIMIT 1) AS journal`;

/** A summary of a database's content, to tell databases apart. */
export interface Contents {
  /** The names of the applied migrations. */
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  readonly ledger: {
    readonly accounts: number;
    readonly transfers: number;
    /** The sum of all guarded accounts. */
    readonly held_cents: number;
    /** The sum of all accounts: 0, unless money was created or lost. */
    readonly sum_cents: number;
  };
  /** The newest event and journal, and the newest sealed day. */
  readonly head: {
    readonly event: string | null;
    readonly journal: string | null;
    readonly sealed_day: string | null;
  };
}

function reading<T>(file: string, look: (db: Database) => T): T {
  const db = new Database(file, { readonly: true });
  try {
    db.run('PRAGMA busy_timeout = 5000');
    // The copy is written again into the backup; waiting for the disk here would delay a running service's commits.
    db.run('PRAGMA synchronous = OFF');
    db.run('PRAGMA mmap_size = 1073741824');
    db.run('PRAGMA temp_store = MEMORY');
    return look(db);
  } finally {
    db.close();
  }
}

/** Writes the current state of a data folder's database into a new file. */
export function copyDatabase(data_dir: string, to: string): void {
  reading(join(data_dir, DATABASE_FILE), (db) => {
    keepFreePagesInCopies(db);
    db.run('VACUUM INTO ?', [to]);
  });
}

/** Whether a data folder has a database. */
export function hasDatabase(data_dir: string): boolean {
  return existsSync(join(data_dir, DATABASE_FILE));
}

export function contentsOf(file: string): Contents {
  return reading(file, (db) => {
    // Each row has the columns that its SELECT names.
    const one = <T>(sql: string): T => db.query(sql).get() as T;
    const migrations = db.query('SELECT name FROM migrations ORDER BY name').all() as { name: string }[];
    const count = (table: string) => [table, one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).n] as const;
    return {
      schema: migrations.map(({ name }) => name),
      rows: Object.fromEntries(COUNTED.map(count)),
      ledger: one<Contents['ledger']>(FIGURES),
      head: one<Contents['head']>(HEAD),
    };
  });
}

/** Each table's number of rows and the sum of their versions, which grows with each change: when both are equal, nothing was written. */
export function stampsOf(file: string): Readonly<Record<string, unknown>> {
  return reading(file, (db) => {
    const stamp = (table: string) => {
      const version = db.query(`SELECT 1 FROM pragma_table_info('${table}') WHERE name = 'version'`).get();
      const sum = version === null ? '' : ', sum(version) AS version';
      return [table, db.query(`SELECT count(*) AS n${sum} FROM ${table}`).get()] as const;
    };
    return Object.fromEntries([...COUNTED, ...CHANGING].map(stamp));
  });
}

const isMade = (db: Database): boolean =>
  db.query("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").get() !== null;

/** Whether a data folder has a database with tables in it. */
export function hasTables(data_dir: string): boolean {
  return hasDatabase(data_dir) && reading(join(data_dir, DATABASE_FILE), isMade);
}

/** The mark of a data folder, and how far its database was written; null for the database where there is none. Of a folder that is served
 * the number alone is read. */
export function markIn(
  data_dir: string,
  is_served: boolean,
): { mark: ReturnType<typeof readMark>; there: Position | null } {
  const mark = readMark(data_dir);
  if (mark === null || !hasDatabase(data_dir)) return { mark, there: null };
  const file = join(data_dir, DATABASE_FILE);
  const there = reading(file, (db) => {
    const count = countIn(db);
    // A copy made by VACUUM INTO has no log until it is served.
    if (is_served || !existsSync(`${file}-shm`)) return { count, log: null };
    const log = new LogIndex(file);
    const end = log.end();
    log.close();
    return { count, log: end };
  });
  return { mark, there };
}

/** The code of the loss where a data folder that is not served lacks writes that its mark names; else null. */
export function lossIn(data_dir: string): string | null {
  const { mark, there } = markIn(data_dir, false);
  if (mark === null || mark === 'torn') return null;
  return there === null || endsBefore(there, mark) ? lossCode(there, mark) : null;
}

/** The migrations that a data folder's database remembers; null where it has no tables. */
function appliedIn(data_dir: string): Applied[] | null {
  return reading(join(data_dir, DATABASE_FILE), (db) =>
    isMade(db) ? (db.query('SELECT * FROM migrations').all() as Applied[]) : null,
  );
}

/** The migrations that a data folder's database lacks; none when another version has changed it, which a start reports. */
export function pendingIn(data_dir: string): string[] {
  const applied = appliedIn(data_dir);
  if (applied === null || unknownAmong(applied, SQLITE_MIGRATIONS).length > 0) return [];
  const names = new Set(applied.map(({ name }) => name));
  return SQLITE_MIGRATIONS.map(({ name }) => name).filter((name) => !names.has(name));
}

/** Throws `UnknownMigrations` when another version has changed a data folder's database. */
export function refuseUnknownIn(data_dir: string): void {
  refuseUnknown(appliedIn(data_dir) ?? [], SQLITE_MIGRATIONS);
}

/** Throws `UnknownMigrations` when a newer version made the database: `release`, where that is known. */
export function refuseNewer(schema: readonly string[], release: string | null = null): void {
  refuseUnknown(
    schema.map((name) => ({ name, release })),
    SQLITE_MIGRATIONS,
  );
}

/** A note of the service (`service_notes`); null when there is none. */
export function noteIn(file: string, id: string): Record<string, unknown> | null {
  return reading(file, (db) => {
    const row = db.query('SELECT value FROM service_notes WHERE id = ?').get(id) as { value: string } | null;
    return row && (JSON.parse(row.value) as Record<string, unknown>);
  });
}

/** Writes a note into a database; durable when this returns. A service may use it meanwhile, because notes are not cached. With `fold` the
 * log is then checkpointed into the file; otherwise it stays as it is. */
export function writeNoteIn(file: string, id: string, value: Record<string, unknown>, fold: boolean): void {
  const db = new Database(file, { create: false, readwrite: true });
  try {
    db.run('PRAGMA busy_timeout = 5000');
    db.run('PRAGMA synchronous = FULL');
    db.run('PRAGMA wal_autocheckpoint = 0');
    const sql = `INSERT INTO service_notes (id, value, version) VALUES (?, ?, 1)
      ON CONFLICT (id) DO UPDATE SET value = excluded.value, version = version + 1`;
    db.run(sql, [id, JSON.stringify(value)]);
    if (fold) db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    if (fold) db.close();
    else closeUnfolded(db, file);
  }
}

/** Checks a database that is not in use: its pages, its numbers, its ledger. `say` gets the name of each step. */
export async function proveDatabase(file: string, now_ms: number, say: (what: string) => void): Promise<Problem[]> {
  const db = new Database(file, { readonly: true });
  try {
    db.run('PRAGMA mmap_size = 1073741824');
    db.run('PRAGMA temp_store = MEMORY');
    say('its pages');
    const pages = db.query('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
    const broken = pages.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    // Reads of broken pages prove nothing.
    if (broken.length > 0) return broken.map((problem) => ({ about: 'database', problem }));
    say('its inboxes, conversations and tasks');
    const { problems } = await checkRows(snapshotOf(db), now_ms, INDEX_RULES);
    say('its ledger');
    return [...problems, ...(await checkLedger(snapshotOf(db), now_ms)).problems];
  } finally {
    db.close();
  }
}
