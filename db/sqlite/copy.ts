// A copy of the embedded database, made while it is in use, and what can be said of one that nobody uses. The copying connection only
// reads: turns go on beside it, and the log grows until it is through.
import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkLedger } from '../ledger-check/check.ts';
import type { Problem } from '../ledger-check/problems.ts';
import { SQLITE_MIGRATIONS } from '../migrations/sqlite.ts';
import { refuseUnknown } from '../migrations/unknown.ts';
import { checkRows } from '../row-check/check.ts';
import { DATABASE_FILE } from './connection.ts';
import { keepFreePagesInCopies } from './free-pages.ts';
import { INDEX_RULES } from './index-rules.ts';
import { LogIndex } from './log-index.ts';
import { countIn, type Position, readMark } from './mark.ts';
import { snapshotOf } from './snapshot.ts';

/** The tables whose rows are counted. */
const COUNTED = [
  ...['accounts', 'agents', 'listings', 'matches', 'conversations', 'messages', 'events', 'tasks', 'deals'],
  ...['escrows', 'journals', 'transfers'],
] as const;

/** Beside those, what must not come back as it was: a key that was revoked since, an invitation that was used. */
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

/** What is in a database, as far as it tells one from another. */
export interface Contents {
  /** The names of the migrations that were applied. */
  readonly schema: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  readonly ledger: {
    readonly accounts: number;
    readonly transfers: number;
    /** What all guarded accounts hold. */
    readonly held_cents: number;
    /** With the platform's sides: nothing, unless money was made or lost. */
    readonly sum_cents: number;
  };
  /** The newest event and journal, and the newest day that is sealed. */
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
    // A copy is written again into the backup: to wait for the disk here would hold up the commits of a service beside it.
    db.run('PRAGMA synchronous = OFF');
    db.run('PRAGMA mmap_size = 1073741824');
    db.run('PRAGMA temp_store = MEMORY');
    return look(db);
  } finally {
    db.close();
  }
}

/** Writes the database of a data folder, as it is at this moment, into a new file. */
export function copyDatabase(data_dir: string, to: string): void {
  reading(join(data_dir, DATABASE_FILE), (db) => {
    keepFreePagesInCopies(db);
    db.run('VACUUM INTO ?', [to]);
  });
}

/** Whether a database lies in a data folder. */
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

/** Each table's number of rows and the sum of their versions, which grows with each change: as long as both stay, nothing was written. */
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
  if (!hasDatabase(data_dir)) return { mark, there: null };
  const file = join(data_dir, DATABASE_FILE);
  const there = reading(file, (db) => {
    const count = countIn(db);
    if (is_served) return { count, log: null };
    const log = new LogIndex(file);
    const end = log.end();
    log.close();
    return { count, log: end };
  });
  return { mark, there };
}

/** The migrations that the database of a data folder lacks; none where a newer version was at it, which its start tells. */
export function pendingIn(data_dir: string): string[] {
  return reading(join(data_dir, DATABASE_FILE), (db) => {
    const made = isMade(db);
    const rows = made ? (db.query('SELECT name FROM migrations').all() as { name: string }[]) : [];
    const applied = new Set(rows.map(({ name }) => name));
    return SQLITE_MIGRATIONS.map(({ name }) => name).filter((name) => made && !applied.has(name));
  });
}

/** Throws `UnknownMigrations` where a newer version made the database. */
export function refuseNewer(schema: readonly string[]): void {
  refuseUnknown(schema, SQLITE_MIGRATIONS);
}

/** A note of the service (`service_notes`); null where there is none. */
export function noteIn(file: string, id: string): Record<string, unknown> | null {
  return reading(file, (db) => {
    const row = db.query('SELECT value FROM service_notes WHERE id = ?').get(id) as { value: string } | null;
    return row && (JSON.parse(row.value) as Record<string, unknown>);
  });
}

/** Writes a note into a database; durable when this returns. A service may run on it: nothing that it keeps in memory hangs on a note. With
 * `fold` all of it is in the one file then; else the log is left to whoever copies it. */
export function writeNoteIn(file: string, id: string, value: Record<string, unknown>, fold: boolean): void {
  const last = fold ? null : new Database(file, { readonly: true });
  const db = new Database(file, { create: false, readwrite: true });
  try {
    db.run('PRAGMA busy_timeout = 5000');
    db.run('PRAGMA synchronous = FULL');
    db.run('PRAGMA wal_autocheckpoint = 0');
    last?.query('SELECT count(*) FROM migrations').get();
    const sql = `INSERT INTO service_notes (id, value, version) VALUES (?, ?, 1)
      ON CONFLICT (id) DO UPDATE SET value = excluded.value, version = version + 1`;
    db.run(sql, [id, JSON.stringify(value)]);
    if (fold) db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
    // SQLite copies the log when the last connection is closed, which one that only reads cannot do.
    last?.close();
  }
}

/** Goes through a database that nobody uses: its pages, its numbers, its ledger. `say` is told what is looked at next. */
export async function proveDatabase(file: string, now_ms: number, say: (what: string) => void): Promise<Problem[]> {
  const db = new Database(file, { readonly: true });
  try {
    db.run('PRAGMA mmap_size = 1073741824');
    db.run('PRAGMA temp_store = MEMORY');
    say('its pages');
    const pages = db.query('PRAGMA integrity_check(20)').all() as { integrity_check: string }[];
    const broken = pages.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    // What is read of broken pages proves nothing.
    if (broken.length > 0) return broken.map((problem) => ({ about: 'database', problem }));
    say('its inboxes, conversations and tasks');
    const { problems } = await checkRows(snapshotOf(db), now_ms, INDEX_RULES);
    say('its ledger');
    return [...problems, ...(await checkLedger(snapshotOf(db), now_ms)).problems];
  } finally {
    db.close();
  }
}
