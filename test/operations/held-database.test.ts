// The file of the embedded database while another process holds it, or its disk is full: whoever asks is told to come back,
// nobody else waits for them, and nothing is lost or done twice.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { createLog, type Log } from '../../src/log.ts';
import { onPostgres } from '../support/postgres.ts';
import { smallDisk } from '../support/small-disk.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

/** Shorter than in production, so that the tests need not wait as long. */
const PATIENCE = { silence_ms: 800, wait_ms: 1_000 };

interface Writer {
  readonly t: TestService;
  readonly key: string;
  readonly thread: string;
  /** What a tool is called with to write. */
  readonly said: Readonly<Record<string, unknown>>;
  write(key: string): Promise<TestAnswer>;
  read(): Promise<TestAnswer>;
  texts(): Promise<string[]>;
  ready(): Promise<TestAnswer>;
}

/** A service on a folder, with somebody who writes to somebody. */
async function writerOn(data_dir: string, log?: Log): Promise<Writer> {
  const t = await openTestService({}, 'memory', { data_dir, patience: PATIENCE, ...(log && { log }) });
  const agent: TestAgent = await agentNamed(t, 'writer');
  // Somebody else, since the calls of one agent follow one another.
  const reader = await agentNamed(t, 'reader');
  const thread = await openThread(t, agent, reader);
  const path = `/api/conversations/${thread}/messages`;
  const read = (): Promise<TestAnswer> => t.call('GET', `${path}?limit=50&q=a`, { key: reader.key });
  return {
    t,
    key: agent.key,
    thread,
    said: { conversation_id: thread, content: 'a-full-by-tool' },
    read,
    write: (key) =>
      t.call('POST', path, { key: agent.key, body: { content: key }, headers: { 'Idempotency-Key': key } }),
    texts: async () => (await read()).body.map(({ content }: { content: string }) => content),
    ready: () => t.call('GET', '/readyz'),
  };
}

/** Asks until it is answered so; what never is runs out of the test's time. */
async function until(status: number, ask: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe.skipIf(onPostgres)('while another process holds the file', () => {
  const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-held-'));
  let w: Writer;
  let holder: Database;
  beforeAll(async () => {
    w = await writerOn(data_dir);
    holder = new Database(join(data_dir, DATABASE_FILE));
  });
  afterAll(async () => {
    holder.close();
    await w.t.close();
    rmSync(data_dir, { recursive: true, force: true });
  });

  test('writes wait for it, and reads do not wait for them', async () => {
    holder.run('BEGIN IMMEDIATE');
    let written = false;
    const writing = Promise.all(['a-wait-1', 'a-wait-2', 'a-wait-3'].map(w.write)).finally(() => {
      written = true;
    });
    for (let n = 0; n < 20; n += 1) {
      expect((await w.read()).status).toBe(200);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBe(false);
    holder.run('COMMIT');
    expect((await writing).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await w.texts()).toEqual(expect.arrayContaining(['a-wait-1', 'a-wait-2', 'a-wait-3']));
  });

  test('for long, writes and /readyz are 503, and go on after it', async () => {
    expect((await until(200, w.ready)).status).toBe(200);
    holder.run('BEGIN IMMEDIATE');
    const answers = await Promise.all([w.write('a-held-1'), w.write('a-held-2'), until(503, w.ready)]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers[0]?.headers.get('retry-after')).toBe('1');
    holder.run('COMMIT');
    for (const key of ['a-held-1', 'a-held-2']) {
      const first = await until(200, () => w.write(key));
      expect((await w.write(key)).body).toEqual(first.body);
    }
    expect((await until(200, w.ready)).status).toBe(200);
    expect((await w.texts()).filter((text) => text.startsWith('a-held'))).toHaveLength(2);
  });
});

const disk = onPostgres ? null : smallDisk(12);
if (disk === null && !onPostgres) console.warn('SKIPPED: no small disk can be mounted here to be filled');
afterAll(() => disk?.remove());

test.skipIf(disk === null)(
  'on a full disk writes are 507 storage_full, /readyz says why, the log does once, and all goes on once there is room',
  async () => {
    if (disk === null) throw new Error('there is no disk to fill');
    const data_dir = join(disk.folder, 'data');
    mkdirSync(data_dir);
    const lines: string[] = [];
    const w = await writerOn(data_dir, createLog('info', 'json', { write: (line) => void lines.push(line) }));
    await w.write('a-before');
    const filler = disk.fill();
    const kept: string[] = [];
    let refused: TestAnswer | null = null;
    for (let n = 0; refused === null; n += 1) {
      const answers = await Promise.all([`a-full-${n}`, `a-also-${n}`].map(w.write));
      for (const [i, answer] of answers.entries()) {
        if (answer.status === 200) kept.push(`a-${['full', 'also'][i]}-${n}`);
        else refused = answer;
      }
    }
    expect(refused).toMatchObject({ status: 507, body: { error: 'storage_full' } });
    expect((await until(503, w.ready)).body).toEqual({
      status: 'not_ready',
      reason: 'storage_full',
      code: 'SQLITE_FULL',
    });
    const tool = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'mesh_send_message', arguments: w.said },
    };
    const by_tool = await w.t.call('POST', '/mcp', { key: w.key, body: tool });
    expect(JSON.stringify(by_tool.body)).toContain('storage_full');
    const message = {
      messageId: 'a-full',
      role: 'user',
      parts: [{ kind: 'text', text: 'a-full' }],
      contextId: w.thread,
    };
    const rpc = { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } };
    const by_rpc = await w.t.call('POST', '/a2a/rpc', { key: w.key, body: rpc });
    expect(JSON.stringify(by_rpc.body)).toContain('storage_full');
    const away = lines.filter((line) => line.includes('StoreUnavailable'));
    expect(away).toHaveLength(1);
    expect(JSON.parse(away[0] ?? '')).toMatchObject({
      store_code: 'SQLITE_FULL',
      error_text: 'database or disk is full',
    });
    expect((await w.read()).status).toBe(200);
    rmSync(filler);
    expect((await until(200, () => w.write('a-after'))).status).toBe(200);
    expect((await until(200, w.ready)).status).toBe(200);
    expect(await w.texts()).toEqual(expect.arrayContaining(['a-before', 'a-after', ...kept.slice(-20)]));
    await w.t.close();
  },
);
