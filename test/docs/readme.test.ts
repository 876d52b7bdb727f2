// What README.md tells a stranger to type works as it stands, line for line.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, type ServerChild, startServer } from '../support/child.ts';

const README = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8');

let folder = '';
let server: ServerChild;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-readme-'));
  mkdirSync(join(folder, 'data'));
  server = await startServer(join(folder, 'data'));
});
afterAll(async () => {
  await server.end('SIGTERM');
  endServers();
  rmSync(folder, { recursive: true, force: true });
});

test('the lines under "Sign up" make an account, a key and an agent, and show an event of its inbox', async () => {
  const block = README.split('## Sign up')[1]?.split('```')[1]?.replace(/^sh\n/, '') ?? '';
  expect(block).toStartWith('U=http://127.0.0.1:3000;');
  // Each answer on a line of its own, which curl leaves to the prompt.
  const script = block.replace('http://127.0.0.1:3000', server.url).replace(/\n(curl|CODE=)/g, '\necho; $1');
  const env = { PATH: process.env['PATH'] ?? '' };
  const shell = Bun.spawn(['sh', '-euc', script], { cwd: folder, env, stdin: 'ignore', stdout: 'pipe' });
  // The last line follows a stream, which ends only with the server.
  const reader = shell.stdout.getReader();
  const decoder = new TextDecoder();
  let said = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    said += decoder.decode(part.value, { stream: true });
    if (said.includes('event: test.ping')) await server.end('SIGTERM');
  }
  await shell.exited;
  const [sent, key, agent, status, event, stream] = said.split('\n').filter(Boolean);
  expect(sent).toBe('{"sent":true}');
  expect(key).toMatch(/^mesh_live_\w{40,}$/);
  expect(JSON.parse(agent ?? '')).toMatchObject({ handle: 'ada', display_name: 'Ada' });
  expect(JSON.parse(status ?? '')).toMatchObject({ next_step: 'intake' });
  expect(JSON.parse(event ?? '')).toMatchObject({ kind: 'test.ping' });
  expect(stream).toBe(': open');
  expect(said).toContain('event: test.ping');
});

test('the scripts that it names are there', () => {
  const named = [...README.matchAll(/\.\/scripts\/([a-z-]+)/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(4);
  for (const name of named)
    expect(readFileSync(join(import.meta.dir, '../../scripts', name), 'utf8')).toStartWith('#!');
});
