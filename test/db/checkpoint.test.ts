// After a sync of the database that failed the log stays whole: nothing is copied any more, however much is written.
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insert } from '../../db/effects.ts';
import { Checkpointer, type Copied } from '../../db/sqlite/checkpoint.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import type { LogIndex } from '../../db/sqlite/log-index.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
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

/** Runs work while threads give this answer, or none. */
async function withThread(answer: Copied | null, work: () => Promise<void>): Promise<void> {
  const { Worker } = globalThis;
  class Thread {
    onmessage: ((message: { data: Copied }) => void) | null = null;
    postMessage(): void {
      if (answer) setImmediate(() => this.onmessage?.({ data: answer }));
    }
    ref(): void {}
    unref(): void {}
    terminate(): void {}
  }
  globalThis.Worker = Thread as unknown as typeof Worker;
  try {
    await work();
  } finally {
    globalThis.Worker = Worker;
  }
}

const HANGS = null;
test('closing does not wait for ever for a sync that hangs, which counts as failed', async () => {
  await withThread(HANGS, async () => {
    const told: string[] = [];
    const hooks = {
      between: () => {},
      copied: () => {},
      failed: () => {},
      unsynced: (error: unknown) => told.push(String(error)),
      watch: new StoreWatch(),
    };
    const log = { frames: () => 1 } as unknown as LogIndex;
    const checkpoints = new Checkpointer('nowhere', { writer: {} as Database, log }, 1, hooks);
    checkpoints.countTurns(1);
    await checkpoints.close(20);
    expect(told).toEqual(['Error: a sync of the database has not ended after 20 ms']);
    expect(checkpoints.unsynced).toBe(true);
  });
});

test('a store of which a sync failed copies nothing when it closes, and the next start finds all', async () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-checkpoint-'));
  const options = { data_dir, sealer: { seal: (plain: string) => plain }, dimensions: 8, model: 'm', now_ms: 0 };
  await withThread({ failed: 'disk I/O error', unsynced: true }, async () => {
    const store = openSqliteStore({ ...options, log_frames: 1 });
    const row = { id: 'code', hash: 'h', data: {}, sent_at: 1, expires_at: 2 };
    await store.turn({ attempt: async () => ({ reply: null, effects: [insert('codes', row)] }) });
    await until(() => store.troubles.sync > 0);
    await store.close();
  });
  expect(statSync(join(data_dir, `${DATABASE_FILE}-wal`)).size).toBeGreaterThan(0);
  const next = openSqliteStore(options);
  await next.close();
  using db = new Database(join(data_dir, DATABASE_FILE), { readonly: true });
  expect(db.query('SELECT id FROM codes').values()).toEqual([['code']]);
  rmSync(data_dir, { recursive: true });
});
