// The command line as a user meets it: real processes, a folder of their own, exit codes and lines.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../db/sqlite/connection.ts';

const ENTRY = join(import.meta.dir, '../src/cli/meshwork.ts');
const TOKEN = 'a-token-of-this-test';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function spawn(verb: string, env: Record<string, string> = {}): Bun.Subprocess<'ignore', 'pipe', 'pipe'> {
  return Bun.spawn([process.execPath, ENTRY, ...verb.split(' ').filter((word) => word !== '')], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

async function run(verb: string, env?: Record<string, string>): Promise<{ status: number; out: string; err: string }> {
  const child = spawn(verb, env);
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  // That the machine is busy is no news of the command.
  const news = err.split('\n').filter((line) => !line.includes('the event loop was held up'));
  return { status, out: out.trim(), err: news.join('\n').trim() };
}

/** The first whole line that a child prints. */
async function firstLine(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<string> {
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`ended without a line: ${await new Response(child.stderr).text()}`);
    text += decoder.decode(value, { stream: true });
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
}

describe('settings', () => {
  test.each([
    ['serve', { PORT: 'many' }, 'meshwork: PORT must be a whole number from 0 to 65535'],
    [
      'serve',
      { DATABASE_URL: 'mysql://x' },
      'meshwork: DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
    ],
    ['healthcheck', { PAYMENTS: 'cash' }, 'meshwork: PAYMENTS must be one of sandbox, stripe, none'],
    ['serve', { PORT: '0', HOST: '256.1.1.1' }, 'meshwork: HOST 256.1.1.1 is no address of this machine'],
    [
      'serve',
      { DATA_DIR: '/dev/null/x' },
      "meshwork: DATA_DIR cannot be used: ENOTDIR: not a directory, mkdir '/dev/null/x'",
    ],
    ['serve --port 3000', {}, 'meshwork: unknown argument --port; settings are variables, see config show'],
    ['migrate --distribute', {}, 'meshwork: --distribute is for PostgreSQL with Citus, and DATABASE_URL is not set'],
    ['admin set-plan ann@example.org gold', {}, 'meshwork: the plan must be free or pro'],
  ])('%s with %j exits 2 with one line', async (verb, env, line) => {
    expect(await run(verb, env)).toEqual({ status: 2, out: '', err: line });
  });

  test('a start that may succeed later exits 1, and the unit of systemd starts again but after 2', async () => {
    const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const port = String(taken.port);
    const { status, err } = await run('serve', { PORT: port });
    await taken.stop(true);
    expect([status, err]).toEqual([1, `meshwork: PORT ${port} is in use on 127.0.0.1`]);
    const unit = await Bun.file(join(import.meta.dirname, '../scripts/package/meshwork.service')).text();
    expect(unit).toMatch(/^Restart=always$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m);
  });

  test('a .env file in the working folder is read, and the environment wins over it', async () => {
    writeFileSync(join(folder, '.env'), 'PORT=4001\nHOST=127.0.0.2\n');
    const { out, err } = await run('config show', { PORT: '4002' });
    rmSync(join(folder, '.env'));
    expect(out).toMatch(/^PORT +4002 /m);
    expect(out).toMatch(/^HOST +127\.0\.0\.2 /m);
    expect(err).toBe('no service is known to run; these are the settings that one would start with from here');
  });

  test('config show masks what is secret', async () => {
    const { status, out } = await run('config show', { INTERNAL_TOKEN: TOKEN });
    expect(status).toBe(0);
    expect(out).toMatch(/^INTERNAL_TOKEN +\(set, not shown\) \(environment\)$/m);
    expect(out).not.toContain(TOKEN);
  });
});

test.each(['version', '--version'])('%s names the version', async (word) => {
  expect((await run(word)).out).toMatch(/^meshwork \d+\.\d+\.\d+ /);
});

test('help lists the verbs on standard output, without colours where nobody sees them', async () => {
  const { status, out, err } = await run('help', { NO_COLOR: '' });
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/^ +serve +serve until/m);
  expect(out).not.toContain('\u001b');
  expect((await run('help admin')).out).toContain('set-plan');
  const bare = await run('');
  expect([bare.status, bare.out, bare.err]).toEqual([0, out, '']);
  expect((await run('admin')).status).toBe(0);
});

test('help names a command with all words that have to be typed, and options where there are some', async () => {
  expect((await run('admin create --help')).out).toContain('USAGE meshwork admin create <EMAIL>');
  expect((await run('help admin')).out).toContain('Use meshwork admin <command> --help for more');
  expect((await run('config show --help')).out).toContain('USAGE meshwork config show [OPTIONS]');
});

test('outbox prints the newest letter or text message to somebody', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-cli-outbox-'));
  mkdirSync(join(folder, 'outbox'));
  for (const [n, text] of ['the first', 'Your code:\n123456'].entries()) {
    const file = join(folder, 'outbox', `${Bun.randomUUIDv7('hex', Date.now() - 1_000 + n)}.sms.json`);
    await Bun.write(file, JSON.stringify({ to: '+14155550111', text }));
  }
  const { status, out } = await run('outbox +14155550111', { DATA_DIR: folder });
  expect([status, out.split('\n').slice(-2)]).toEqual([0, ['Your code:', '123456']]);
  const none = await run('outbox ada@example.org', { DATA_DIR: folder });
  expect([none.status, none.err]).toEqual([1, `meshwork: nothing to ada@example.org is in ${folder}/outbox`]);
  rmSync(folder, { recursive: true });
});

