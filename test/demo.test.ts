// The demo is the first thing that anybody tries: it works as it stands, through the API alone, and what is wrong
// with a call of it is said in one line.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerChild, startServer } from './support/child.ts';

const ENTRY = join(import.meta.dir, '../src/cli/meshwork.ts');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-demo-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the demo in a folder of its own, where its temporary files go too. */
async function demo(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, ENTRY, 'demo', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, out, err };
}

describe('the demo on its own listings', () => {
  let ran: Awaited<ReturnType<typeof demo>>;
  beforeAll(async () => {
    ran = await demo('--top', '3');
  });

  test('ends well and leaves nothing behind', () => {
    expect([ran.status, ran.err.includes('Error')]).toEqual([0, false]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('counts drafts and says what each lacks', () => {
    expect(ran.out).toMatch(/^60 agents of 30 accounts/m);
    expect(ran.out).toMatch(/^drafts +3$/m);
    expect(ran.out).toMatch(/2 draft, without budget_cents/);
    expect(ran.out).toMatch(/1 draft, without price_cents/);
    expect(ran.out).toMatch(/1 held until its site is proven by DNS/);
  });

  test('lets all kinds of listings that can go live find their counterpart', () => {
    for (const pair of ['selling – buying', 'job_seeking – hiring', 'investing – fundraising'])
      expect(ran.out).toContain(pair);
    for (const pair of ['partnering – partnering', 'link_exchange – link_exchange']) expect(ran.out).toContain(pair);
  });

  test('shows the best matches with their reasons, within the width', () => {
    const table = ran.out.split('each listing once')[1]?.split('Reading a match')[0] ?? '';
    expect(table.match(/^0\.\d\d █/gm)).toHaveLength(3);
    expect(table).toMatch(/→ .*(close in meaning|both name)/);
    for (const line of table.split('\n')) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(110);
  });

  test('shows events as they arrive, and the one answer', () => {
    const walk = ran.out.split('One pair, from match to answer')[1] ?? '';
    const live = [...walk.matchAll(/◂ live id \d+ +(\S+)/g)].map(([, kind]) => kind);
    expect(live).toEqual(['match.approved', 'conversation.started', 'conversation.updated']);
    expect(walk).toMatch(/◂ pulled seq \d+ +conversation\.updated/);
    expect(walk).toMatch(/200 answered; interested are now @\w+ and @\w+/);
    expect(walk).toMatch(/409 already_answered/);
  });
});

describe('the demo on a server that runs', () => {
  const token = 'token-of-the-demo-test-0123456789';
  let server: ServerChild;
  beforeAll(async () => {
    server = await startServer(folder, { INTERNAL_TOKEN: token, RATE_LIMITS: 'on' });
  });
  afterAll(() => server.end('SIGTERM'));

  test('works twice, since each run has names of its own', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { status, out, err } = await demo('--rows', '6', '--url', server.url, '--internal-token', token);
      expect([status, err.includes('meshwork:')]).toEqual([0, false]);
      expect(out).toContain(`${server.url}/docs`);
    }
  });

  test('takes nothing of what its operator may ask for: twenty codes an hour from one address', async () => {
    const { status, err } = await demo('--url', server.url, '--internal-token', token);
    expect([status, err.includes('meshwork:')]).toEqual([0, false]);
    const codes = Array.from({ length: 21 }, (_, n) =>
      fetch(`${server.url}/api/auth/session/start`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email: `operator${n}@example.org` }),
      }),
    );
    const statuses = (await Promise.all(codes)).map((answer) => answer.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(20).fill(200), 429]);
  });

  test('says that the token is wrong', async () => {
    const { status, err } = await demo('--url', server.url, '--internal-token', 'wrong');
    expect([status, err]).toEqual([
      2,
      'meshwork: the internal token is wrong; it is in DATA_DIR/internal-token of that server\n',
    ]);
  });
});

describe('one line says what is wrong', () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const good = '{"id": "a", "card_type": "selling", "direction": "offer", "headline": "A"}';

  test.each([
    ['a missing file', () => ['--data', '/nowhere/at.all'], 2, /\/nowhere\/at\.all is not there/],
    ['a line that is not JSON', () => ['--data', file('bad.jsonl', `${good}\n\n{no}\n`)], 2, /line 3 is not JSON/],
    [
      'a line without a headline',
      () => ['--data', file('b.jsonl', `${good}\n{"id":"b","card_type":"x","direction":"y"}`)],
      2,
      /line 2: "headline"/,
    ],
    ['too few listings', () => ['--data', file('one.jsonl', good)], 2, /fewer than two/],
    ['a number that is none', () => ['--rows', 'many'], 2, /--rows takes a whole number/],
    ['an unknown option', () => ['--row', '3'], 2, /no option --row;/],
    ['a server without its token', () => ['--url', 'http://127.0.0.1:1'], 2, /needs --internal-token/],
    [
      'a server that is not there',
      () => ['--url', 'http://127.0.0.1:1', '--internal-token', 'x'],
      1,
      /nothing answers at http:\/\/127\.0\.0\.1:1;/,
    ],
  ])('%s', async (_what, args, status, line) => {
    const ran = await demo(...args());
    expect(ran.status).toBe(status);
    expect(ran.err.split('\n').filter((text) => text.startsWith('meshwork: '))).toEqual([expect.stringMatching(line)]);
  });
});

test('the live demo trades while one watches, gives a link to its page, and leaves nothing behind', async () => {
  const own = mkdtempSync(join(folder, 'live-'));
  const child = Bun.spawn([process.execPath, ENTRY, 'demo', '--live'], {
    cwd: own,
    env: { PATH: process.env.PATH ?? '', TMPDIR: own },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const decoder = new TextDecoder();
  let said = '';
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (/: matched, and talk$/m.test(said)) break;
  }
  expect(said).toMatch(/^ {2}http:\/\/127\.0\.0\.1:\d+\/app\/login#token=\S+$/m);
  expect(said).toMatch(/@seo_audit_buyer and @seo_audit_seller \(SEO audits for small shops\)/);
  child.kill('SIGINT');
  expect([await child.exited, readdirSync(own)]).toEqual([0, []]);
}, 300_000);
