// What a process leaves behind when it crashes, refuses or tells of its settings holds no secret of its environment, and its files are
// readable by nobody else.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { showConfig, shownSettings } from '../../src/config/show.ts';
import { VARIABLES, type Variable } from '../../src/config/variables.ts';
import { until } from '../support/until.ts';

const ENTRY = join(import.meta.dir, '../../src/cli/meshwork.ts');
const HUSH = 'hushhushhushhushhush';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-hush-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Services that nobody listens for, with a password each. */
const SECRETS = {
  STRIPE_SECRET_KEY: `sk_test_${HUSH}`,
  STRIPE_WEBHOOK_SECRET: HUSH,
  SMTP_URL: `smtp://user:${HUSH}@127.0.0.1:9`,
  SMS_URL: `http://user:${HUSH}@127.0.0.1:9/`,
  LLM_KEY: HUSH,
  EMBEDDINGS_KEY: HUSH,
  GITHUB_CLIENT_SECRET: HUSH,
  INTERNAL_TOKEN: HUSH,
  BACKUP_PASSPHRASE: HUSH,
  S3_SECRET_ACCESS_KEY: HUSH,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${HUSH}`,
};
const PLAIN = {
  ...{
    PAYMENTS: 'stripe',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    GITHUB_CLIENT_ID: 'x',
    LLM_URL: 'http://127.0.0.1:9',
  },
  ...{ LLM_MODEL: 'm', EMBEDDINGS_URL: 'http://127.0.0.1:9', EMBEDDINGS_MODEL: 'm', LOG_LEVEL: 'trace' },
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
};

test('a crash prints and stores no secret, and others read none of its files', async () => {
  const data_dir = join(folder, 'data');
  const out = join(folder, 'out');
  const child = Bun.spawn(
    ['sh', '-c', 'umask 000; exec "$@"', 'sh', process.execPath, '--no-env-file', ENTRY, 'serve'],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: data_dir, ...PLAIN, ...SECRETS },
      stdout: Bun.file(out),
      stderr: Bun.file(join(folder, 'err')),
    },
  );
  const said = (): string => ['out', 'err'].map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  await until(() => said().includes('listening on'));
  const [, url = ''] = /listening on (\S+)/.exec(said()) ?? [];
  // Each of these calls a service that is not there, whose error is logged.
  const body = JSON.stringify({ email: 'ann@example.org' });
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${url}/api/auth/signup/start`, { method: 'POST', headers, body });
  await until(() => said().includes('a delivery failed'));
  child.kill('SIGSEGV');
  await child.exited;
  expect(said()).toContain('Segmentation fault');
  expect(said()).not.toContain('hush');
  const files = readdirSync(data_dir, { recursive: true, encoding: 'utf8' }).map((name) => join(data_dir, name));
  expect(files.filter((file) => (statSync(file).mode & 0o077) !== 0)).toEqual([]);
  expect(files.filter((file) => statSync(file).isFile() && readFileSync(file, 'latin1').includes(HUSH))).toEqual([]);
});

test('the unit keeps no memory of a crash, which would hold all of them', async () => {
  const unit = await Bun.file(join(import.meta.dir, '../../scripts/package/meshwork.service')).text();
  expect(unit).toMatch(/^LimitCORE=0$/m);
});

test('the settings are told without any password in them, whatever holds it', () => {
  const all = Object.values<Variable<unknown>>(VARIABLES);
  for (const { name } of all) {
    const told = showConfig(shownSettings({ [name]: `https://user:${HUSH}@host.example/path?x=1` }));
    expect([name, told.includes(HUSH)]).toEqual([name, false]);
  }
  const kept = showConfig(
    shownSettings({ LLM_URL: 'https://host.example/v1', EMBEDDINGS_URL: 'https://u:p@host.example/v1' }),
  );
  expect(kept).toMatch(/^LLM_URL +https:\/\/host\.example\/v1 /m);
  expect(kept).toMatch(/^EMBEDDINGS_URL +https:\/\/\(not shown\)@host\.example\/v1 /m);
});

const REFUSED: readonly Readonly<Record<string, string>>[] = [
  { DATABASE_URL: `postgres://user:${HUSH}@127.0.0.1:9/x` },
  { DATABASE_URL: `mysql://user:${HUSH}@127.0.0.1:9/x` },
  { SMTP_URL: `ftp://user:${HUSH}@127.0.0.1` },
  { STRIPE_SECRET_KEY: HUSH },
  { OTEL_EXPORTER_OTLP_HEADERS: `a=b,Bearer ${HUSH}` },
  { S3_SECRET_ACCESS_KEY: `${HUSH} ${HUSH}` },
  { LLM_URL: `ftp://user:${HUSH}@127.0.0.1` },
];

test.each(REFUSED)('a start that is refused does not quote what is wrong: %p', async (env) => {
  const child = Bun.spawn([process.execPath, '--no-env-file', ENTRY, 'serve'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: join(folder, 'refused'), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(code).not.toBe(0);
  expect(err).toContain(Object.keys(env)[0] ?? '');
  expect(out + err).not.toContain('hush');
});
