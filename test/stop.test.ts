// SIGTERM over real sockets: what came whole is answered, what came half is cut, and the database is left in one piece.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../db/sqlite/connection.ts';
import { endServers, startServer } from './support/child.ts';
import { rawText } from './support/raw-http.ts';
import { matchedPair, restClient } from './support/rest-client.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-stop-'));
const TOKEN = 'token-of-the-stop-test';
afterAll(() => {
  endServers();
  rmSync(data_dir, { recursive: true, force: true });
});

interface Line {
  readonly socket: Socket;
  /** Resolves with all that came once the server has closed it. */
  readonly closed: Promise<string>;
}

/** Opens a connection and sends what may be half a request. */
async function said(url: string, text: string): Promise<Line> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await new Promise((resolve) => socket.on('connect', resolve));
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  socket.on('error', () => socket.destroy());
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(heard)));
  await new Promise((resolve) => socket.write(text, resolve));
  return { socket, closed };
}

test('SIGTERM answers what came whole, cuts what came half, ends streams, and leaves an empty log', async () => {
  const server = await startServer(data_dir, { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1' });
  const pair = await matchedPair(restClient(server.url), TOKEN);
  const key = { 'X-API-Key': pair.seller.key ?? '' };
  const halves = [
    'GET /api/inb',
    'GET /api/inbox HTTP/1.1\r\nHost: localhost\r\nX-Half',
    rawText('POST', '/api/auth/login/start', { 'Content-Type': 'application/json', 'Content-Length': '100' }, '{"em'),
    rawText('GET', '/healthz'),
    rawText('GET', '/api/inbox/stream', key),
  ];
  const lines = await Promise.all(halves.map((text) => said(server.url, text)));
  // The last two have begun to be answered, so the server has seen them all.
  for (const { socket } of lines.slice(-2))
    if (socket.bytesRead === 0) await new Promise((r) => socket.once('data', r));
  const body = JSON.stringify({ content: 'the last word' });
  const whole = await said(
    server.url,
    rawText('POST', `/api/messages/${pair.conversation_id}`, { ...key, 'Content-Type': 'application/json' }, body),
  );
  expect(await server.end('SIGTERM')).toBe(0);
  const answers = await Promise.all([...lines, whole].map(({ closed }) => closed));
  expect(answers.slice(0, 3)).toEqual(['', '', '']);
  expect(answers.at(-1)).toMatch(/^(HTTP\/1\.1 200 |$)/);
  // Only the last checkpoint empties it.
  expect(Bun.file(join(data_dir, `${DATABASE_FILE}-wal`)).size).toBe(0);
});
