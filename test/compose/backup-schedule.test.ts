// A service that makes its backups by itself: on time, proved, told in its figures, and only as many as are to stay.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteById } from '../../db/queries/turn.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { backUpBeforeMigration } from '../../src/compose/backup/before-migration.ts';
import { createBackup, placeOf } from '../../src/compose/backup/create.ts';
import { scheduleBackups } from '../../src/compose/backup/schedule.ts';
import { type Config, isConfigProblem, readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { type Running, start } from '../../src/main.ts';
import { BACKUP_NOTE } from '../../src/steps/backup/standing.ts';
import { type Bucket, openBucket } from '../support/bucket.ts';
import { onPostgres } from '../support/postgres.ts';

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'meshwork-schedule-'));
let bucket: Bucket;
beforeAll(() => {
  bucket = openBucket();
});
afterAll(async () => {
  await bucket.stop();
  rmSync(folder, { recursive: true, force: true });
});

function configOf(env: Record<string, string>): Config {
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...env });
  if (isConfigProblem(config)) throw new Error(config.problem);
  return config;
}

function served(name: string, env: Record<string, string> = {}): Promise<Running> {
  return start(configOf({ DATA_DIR: join(folder, name), ...env }));
}

test.skipIf(onPostgres)('backups are made in a bucket, proved, told, and pruned', async () => {
  const running = await served('scheduled');
  const { store } = running.service.world;
  const s3 = { S3_ENDPOINT: bucket.endpoint, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', S3_REGION: 'here' };
  const config = configOf({
    ...{ DATA_DIR: join(folder, 'scheduled'), BACKUP_DIR: 's3://kept/mesh', BACKUP_SCHEDULE: '24h', BACKUP_KEEP: '3' },
    ...{ BACKUP_PASSPHRASE: 'a passphrase', ...s3 },
  });
  bucket.objects.set('mesh/meshwork-notes.txt', new Uint8Array(3));
  let now_ms = Date.now();
  const backups = scheduleBackups(config, store, { now: () => now_ms }, createLog('silent', 'json'));
  for (let n = 0; n < 5; n += 1) {
    await backups.look();
    // Nothing is due a second time.
    await backups.look();
    now_ms += DAY_MS;
  }
  const kept = await placeOf(config).list();
  expect(kept.map(({ made_at }) => (now_ms - made_at) / DAY_MS)).toEqual([1, 2, 3]);
  expect(bucket.objects.has('mesh/meshwork-notes.txt')).toBe(true);
  const note = await store.read(noteById, { id: BACKUP_NOTE });
  expect(note?.value).toMatchObject({
    proof: { result: 'ok', problems: [], name: kept[0]?.name ?? '' },
    failure: null,
  });
  expect(note?.value).toMatchObject({ last: { name: kept[0]?.name ?? '', encrypted: true, ledger: { sum_cents: 0 } } });
  const ready = await (await fetch(`${running.url}/readyz?verbose`)).json();
  expect(ready.backup).toMatchObject({ encrypted: true, proof: { result: 'ok' }, failed_at: null });
  expect(JSON.stringify(ready.backup)).not.toContain('sum');
  const figures = await (await fetch(`${running.url}/metrics`)).text();
  expect(figures).toContain('meshwork_backup_proof{result="ok"} 1');
  expect(figures).toMatch(/meshwork_backup_bytes \d+/);
  // A source that ends too early leaves no object that looks like a backup.
  const cut = async function* (): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(9);
    throw new Error('cut off');
  };
  await expect(placeOf(config).write('meshwork-2020-01-01T00-00-00-000Z.tar.zst', cut())).rejects.toThrow('cut off');
  expect(await placeOf(config).list()).toEqual(kept);
  // A bucket that is away is a failure that is told, and tried again later.
  await bucket.stop();
  await backups.look();
  expect((await store.read(noteById, { id: BACKUP_NOTE }))?.value['failure']).not.toBeNull();
  await backups.stop();
  bucket = openBucket();
  await running.stop();
});

test.skipIf(onPostgres)('a service that is stopped in the middle of a backup leaves nothing of it', async () => {
  const data_dir = join(folder, 'stopped');
  const running = await served('stopped');
  const { store } = running.service.world;
  const config = configOf({ DATA_DIR: data_dir, BACKUP_SCHEDULE: '24h' });
  const backups = scheduleBackups(config, store, { now: () => Date.now() }, createLog('silent', 'json'));
  const looking = backups.look();
  while (!readdirSync(data_dir).some((name) => name.startsWith('backup.tmp-')))
    await new Promise((resolve) => setImmediate(resolve));
  await backups.stop();
  await looking;
  expect(await store.read(noteById, { id: BACKUP_NOTE })).toBeNull();
  await running.stop();
  const left = readdirSync(data_dir, { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.startsWith('backup.tmp-') || name.endsWith('.partial'))).toEqual([]);
  expect(await placeOf(config).list()).toEqual([]);
});

test.skipIf(onPostgres)('a database is backed up before it is migrated, unless that is off', async () => {
  await (await served('migrated')).stop();
  const data_dir = join(folder, 'migrated');
  const db = new Database(join(data_dir, DATABASE_FILE));
  db.run('DELETE FROM migrations');
  db.close();
  cpSync(data_dir, join(folder, 'unwatched'), { recursive: true });
  // The migration itself fails, since its tables are there.
  await expect(served('migrated')).rejects.toThrow('already exists');
  const config = configOf({ DATA_DIR: data_dir });
  const place = placeOf(config);
  expect(await place.list()).toHaveLength(1);
  // A service that fails at each start makes no other as long as nothing was written, and keeps three of its own where it was.
  const log = createLog('silent', 'json');
  await backUpBeforeMigration(config, Date.now(), log);
  expect(await place.list()).toHaveLength(1);
  const by_hand = await createBackup(config, place, 1, () => {});
  for (let n = 1; n <= 4; n += 1) {
    const now_ms = Date.now() + n * 1_000;
    utimesSync(join(data_dir, `${DATABASE_FILE}-wal`), now_ms / 1_000, now_ms / 1_000 - 0.5);
    await backUpBeforeMigration(config, now_ms, log);
  }
  const kept = (await place.list()).map(({ name }) => name);
  expect([kept.length, kept.at(-1)]).toEqual([4, by_hand.name]);
  await expect(served('unwatched', { BACKUP_BEFORE_MIGRATION: 'off' })).rejects.toThrow('already exists');
  expect(existsSync(join(folder, 'unwatched', 'backups'))).toBe(false);
});

test.skipIf(onPostgres)(
  'with CHECKPOINTS=external the log is never copied by the service, not at its end either',
  async () => {
    const data_dir = join(folder, 'external');
    const file = join(data_dir, DATABASE_FILE);
    await (await served('external')).stop();
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    const before = readFileSync(file);
    const running = await served('external', { CHECKPOINTS: 'external' });
    await fetch(`${running.url}/readyz`);
    await running.stop();
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);
