// What deleting leaves empty goes back to the disk in small steps, and a file from before that was asked for gets there by a copy.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { copyDatabase } from '../../db/sqlite/copy.ts';
import { freePages, giveBackPages } from '../../db/sqlite/free-pages.ts';

let data_dir: string;
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'free-pages-'));
});
afterEach(() => rmSync(data_dir, { recursive: true }));

/** Fills a file with twelve MiB and deletes them. */
function fillAndDelete(db: Database): void {
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, data BLOB)');
  db.transaction(() => {
    for (let id = 0; id < 3_000; id++) db.run('INSERT INTO t VALUES (?, zeroblob(4000))', [id]);
  })();
  db.run('DELETE FROM t WHERE id < 2990');
}

test('a step gives back a hundred pages, until few are left over', () => {
  const { writer, unlock } = connect(data_dir);
  fillAndDelete(writer);
  const before = freePages(writer);
  expect(before).toBeGreaterThan(2_900);
  const steps: number[] = [];
  for (let pages = giveBackPages(writer); pages > 0; pages = giveBackPages(writer)) steps.push(pages);
  expect(Math.max(...steps)).toBe(100);
  expect(freePages(writer)).toBe(1_024);
  expect(before - steps.reduce((sum, pages) => sum + pages, 0)).toBe(1_024);
  writer.run('PRAGMA wal_checkpoint(TRUNCATE)');
  expect(statSync(join(data_dir, DATABASE_FILE)).size).toBeLessThan(1_100 * 4_096);
  expect(writer.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  writer.close();
  unlock();
});

test('a file that cannot give pages back is left alone, and its copy can', () => {
  const old = new Database(join(data_dir, DATABASE_FILE), { create: true });
  old.run('PRAGMA journal_mode = WAL');
  fillAndDelete(old);
  expect(giveBackPages(old)).toBe(0);
  const copy = join(data_dir, 'copy.db');
  copyDatabase(data_dir, copy);
  const copied = new Database(copy, { readwrite: true });
  copied.run('DROP TABLE t');
  fillAndDelete(copied);
  expect(giveBackPages(copied)).toBe(100);
  copied.close();
  old.close();
});
