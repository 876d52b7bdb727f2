// The doctor finds what was done to the rows behind the service's back, says what mends it, mends what follows from the rows alone, and
// leaves a sound service alone.
import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChecked } from '../../db/check-thread.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import type { Store } from '../../db/store.ts';
import { examineFolder } from '../../src/compose/doctor/examine.ts';
import { type Config, isConfigProblem, readConfig } from '../../src/config.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import type { Finding } from '../../src/domain/finding.ts';
import { INSTANCE } from '../../src/domain/instance.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time.ts';
import { createLog, type Log } from '../../src/log.ts';
import { start } from '../../src/main.ts';
import { ledgerCheck } from '../../src/operations/ledger/check.ts';
import { platformDoctor } from '../../src/operations/platform/doctor.ts';
import { platformWaiting } from '../../src/operations/platform/waiting.ts';
import { checkFileAfter } from '../../src/steps/file-check.ts';
import { type RestDoor, restHandler } from '../../src/transports/rest.ts';
import { onPostgres } from '../support/postgres.ts';
import { writeStored } from '../support/store.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { agentNamed, openThread } from '../support/threads.ts';

let t: TestService;
afterEach(async () => {
  await t?.close();
});

async function doctor(body: object = {}): Promise<{ ok: boolean; findings: Finding[] }> {
  const headers = { 'X-Internal-Token': t.internal_token };
  const { status, body: answered } = await t.call('POST', '/internal/doctor', { headers, body });
  expect(status).toBe(200);
  return answered;
}

const of = (findings: readonly Finding[], check: string): Finding | undefined =>
  findings.find((each) => each.check === check && each.state !== 'ok') ?? findings.find((each) => each.check === check);

async function withThread(): Promise<{ bob: string }> {
  t = await openTestService();
  const [ann, bob] = [await agentNamed(t, 'ann_doctor'), await agentNamed(t, 'bob_doctor')];
  await openThread(t, ann, bob);
  await t.rest();
  return { bob: bob.id };
}

const change = (sql: string): Promise<void> => writeStored(t.service.world.settings.data_dir, sql);

describe('a running service', () => {
  test('is well, and each check says so', async () => {
    await withThread();
    const { ok, findings } = await doctor();
    expect(findings.filter(({ state }) => state === 'wrong' || state === 'inconclusive')).toEqual([]);
    expect(ok).toBe(true);
    const checks = findings.map(({ check }) => check);
    expect(checks).toEqual(
      expect.arrayContaining(['ledger', 'inboxes', 'threads', 'tasks', 'owners', 'clock', 'backup']),
    );
    expect(checks.includes('database file')).toBe(!onPostgres);
  });

  test('that lost messages says which thread, and where to take it from', async () => {
    await withThread();
    await change('UPDATE conversations SET last_n = last_n + 2');
    const { ok, findings } = await doctor();
    expect([ok, of(findings, 'threads')]).toMatchObject([
      false,
      {
        state: 'wrong',
        found: expect.stringContaining('and there are 0 messages with'),
        mend: expect.stringContaining('backup'),
      },
    ]);
  });

  test('that names an owner who is not there says in which table', async () => {
    const { bob } = await withThread();
    await change(`UPDATE inboxes SET id = 'nobody' WHERE id = '${bob}'`);
    const { findings } = await doctor();
    expect(of(findings, 'owners')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('such as nobody'),
    });
  });

  test('has a head that is too low lifted with fix, and the next event gets a seq of its own', async () => {
    const { bob } = await withThread();
    await change(`UPDATE inboxes SET last_seq = 0 WHERE id = '${bob}'`);
    expect(of((await doctor()).findings, 'inboxes')).toMatchObject({ state: 'wrong' });
    const { findings } = await doctor({ fix: true });
    expect(of(findings, 'mended')).toMatchObject({ found: `inboxes ${bob}: its head went up to its last row` });
    expect(of(findings, 'inboxes')).toMatchObject({ state: 'ok' });
  });
});