test.each([
  ['surf', 'meshwork: there is no command surf; see meshwork help'],
  ['--surf', 'meshwork: there is no option --surf; see meshwork help'],
])('%s is refused with one line', async (word, line) => {
  const { status, err } = await run(word);
  expect([status, err]).toEqual([2, line]);
});

describe('with no server', () => {
  test('healthcheck exits 1', async () => {
    // Port 1 of the loopback is free everywhere that matters, and nobody but root could take it.
    const { status, err } = await run('healthcheck', { PORT: '1' });
    expect([status, err]).toEqual([1, 'meshwork: nothing answers at http://127.0.0.1:1']);
  });

  test('a note of a server that died does not count', async () => {
    const dead = spawn('version');
    await dead.exited;
    const data = mkdtempSync(join(folder, 'dead-'));
    writeFileSync(join(data, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:2', pid: dead.pid }));
    expect((await run('healthcheck', { PORT: '1', DATA_DIR: data })).err).toContain('http://127.0.0.1:1');
  });

  test('admin create works straight on the database, and tells a refusal', async () => {
    const DATA_DIR = join(folder, 'direct');
    const made = await run('admin create dora@example.org', { DATA_DIR });
    expect([made.status, made.err]).toEqual([0, '']);
    expect(JSON.parse(made.out)).toMatchObject({ email: 'dora@example.org' });
    expect((await run('admin create nobody', { DATA_DIR })).status).toBe(1);
  });

  test('ledger check proves the ledger straight on the database, and exits 1 where a cent is too many', async () => {
    const DATA_DIR = join(folder, 'direct');
    const right = await run('ledger check', { DATA_DIR });
    expect([right.status, right.err, right.out]).toEqual([0, '', expect.stringContaining('The ledger is right.')]);
    const database = new Database(join(DATA_DIR, DATABASE_FILE));
    database.run("INSERT INTO ledger_accounts (id, balance_cents, postings) VALUES ('wallet:nobody', 5, 0)");
    database.close();
    const wrong = await run('ledger check', { DATA_DIR });
    expect([wrong.status, wrong.out]).toEqual([1, expect.stringMatching(/not right:\n(.*\n)*.*wallet:nobody/)]);
  });
});

describe('with a server that holds DATA_DIR', () => {
  let child: ReturnType<typeof spawn>;
  const env = { PORT: '0', INTERNAL_TOKEN: TOKEN };

  beforeAll(async () => {
    child = spawn('serve', env);
    expect(await firstLine(child)).toMatch(/^listening on http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  });

  test('healthcheck finds it on its free port and exits 0', async () => {
    expect(await run('healthcheck', env)).toEqual({ status: 0, out: 'ready', err: '' });
  });

  test('admin verbs go through it', async () => {
    const made = await run('admin create ann@example.org', env);
    expect(JSON.parse(made.out)).toMatchObject({ email: 'ann@example.org' });
    const changed = await run('admin set-plan ann@example.org pro', env);
    expect(JSON.parse(changed.out)).toMatchObject({ email: 'ann@example.org', plan: 'pro' });
  });

  test('invite prints a link that works there', async () => {
    const { status, out } = await run('invite guest@example.org --mail', env);
    expect([status, out]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/app\/invite\/[\w-]{43}$/)]);
    expect((await fetch(out)).status).toBe(200);
    expect(await run('outbox guest@example.org', env)).toMatchObject({ err: '', out: expect.stringContaining(out) });
    expect((await run('invite nobody', env)).status).toBe(1);
  });

  test('config show asks it, whatever this shell would start one with', async () => {
    const { status, out, err } = await run('config show', { ...env, LOG_LEVEL: 'error', PORT: '4003' });
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(/^the settings of the service at http:\/\/127\.0\.0\.1:\d+$/),
    ]);
    expect(out).toMatch(/^PORT +0 \(environment\)$/m);
    expect(out).toMatch(/^LOG_LEVEL +warn \(environment\)$/m);
    expect(out).not.toContain(TOKEN);
  });

  test('ledger check goes through it', async () => {
    const { status, out } = await run('ledger check', env);
    expect([status, out]).toEqual([0, expect.stringContaining('The ledger is right.')]);
  });

  test('a wrong token is refused', async () => {
    const { status, out } = await run('admin create eve@example.org', { INTERNAL_TOKEN: 'wrong' });
    expect([status, out]).toEqual([1, '']);
  });

  test('SIGTERM ends it with exit 0, and its note is gone', async () => {
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
    expect(await Bun.file(join(folder, 'data/server.json')).exists()).toBe(false);
  });
});
