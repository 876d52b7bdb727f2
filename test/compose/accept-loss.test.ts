// A start on a database that lost writes says what to do, and goes on only where the loss is accepted: then a new epoch begins, and what
// was due waits. A restored backup is no loss.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { readMark } from '../../db/sqlite/mark.ts';
import { createBackup, placeOf } from '../../src/compose/backup/create.ts';
import { restoreBackup } from '../../src/compose/backup/restore.ts';
import { findBackup } from '../../src/compose/backup/unpack.ts';
import { examineFolder } from '../../src/compose/doctor/examine.ts';
import { type Config, isConfigProblem, readConfig, UnusableSetting } from '../../src/config.ts';
import { type Accepted, type Running, start } from '../../src/main.ts';
import { onPostgres } from '../support/postgres.ts';

let config: Config;
beforeEach(() => {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-loss-'));
  const read = readConfig({ DATA_DIR: data_dir, PORT: '0', LOG_LEVEL: 'silent' });
  if (isConfigProblem(read)) throw new Error(read.problem);
  config = read;
});
afterEach(() => rmSync(config.dataDir, { recursive: true, force: true }));

async function served<T>(look: (running: Running) => T, accepted: Accepted = {}): Promise<T> {
  const running = await start(config, {}, accepted);
  try {
    return look(running);
  } finally {
    await running.stop();
  }
}
const stateOf = () => served(({ service }) => service.world.restored.state);
const markState = async () =>
  (await examineFolder(config, Date.now())).find(({ check }) => check === 'high-water mark');

/** Puts the database of before a run in its place. */
async function losing(): Promise<void> {
  const [file, old] = [join(config.dataDir, DATABASE_FILE), join(config.dataDir, 'old.db')];
  await served(() => null);
  copyFileSync(file, old);
  await served(() => null);
  copyFileSync(old, file);
}

/** The code of the loss for which a start is refused. */
async function refusedCode(): Promise<string> {
  const error = await start(config).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UnusableSetting)) throw new Error('it started');
  expect(error.may_pass).toBe(false);
  const words =
    /^DATA_DIR cannot be used: acknowledged writes are missing in .* ends at position \d.* names \d.*backup restore latest --replace; .*serve --accept-loss ([0-9a-f]{8})$/;
  return words.exec(error.message)?.[1] ?? error.message;
}

test.skipIf(onPostgres)('a loss is refused with the next steps, told by the doctor, and accepted once', async () => {
  await losing();
  expect(await markState()).toMatchObject({ state: 'wrong', mend: expect.stringContaining('serve --accept-loss') });
  const code = await refusedCode();
  expect(await markState()).toMatchObject({ mend: expect.stringMatching(new RegExp(`serve --accept-loss ${code}$`)) });
  const at = Date.now();
  const accepted = await served(({ service }) => service.world.restored.state, { loss: code });
  expect(accepted).toMatchObject({ held: true, backup_at: null });
  expect(accepted.epoch).toBeGreaterThanOrEqual(Math.floor(at / 1_000));
  expect((await stateOf()).epoch).toBe(accepted.epoch);
  expect(await markState()).toMatchObject({ state: 'ok' });
});

test.skipIf(onPostgres)('an acceptance that was left in a unit accepts no later loss', async () => {
  await losing();
  const first = await refusedCode();
  await served(() => null, { loss: first });
  await losing();
  await expect(start(config, {}, { loss: first })).rejects.toThrow('acknowledged writes are missing');
  expect(await refusedCode()).not.toBe(first);
});

test.skipIf(onPostgres)('a start that is refused makes no backup before a migration', async () => {
  await losing();
  const db = new Database(join(config.dataDir, DATABASE_FILE));
  db.run('DELETE FROM migrations');
  db.close();
  await expect(start(config, {}, { loss: 'another' })).rejects.toThrow('acknowledged writes are missing');
  expect(existsSync(join(config.dataDir, 'backups'))).toBe(false);
});

test.skipIf(onPostgres)('to accept a loss where there is none changes nothing', async () => {
  await served(() => null, { loss: '00c0ffee' });
  const { epoch, held } = await served(({ service }) => service.world.restored.state, { loss: '00c0ffee' });
  expect([epoch, held]).toEqual([1, false]);
});

test.skipIf(onPostgres)('a backup that is restored into the place of a newer database is served', async () => {
  await served(() => null);
  const { address } = await createBackup(config, placeOf(config), Date.now(), () => {});
  await served(() => null);
  const asked = { folder: config.dataDir, replace: true, now_ms: Date.now() };
  await restoreBackup(
    config,
    () => findBackup(config, address),
    asked,
    () => {},
  );
  expect(readMark(config.dataDir)).toBeNull();
  expect(await stateOf()).toMatchObject({ held: true });
  expect(readMark(config.dataDir)).toMatchObject({ count: expect.any(Number) });
});
