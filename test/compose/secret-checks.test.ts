// A database is served with the secrets that it was made with, or with none: a start with others names them and is refused, until
// somebody gives up what hangs on them.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { type Running, start } from '../../src/main.ts';
import { onPostgres, sharedPostgres } from '../support/postgres.ts';

let data_dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-secrets-'));
  env = { DATA_DIR: data_dir, PORT: '0', LOG_LEVEL: 'silent' };
  if (onPostgres) env['DATABASE_URL'] = (await (await sharedPostgres())?.migrated()) ?? '';
});
afterEach(() => rmSync(data_dir, { recursive: true, force: true }));

function open(new_secrets = false): Promise<Running> {
  const config = readConfig(env);
  if (isConfigProblem(config)) throw new Error(config.problem);
  return start(config, {}, { new_secrets });
}
/** Serves for a moment; answers why that was refused, if it was. */
async function refusal(new_secrets = false): Promise<string | null> {
  try {
    await (await open(new_secrets)).stop();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const SECRETS = ['seal-key', 'session-key.json', 'card-key.json', 'document-key.json', 'push-key.json'];

test.skipIf(onPostgres)(
  'a start without a secret of the database names it, makes none, and goes on with the copy',
  async () => {
    expect(await refusal()).toBeNull();
    const copies = SECRETS.map((name) => [join(data_dir, name), readFileSync(join(data_dir, name))] as const);
    for (const [file] of copies) rmSync(file);
    const told = await refusal();
    for (const name of SECRETS) expect(told).toContain(`${name} is missing`);
    expect(copies.filter(([file]) => existsSync(file))).toEqual([]);
    for (const [file, copy] of copies) writeFileSync(file, copy);
    expect(await refusal()).toBeNull();
  },
);

test.skipIf(onPostgres)('another secret is refused as well, until what hangs on it is given up', async () => {
  expect(await refusal()).toBeNull();
  const file = join(data_dir, 'seal-key');
  writeFileSync(file, `${Buffer.alloc(32, 7).toString('base64url')}\n`);
  const told = await refusal();
  expect(told).toContain('seal-key is another one.');
  expect(told).toContain('--new-secrets');
  expect(told).not.toContain('session-key.json');
  expect(await refusal(true)).toBeNull();
  expect(await refusal()).toBeNull();
});

test.skipIf(onPostgres)('keys that sign may be changed one after the other', async () => {
  expect(await refusal()).toBeNull();
  const other = mkdtempSync(join(tmpdir(), 'meshwork-secrets-other-'));
  const keysOf = (dir: string): unknown[] => JSON.parse(readFileSync(join(dir, 'session-key.json'), 'utf8')).keys;
  const own = env;
  env = { ...env, DATA_DIR: other };
  expect(await refusal()).toBeNull();
  env = own;
  const [old, fresh] = [keysOf(data_dir), keysOf(other)];
  rmSync(other, { recursive: true });
  const write = (keys: unknown[]): void => writeFileSync(join(data_dir, 'session-key.json'), JSON.stringify({ keys }));
  write([...fresh, ...old]);
  expect(await refusal()).toBeNull();
  write(fresh);
  expect(await refusal()).toBeNull();
  write(old);
  expect(await refusal()).toContain('session-key.json is another one.');
});

test.skipIf(!onPostgres)('nodes share the secrets of their database, and one that was lost there is told', async () => {
  expect(await refusal()).toBeNull();
  env = { ...env, DATA_DIR: mkdtempSync(join(tmpdir(), 'meshwork-secrets-node-')) };
  expect(await refusal()).toBeNull();
  const sql = new Bun.SQL(env['DATABASE_URL'] ?? '');
  await sql.unsafe("DELETE FROM secrets WHERE id = 'seal-key'");
  await sql.close({ timeout: 0 });
  expect(await refusal()).toContain('seal-key is missing.');
  expect(await refusal(true)).toBeNull();
  expect(await refusal()).toBeNull();
});
