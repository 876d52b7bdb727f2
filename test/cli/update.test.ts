// An update takes a new binary in the place of the old one, and puts the old one back where the new one does not get ready; whenever it is
// cut off, a whole binary is there, and the next call finishes it. Scripts stand for binaries.
import { Database } from 'bun:sqlite';
import { afterEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { backUpBefore, bringBack } from '../../src/compose/update.ts';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { runVerb, spawnVerb } from '../support/meshwork.ts';
import { onPostgres, sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const ENTRY = join(import.meta.dir, '../../src/cli/meshwork.ts');
const RUN = `exec ${process.execPath} --no-env-file ${ENTRY}`;

/** What a new version does to the database before it fails. */
const statement = (sql: string): string => `${process.execPath} -e '
  const { Database } = require("bun:sqlite");
  new Database(process.env.DATA_DIR + "/${DATABASE_FILE}").run(\`${sql}\`);
'`;
const MIGRATES = statement('INSERT INTO migrations (name, applied_at) VALUES ("0099_future", 0)');
const WRITES = statement(
  'INSERT INTO accounts (id, email, plan, provisional, created_at, version) VALUES ("late", "late@example.org", "free", 0, 1, 1)',
);

/** What a new version does to a PostgreSQL database, and what it says before. */
const WOULD_MIGRATE = 'if [ "$1" = migrate ]; then echo "0099_future: 1 statements"; exit; fi';
const MIGRATES_SERVER = `${process.execPath} -e '
  await new Bun.SQL(process.env.DATABASE_URL).unsafe("INSERT INTO migrations (name, applied_at) VALUES (\\$\\$0099_future\\$\\$, 0)");
  process.exit();
'`;

let folder: string;
let data: string;
let binary: string;
let old: Bun.Subprocess;
let server_url: string | null = null;

function script(name: string, serve: string): { file: string; sum: string } {
  const text = `#!/bin/sh\n# ${name}\nif [ "$1" = version ]; then echo meshwork ${name}; exit; fi\n${serve}\n`;
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return { file, sum: new Bun.CryptoHasher('sha256').update(text).digest('hex') };
}

/** Of the service. */
const serving = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...env() });
const env = (): Record<string, string> => ({
  ...{ DATA_DIR: data, PORT: '0', BACKUP_PASSPHRASE: 'of-this-test' },
  ...(server_url !== null && { DATABASE_URL: server_url }),
});
/** Null while there is none, or while it is being written. */
const pidOf = (): number | null => {
  try {
    return JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')).pid;
  } catch {
    return null;
  }
};
const serves = (): boolean => {
  const pid = pidOf();
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
};
const words = (file: string, sum: string): string[] => ['update', file, '--sha256', sum, '--binary', binary];

