// After a sync of the database that failed the log stays whole: nothing is copied any more, however much is written.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpointer } from '../../db/sqlite/checkpoint.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import type { LogIndex } from '../../db/sqlite/log-index.ts';
import { StoreWatch } from '../../db/store-work.ts';
import { until } from '../support/until.ts';

/** How often copies are tried after one that failed with this code. */
async function copiesAfter(code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-checkpoint-'));
  const db = new Database(join(folder, DATABASE_FILE), { create: true });
  db.run('PRAGMA journal_mode = WAL');
  db.run('CREATE TABLE things (id INTEGER)');
  let [tried, failed, unsynced] = [0, 0, 0];
  const refuse = (): never => {
    tried += 1;
    throw Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', code });
  };
  const writer = { run: refuse } as unknown as Database;
  const log = { frames: () => 1 } as unknown as LogIndex;
  const hooks = {
    between: (work: () => void) => work(),
    copied: () => {},
    failed: () => {
      failed += 1;
    },
    unsynced: () => {
      unsynced += 1;
    },
    watch: new StoreWatch(),
  };
  const checkpoints = new Checkpointer(folder, { writer, log }, 1, hooks);
  const write = async (): Promise<void> => {
    checkpoints.countTurns(1);
    await Bun.sleep(1);
  };
  await until(async () => {
    await write();
    return tried > 0;
  });
  for (let n = 0; n < 200; n += 1) await write();
  await checkpoints.close();
  db.close();
  rmSync(folder, { recursive: true });
  return { tried, failed, unsynced, whole: checkpoints.unsynced };
}

test('a copy whose sync failed is the last one, and is told once', async () => {
  expect(await copiesAfter('SQLITE_IOERR_FSYNC')).toEqual({ tried: 1, failed: 0, unsynced: 1, whole: true });
});

test('a copy that found no room is tried again', async () => {
  const { tried, failed, unsynced, whole } = await copiesAfter('SQLITE_FULL');
  expect([tried > 1, failed, unsynced, whole]).toEqual([true, tried, 0, false]);
});
