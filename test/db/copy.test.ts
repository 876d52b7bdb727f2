// A copy between the engines takes every table of the schema, every value as it is, and leaves nothing where it was not right.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns } from 'drizzle-orm';
import type { CopySource, CopyTarget } from '../../db/copy/ends.ts';
import { fromPostgres, intoPostgres } from '../../db/copy/postgres.ts';
import { copyRows } from '../../db/copy/rows.ts';
import { fromSqlite, intoSqlite } from '../../db/copy/sqlite.ts';
import type { Stored } from '../../db/ledger-check/snapshot.ts';
import { migrateSqlite } from '../../db/migrations/migrate.ts';
import { tables } from '../../db/schema/sqlite.ts';
import type { TableName } from '../../db/schema/tables.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { hubRows, SQLITE_DIALECT } from '../support/hub-rows.ts';
import { sharedPostgres } from '../support/postgres.ts';

const postgres = await sharedPostgres();

const folder = mkdtempSync(join(tmpdir(), 'meshwork-copy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const endOf = (name: string) => ({ folder: join(folder, name), secret_files: ['seal-key'], dimensions: 8 });
const silent = (): void => {};

const DIFFICULT = [
  '',
  ' ',
  'Grüße 🌍 ﷺ',
  '{"a":"\\"b\\\\"}',
  '{NULL,"x"}',
  "it's",
  '\u0001\t\r\n',
  'NULL',
  '\\N',
  '𝒳'.repeat(900),
];

function empty(name: string): Database {
  const end = endOf(name);
  mkdirSync(end.folder);
  writeFileSync(join(end.folder, 'seal-key'), 'a secret\n');
  const db = new Database(join(end.folder, DATABASE_FILE), { create: true });
  db.run('PRAGMA synchronous = OFF');
  migrateSqlite(db, 0);
  return db;
}

/** A folder whose database has rows in every table, by the schema alone. */
function filled(name: string): void {
  const db = empty(name);
  const everyColumn = (table: string): ReadonlySet<string> =>
    new Set(Object.values(getTableColumns(tables[table as TableName])).map((column) => column.name));
  for (const statement of hubRows(tables, SQLITE_DIALECT, everyColumn)) db.run(statement);
  const put = db.query('INSERT INTO codes (id, hash, data, tries, sent_at, expires_at) VALUES (?, ?, ?, 0, 0, ?)');
  for (const [at, text] of DIFFICULT.entries()) put.run(`difficult ${at}`, text, text, Number.MAX_SAFE_INTEGER);
  db.run('UPDATE listing_vectors SET vector = ?, terms = NULL', [new Uint8Array([0, 1, 127, 128, 255, 92, 34, 10])]);
  db.close();
}

class Copied extends Error {}

describe.skipIf(!postgres)('a copy', () => {
  let url = '';
  beforeAll(async () => {
    url = (await postgres?.database()) ?? '';
    filled('source');
  });

  /** Copies into the database, and rolls back: the rows are no service that could be proved. */
  const intoDatabase = (source: CopySource, look: (target: CopyTarget) => Promise<void>): Promise<void> =>
    intoPostgres(
      url,
      0,
      async (target) => {
        await copyRows(source, target, silent);
        await look(target);
        throw new Copied();
      },
      silent,
    ).catch((error) => {
      if (!(error instanceof Copied)) throw error;
    });

  test('takes every table there and back, value by value, and tells how far it is', async () => {
    const heard: [number, number][] = [];
    await fromSqlite(endOf('source'), (source) =>
      intoDatabase(source, async (target) => {
        await intoSqlite(
          endOf('back'),
          0,
          async (back) => {
            const rows = await copyRows(target, back, (done, all) => heard.push([done, all]));
            expect(Object.keys(rows).sort()).toEqual(Object.keys(tables).sort());
            expect(Object.values(rows).every((n) => n >= 3_000)).toBe(true);
            const texts = await back.rows("SELECT hash FROM codes WHERE id LIKE 'difficult%' ORDER BY id");
            expect(texts.map(({ hash }) => String(hash))).toEqual(DIFFICULT);
            throw new Copied();
          },
          silent,
        ).catch((error) => {
          if (!(error instanceof Copied)) throw error;
        });
      }),
    );
    const [done, all] = heard.at(-1) ?? [];
    expect(done).toBe(all);
    // Nothing that failed is left, at either end.
    expect(readdirSync(folder)).toEqual(['source']);
    await fromPostgres(url, async (source) => {
      expect(await source.rows('SELECT id FROM codes')).toEqual([]);
    });
  });

  test('of which a row is read back otherwise, or not at all, is refused', async () => {
    const changed = (rows: readonly Stored[]): readonly Stored[] =>
      rows.map((row) => (row['id'] === 'difficult 5' ? { ...row, data: 'its' } : row));
    const lost = (rows: readonly Stored[]): readonly Stored[] => rows.filter(({ id }) => id !== 'difficult 5');
    for (const wrong of [changed, lost]) {
      await fromSqlite(endOf('source'), async (source) => {
        const copy = (target: CopyTarget): Promise<unknown> =>
          copyRows(source, { ...target, put: (shape, rows) => target.put(shape, wrong(rows)) }, silent);
        await expect(intoSqlite(endOf('never'), 0, copy, silent)).rejects.toThrow('codes was read back otherwise');
        await expect(intoPostgres(url, 0, copy, silent)).rejects.toThrow('codes was read back otherwise');
      });
    }
    expect(existsSync(join(folder, 'never'))).toBe(false);
  });

  test('is refused into a folder with files', async () => {
    mkdirSync(join(folder, 'taken'));
    writeFileSync(join(folder, 'taken', 'a file'), '');
    await expect(intoSqlite(endOf('taken'), 0, async () => {}, silent)).rejects.toThrow('is not empty');
  });

  test('empties no folder that another program made where it would be prepared', async () => {
    const beside = join(folder, 'mine.copying');
    mkdirSync(beside);
    writeFileSync(join(beside, 'a file'), '');
    await expect(intoSqlite(endOf('mine'), 0, async () => {}, silent)).rejects.toThrow('has other files');
    expect(readdirSync(beside)).toEqual(['a file']);
    rmSync(beside, { recursive: true });
  });

  test('waits for no lock of another program, and obeys no limit of the role', async () => {
    const sql = new Bun.SQL(url, { max: 1 });
    const [row] = await sql.unsafe('SELECT current_database() AS name, current_user AS role');
    for (const [name, value] of [
      ['statement_timeout', '50ms'],
      ['idle_in_transaction_session_timeout', '50ms'],
    ])
      await sql.unsafe(`ALTER DATABASE ${row?.name} SET ${name} = '${value}'`);
    await fromPostgres(url, async (source) => {
      await Bun.sleep(200);
      const [slow] = await source.rows("SELECT pg_sleep(0.2), current_setting('application_name') AS name");
      expect(String(slow?.['name'])).toBe('meshwork-alone');
    });
    await sql.begin(async (other) => {
      await other.unsafe("SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE");
      await expect(fromPostgres(url, async () => {})).rejects.toThrow('holds the lock of migrations');
    });
    for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await sql.unsafe(`ALTER DATABASE ${row?.name} RESET ${name}`);
    await sql.close();
  });

  test('proves the ledger and the inboxes before anything is kept', async () => {
    for (const [wrong, fault, about] of [
      ['inbox', "INSERT INTO inboxes (id, last_seq) VALUES ('someone', 5)", 'inboxes someone'],
      ['ledger', "INSERT INTO ledger_accounts (id, balance_cents) VALUES ('wallet:someone', 7)", 'ledger'],
    ] as const) {
      empty(wrong).run(fault);
      await fromSqlite(endOf(wrong), async (source) => {
        const copy = (target: CopyTarget): Promise<unknown> => copyRows(source, target, silent);
        for (const copied of [
          () => intoPostgres(url, 0, copy, silent),
          () => intoSqlite(endOf('never'), 0, copy, silent),
        ])
          await expect(copied()).rejects.toThrow(about);
      });
    }
    expect(existsSync(join(folder, 'never'))).toBe(false);
    await fromPostgres(url, async (source) => expect(await source.rows('SELECT id FROM inboxes')).toEqual([]));
  });

  test('of a folder in use, of one without a database and of a foreign database is refused', async () => {
    const nothing = async (): Promise<void> => {};
    await fromSqlite(endOf('source'), async () => {
      await expect(fromSqlite(endOf('source'), nothing)).rejects.toThrow('another process uses');
    });
    await expect(fromSqlite(endOf('nowhere'), nothing)).rejects.toThrow('no database is in');
    const fresh = (await postgres?.database()) ?? '';
    await expect(fromPostgres(fresh, nothing)).rejects.toThrow('no service has used');
  });
});