/** The same store, whose file has a destroyed page. */
function withDamage(store: Store): Store {
  const checkFile = async (): Promise<FileChecked> => ({ ok: false, problems: ['Page 7: never used'] });
  return new Proxy(store, {
    get: (of, name) => {
      if (name === 'checkFile') return checkFile;
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

/** The same store, whose index in memory holds too much, and is `filling` or not. */
function withStrangeIndex(store: Store, vectors: { filling: boolean; size: number }): Store {
  const index = new Proxy(store.vectors, {
    get: (of, name) => {
      if (name === 'filling' || name === 'size') return vectors[name];
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
  return new Proxy(store, {
    get: (of, name) => {
      if (name === 'vectors') return index;
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

test('the index in memory is judged when it is whole', async () => {
  const vectors = { filling: true, size: 99 };
  t = await openTestService({}, 'memory', { before_store: (store) => withStrangeIndex(store, vectors) });
  expect(of((await doctor()).findings, 'index in memory')).toBeUndefined();
  vectors.filling = false;
  expect(of((await doctor()).findings, 'index in memory')).toMatchObject({ state: 'warning' });
});

test('the door waits for an examination as long as it takes, and for other operations as ever', async () => {
  t = await openTestService();
  const { pipeline, world } = t.service;
  const { addresses, settings } = world;
  const lifted: string[] = [];
  const door: RestDoor = {
    ...{ pipeline, addresses, base_url: settings.base_url, secure: false },
    ...{ ip: () => '127.0.0.1', cors: () => ({}), observe: () => {} },
    instance: INSTANCE,
    prepareStream: ({ url }) => lifted.push(new URL(url).pathname),
  };
  const headers = { 'X-Internal-Token': t.internal_token, 'Content-Type': 'application/json' };
  const call = async (operation: AnyOperation): Promise<number> => {
    const [binding] = operation.rest;
    if (!binding) throw new Error('it has no route');
    const { method, path } = binding;
    const body = method === 'POST' ? '{}' : null;
    const request = new Request(`${settings.base_url}${path}`, { method, headers, body });
    return (await restHandler(door, operation, binding)(request, {})).status;
  };
  expect([await call(platformDoctor), await call(ledgerCheck), await call(platformWaiting)]).toEqual([200, 200, 200]);
  expect(lifted).toEqual(['/internal/doctor', '/api/admin/ledger/check']);
});

test('once a week every page of the file is checked; damage is logged, and told to whoever watches', async () => {
  const said: string[] = [];
  const log: Log = { ...createLog('silent'), error: (sentence) => said.push(sentence) };
  t = await openTestService({}, 'memory', { before_store: withDamage, log });
  const { store, clock } = t.service.world;
  await store.turn({ attempt: async () => ({ reply: null, effects: [checkFileAfter(null, clock.now())] }) });
  expect((await t.call('GET', '/readyz?verbose')).body.database_file).toBe(null);
  await t.advance(HOUR_MS);
  const checked_at = expect.stringContaining('T');
  expect((await t.call('GET', '/readyz?verbose')).body.database_file).toEqual({ checked_at, problems: 1 });
  await t.advance(6 * DAY_MS);
  const once = said.filter((sentence) => sentence.includes('meshwork doctor')).length;
  await t.advance(2 * DAY_MS);
  expect([once, said.filter((sentence) => sentence.includes('meshwork doctor')).length]).toEqual([1, 2]);
});

function configOf(data_dir: string): Config {
  const config = readConfig({ DATA_DIR: data_dir, PORT: '0', LOG_LEVEL: 'silent' });
  if (isConfigProblem(config)) throw new Error(config.problem);
  return config;
}

/** A folder that was served once, with rows enough for leaf pages of their own. */
async function servedFolder(): Promise<string> {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-doctor-'));
  const running = await start(configOf(data_dir));
  await running.stop();
  using db = new Database(join(data_dir, DATABASE_FILE));
  db.run(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO codes (id, hash, data, sent_at, expires_at, tries, version) SELECT 'code-' || i, hex(randomblob(300)), '{}', 1, 9e15, 0, 1 FROM n`);
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  return data_dir;
}

/** Destroys the last page of the file, as a bad sector does: a leaf of what was written last. */
function destroyLastPage(data_dir: string, page: number): void {
  const file = join(data_dir, DATABASE_FILE);
  const bytes = new Uint8Array(statSync(file).size);
  bytes.set(readFileSync(file));
  bytes.fill(0xa5, page * 4096, (page + 1) * 4096);
  writeFileSync(file, bytes);
}

describe.skipIf(onPostgres)('a folder that nobody serves', () => {
  test('is read, and left as it is', async () => {
    const data_dir = await servedFolder();
    const findings = await examineFolder(configOf(data_dir), Date.now());
    expect(findings.filter(({ state }) => state === 'wrong' || state === 'inconclusive')).toEqual([]);
    expect(of(findings, 'secrets')).toMatchObject({ state: 'ok' });
    rmSync(data_dir, { recursive: true });
  });

  test('shows a destroyed leaf page, although every start would go well', async () => {
    const data_dir = await servedFolder();
    destroyLastPage(data_dir, statSync(join(data_dir, DATABASE_FILE)).size / 4096 - 2);
    const running = await start(configOf(data_dir));
    await running.stop();
    const findings = await examineFolder(configOf(data_dir), Date.now());
    expect(of(findings, 'database file')).toMatchObject({
      state: 'wrong',
      mend: expect.stringContaining('backup restore latest'),
    });
    rmSync(data_dir, { recursive: true });
  });

  test('that is too damaged to be opened is told in one line by a start, and by the doctor', async () => {
    const data_dir = await servedFolder();
    destroyLastPage(data_dir, 0);
    expect(start(configOf(data_dir))).rejects.toThrow(
      /DATA_DIR cannot be used: .*meshwork\.db is damaged .*meshwork doctor .*backup restore/,
    );
    const findings = await examineFolder(configOf(data_dir), Date.now());
    expect(of(findings, 'database file')).toMatchObject({ state: 'wrong' });
    expect(of(findings, 'ledger')).toMatchObject({ state: 'inconclusive' });
    rmSync(data_dir, { recursive: true });
  });

  test('of another version is refused by its name, not by the column that it lacks', async () => {
    const data_dir = await servedFolder();
    const db = new Database(join(data_dir, DATABASE_FILE));
    db.run('ALTER TABLE agents DROP COLUMN headline');
    db.run('ALTER TABLE migrations DROP COLUMN release');
    db.run("UPDATE migrations SET name = '0000_first'");
    db.close();
    const told =
      'the database was changed by another version (0000_first); start that one, restore a backup of this one';
    await expect(start(configOf(data_dir))).rejects.toThrow(`DATA_DIR cannot be used: ${told}`);
    const findings = await examineFolder(configOf(data_dir), Date.now());
    expect(of(findings, 'version')).toMatchObject({ state: 'wrong', found: expect.stringContaining(told) });
    expect(findings.map(({ check }) => check)).not.toContain('ledger');
    expect(existsSync(join(data_dir, 'backups'))).toBe(false);
    rmSync(data_dir, { recursive: true });
  });

  test('shows a lost and a strange secret, and makes none', async () => {
    const data_dir = await servedFolder();
    unlinkSync(join(data_dir, 'seal-key'));
    copyFileSync(join(data_dir, 'card-key.json'), join(data_dir, 'session-key.json'));
    const findings = await examineFolder(configOf(data_dir), Date.now());
    expect(of(findings, 'secrets')).toMatchObject({
      state: 'wrong',
      found: 'seal-key is missing, session-key.json is another one',
      mend: expect.stringContaining('--new-secrets'),
    });
    expect(await Bun.file(join(data_dir, 'seal-key')).exists()).toBe(false);
    rmSync(data_dir, { recursive: true });
  });

  test('shows a clock that was set back a day', async () => {
    const data_dir = await servedFolder();
    const findings = await examineFolder(configOf(data_dir), Date.now() - 86_400_000);
    expect(of(findings, 'clock')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('before the newest commit'),
    });
    rmSync(data_dir, { recursive: true });
  });
});
