// meshwork user: people as whoever runs the machine finds, keeps out and erases them, without a server and beside one.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVerb, spawnVerb } from '../support/meshwork.ts';

const folder = mkdtempSync(join(tmpdir(), 'meshwork-user-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ENV = { DATA_DIR: join(folder, 'data') };

const run = (...verb: string[]) => runVerb(folder, verb, ENV);

const EMAIL = 'ada@example.org';

test('people are listed, shown, kept out, let in, changed and erased from the shell', async () => {
  expect((await run('admin', 'create', EMAIL)).status).toBe(0);
  // The rest goes through a server, which is there in a moment.
  const server = spawnVerb(folder, ['serve'], { ...ENV, PORT: '0' });
  for await (const line of server.stdout) if (new TextDecoder().decode(line).includes('listening')) break;
  expect((await run('admin', 'create', 'eve@example.org')).status).toBe(0);
  const listed = await run('user', 'list', '--q', 'ada');
  expect(listed.out.split('\n')).toEqual([
    expect.stringMatching(/^email +plan +state +agents +created +last seen +id$/),
    expect.stringMatching(/^ada@example.org +free +active, administrator +0 /),
  ]);
  const json = JSON.parse((await run('user', 'list', '--limit=1', '--json')).out);
  expect(json).toMatchObject([{ email: 'eve@example.org', plan: 'free', state: 'active' }]);
  const kept = await run('user', 'suspend', EMAIL, '--reason', 'asked for it');
  expect([kept.status, kept.out]).toEqual([0, `${EMAIL} is suspended`]);
  expect((await run('user', 'show', EMAIL)).out).toMatch(/state +suspended, administrator since 20/);
  const last = await run('user', 'suspend', 'eve@example.org');
  expect([last.status, last.err]).toEqual([1, 'meshwork: This is the only administrator of this service.']);
  expect((await run('user', 'unsuspend', EMAIL)).out).toBe(`${EMAIL} is let in again`);
  expect((await run('user', 'plan', EMAIL, 'pro')).out).toBe(`${EMAIL} is on the plan pro`);
  const unsure = await run('user', 'erase', EMAIL);
  expect([unsure.status, unsure.err]).toEqual([2, 'meshwork: erasing is final; add --yes']);
  expect((await run('user', 'erase', EMAIL, '--yes')).out).toBe(`${EMAIL} is erased`);
  const gone = await run('user', 'show', EMAIL);
  expect([gone.status, gone.err]).toEqual([1, 'meshwork: There is no such thing, or it is not yours.']);
  expect((await run('user', 'list', '--sate', 'x')).err).toContain('unknown argument --sate');
  server.kill();
  await server.exited;
}, 300_000);