/** The old binary, serving. */
async function begin(): Promise<number> {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-update-'));
  data = join(folder, 'data');
  binary = script('meshwork', `${RUN} "$@"`).file;
  old = Bun.spawn([binary, 'serve'], {
    cwd: folder,
    env: serving(),
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await until(() => pidOf() !== null);
  return pidOf() ?? 0;
}

afterEach(async () => {
  const pid = pidOf();
  if (pid !== null && serves()) process.kill(pid, 'SIGTERM');
  await until(() => !serves());
  rmSync(folder, { recursive: true, force: true });
});

const nameOf = (path: string): string => readFileSync(path, 'utf8').split('\n')[1] ?? '';

describe.skipIf(onPostgres || process.platform !== 'linux')('an update', () => {
  test('takes the new binary, keeps the old one, and the service goes on in it, with a backup of before', async () => {
    const before = await begin();
    const fresh = script('meshwork-fresh', `${RUN} "$@"`);
    // What is tried is the copy that takes the place of the binary.
    chmodSync(fresh.file, 0o600);
    const { status, out, err } = await runVerb(folder, words(fresh.file, fresh.sum), env());
    expect([status, out]).toEqual([0, `the new binary serves; the old one is ${binary}.old`]);
    expect(err).toContain('a backup is in');
    expect([nameOf(binary), nameOf(`${binary}.old`)]).toEqual(['# meshwork-fresh', '# meshwork']);
    expect([serves(), pidOf() === before, existsSync(join(data, 'update.json'))]).toEqual([true, false, false]);
  });

  test('of a file with another sum changes nothing, and says the sum', async () => {
    const before = await begin();
    const fresh = script('meshwork-fresh', `${RUN} "$@"`);
    const { status, err } = await runVerb(folder, words(fresh.file, 'a'.repeat(64)), env());
    expect([status, err]).toEqual([1, `meshwork: ${fresh.file} has another sum: ${fresh.sum}; nothing was changed`]);
    expect([pidOf(), nameOf(binary), existsSync(join(data, 'backups'))]).toEqual([before, '# meshwork', false]);
    expect(existsSync(`${binary}.new`)).toBe(false);
  });

  test('to a version that migrates and fails puts the binary and the database back', async () => {
    await begin();
    const bad = script('meshwork-bad', `${MIGRATES}\nexit 3`);
    const { status, err } = await runVerb(folder, words(bad.file, bad.sum), env());
    expect([status, err]).toEqual([1, expect.stringContaining('the old binary is back and serves')]);
    expect([nameOf(binary), serves()]).toEqual(['# meshwork', true]);
    using db = new Database(join(data, DATABASE_FILE), { readonly: true });
    expect(db.query("SELECT count(*) AS n FROM migrations WHERE name = '0099_future'").get()).toEqual({ n: 0 });
  });

  test('stops where the failed version has written after its migration, and says what to do', async () => {
    await begin();
    const bad = script('meshwork-bad', `${MIGRATES}\n${WRITES}\nexit 3`);
    const { status, err } = await runVerb(folder, words(bad.file, bad.sum), env());
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/migrated the database, and since then something was written .*backup restore latest/),
    ]);
    using db = new Database(join(data, DATABASE_FILE), { readonly: true });
    expect(db.query("SELECT count(*) AS n FROM accounts WHERE id = 'late'").get()).toEqual({ n: 1 });
  });

  test('that is killed in its middle leaves a whole binary, and is finished by the next call', async () => {
    await begin();
    const bad = script('meshwork-bad', 'exec sleep 3');
    const killed = spawnVerb(folder, words(bad.file, bad.sum), env());
    await until(() => nameOf(binary) === '# meshwork-bad' && !serves());
    killed.kill('SIGKILL');
    await killed.exited;
    const { status, err } = await runVerb(folder, ['update'], env());
    expect([status, err]).toEqual([0, expect.stringContaining('was taken back')]);
    expect([nameOf(binary), serves(), existsSync(join(data, 'update.json'))]).toEqual(['# meshwork', true, false]);
  });

  test('that is killed before it ends the old process does not take that one for the new', async () => {
    const pid = await begin();
    renameSync(binary, `${binary}.old`);
    const { file, sum } = script('meshwork-fresh', `${RUN} "$@"`);
    renameSync(file, binary);
    const served = { pid, cwd: folder, env: serving(), unit: null };
    const before = { schema: null, at_ms: 0 };
    const note = { binary, old_sum: 'of the old one', new_sum: sum, before, wait_ms: 60_000, served };
    writeFileSync(join(data, 'update.json'), JSON.stringify(note));
    const { status, err } = await runVerb(folder, ['update'], env());
    expect([status, err]).toEqual([0, expect.stringContaining('is done: the new binary serves')]);
    expect([serves(), pidOf() === pid, existsSync(join(data, 'update.json'))]).toEqual([true, false, false]);
  });

  test('takes no database back where a row was changed since; a damaged backup does not stand in the way', async () => {
    await begin();
    old.kill();
    await old.exited;
    const sql = (text: string): void => {
      using db = new Database(join(data, DATABASE_FILE));
      db.run(text);
    };
    sql(`INSERT INTO api_keys (id, account_id, hash, prefix, name, kind, scopes, created_at, expires_at)
      VALUES ('key', 'one', 'hash', 'mw', 'a key', 'account', '[]', 0, 9)`);
    const config = readConfig(env());
    if (isConfigProblem(config)) throw new Error(config.problem);
    const silent = (): void => {};
    const before = await backUpBefore(config, Date.now(), silent);
    sql("INSERT INTO migrations (name, applied_at) VALUES ('0099_future', 0)");
    sql('UPDATE api_keys SET revoked_at = 1, version = version + 1');
    expect(await bringBack(config, before, Date.now(), silent)).toContain('something was written that no backup holds');
    sql('UPDATE api_keys SET revoked_at = NULL, version = version - 1');
    writeFileSync(join(data, 'backups', 'meshwork-2099-01-01T00-00-00-000Z.tar.zst'), 'damaged');
    expect(await bringBack(config, before, Date.now(), silent)).toBeNull();
    using db = new Database(join(data, DATABASE_FILE), { readonly: true });
    expect(db.query("SELECT count(*) AS n FROM migrations WHERE name = '0099_future'").get()).toEqual({ n: 0 });
  });
});

describe.skipIf(!onPostgres || process.platform !== 'linux')('an update with a database server', () => {
  const schema = async (): Promise<number> => {
    const sql = new Bun.SQL(server_url ?? '');
    const [row] = await sql.unsafe("SELECT count(*)::int AS n FROM migrations WHERE name = '0099_future'");
    await sql.close();
    return row?.n;
  };
  const beginOnServer = async (): Promise<number> => {
    server_url = (await (await sharedPostgres())?.database()) ?? '';
    return begin();
  };

  test('to a version that migrates nothing asks for no backup', async () => {
    const before = await beginOnServer();
    const fresh = script('meshwork-fresh', `${RUN} "$@"`);
    const { status, out } = await runVerb(folder, words(fresh.file, fresh.sum), env());
    expect([status, out]).toEqual([0, `the new binary serves; the old one is ${binary}.old`]);
    expect([serves(), pidOf() === before]).toEqual([true, false]);
  });

  test('to one that would migrate is refused before anything changes, unless the database was backed up', async () => {
    const before = await beginOnServer();
    const fresh = script('meshwork-fresh', `${WOULD_MIGRATE}\n${RUN} "$@"`);
    const { status, err } = await runVerb(folder, words(fresh.file, fresh.sum), env());
    expect([status, err]).toEqual([1, expect.stringMatching(/binary alone \(0099_future.*--database-backed-up$/)]);
    expect([pidOf(), nameOf(binary), existsSync(`${binary}.new`)]).toEqual([before, '# meshwork', false]);
    const again = await runVerb(folder, [...words(fresh.file, fresh.sum), '--database-backed-up'], env());
    expect([again.status, nameOf(binary)]).toEqual([0, '# meshwork-fresh']);
  });

  test('to one that migrates and fails stops, and says how to go back', async () => {
    await beginOnServer();
    const bad = script('meshwork-bad', `${WOULD_MIGRATE}\n${MIGRATES_SERVER}\nexit 3`);
    const { status, err } = await runVerb(folder, [...words(bad.file, bad.sum), '--database-backed-up'], env());
    expect([status, err]).toEqual([1, expect.stringMatching(/has migrated the database of DATABASE_URL.*pg_restore/)]);
    expect([await schema(), nameOf(binary), serves()]).toEqual([1, '# meshwork-bad', false]);
  });
});
