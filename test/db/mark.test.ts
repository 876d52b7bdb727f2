// A database that ends before its high-water mark is refused: a log that was cut or is gone, a copy from before. A mark that lags,
// is torn or is not there stops no start.
import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insert } from '../../db/effects.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { LostWrites } from '../../db/sqlite/lost-writes.ts';
import { MARK_FILE, readMark } from '../../db/sqlite/mark.ts';
import { openSqliteStore, type SqliteOptions } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { until } from '../support/until.ts';

const LOG_FILE = `${DATABASE_FILE}-wal`;
const LOG_HEAD = 32;
const FRAME = 4096 + 24;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-mark-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(data_dir: string, options: Partial<SqliteOptions> = {}): Store {
  const sealer = { seal: (plain: string) => plain };
  return openSqliteStore({ data_dir, sealer, dimensions: 256, model: 'm', now_ms: 0, ...options });
}

let ids = 0;
async function write(store: Store, turns: number): Promise<void> {
  for (let n = 0; n < turns; n += 1) {
    const row = { id: `code-${++ids}`, hash: 'h'.repeat(3_000), data: {}, sent_at: 1, expires_at: 2 };
    await store.turn({ attempt: async () => ({ reply: null, effects: [insert<'codes', never>('codes', row)] }) });
  }
}

function markOf(data_dir: string): { count: number; frame: number } {
  const mark = readMark(data_dir);
  if (mark === null || mark === 'torn') return { count: 0, frame: 0 };
  return { count: mark.count, frame: mark.log?.frame ?? 0 };
}

function saltOf(data_dir: string): string | undefined {
  const mark = readMark(data_dir);
  return mark === null || mark === 'torn' ? undefined : mark.log?.salt;
}

const ALL_FILES = [DATABASE_FILE, LOG_FILE, MARK_FILE];

/** Copies files as a process that is killed now would leave them. */
function leftBehind(name: string, files = ALL_FILES, from = folder): string {
  const copy = mkdtempSync(join(folder, name));
  for (const file of files) copyFileSync(join(from, file), join(copy, file));
  return copy;
}

/** A folder as it is after a kill, whose mark tells of all that was written. */
const after_kill = mkdtempSync(join(tmpdir(), 'meshwork-killed-'));
beforeAll(async () => {
  const running = mkdtempSync(join(tmpdir(), 'meshwork-running-'));
  const store = open(running);
  await write(store, 20);
  // The first second's number is in the log; what comes after it the frames alone tell.
  const frames = (statSync(join(running, LOG_FILE)).size - LOG_HEAD) / FRAME;
  await until(() => markOf(running).frame === frames);
  for (const file of ALL_FILES) copyFileSync(join(running, file), join(after_kill, file));
  await store.close();
  rmSync(running, { recursive: true });
});
afterAll(() => rmSync(after_kill, { recursive: true }));
const killed = (): string => leftBehind('killed-', ALL_FILES, after_kill);

const refusal = (data_dir: string): Error => {
  try {
    void open(data_dir).close();
  } catch (error) {
    if (error instanceof LostWrites) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

test('what a kill leaves is opened', async () => {
  const copy = killed();
  const store = open(copy);
  await write(store, 1);
  await store.close();
  expect(statSync(join(copy, LOG_FILE), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  await open(copy).close();
});

test('a log that lacks its last frame is refused by both positions, and left as it is', () => {
  const copy = killed();
  const size = statSync(join(copy, LOG_FILE)).size - FRAME;
  truncateSync(join(copy, LOG_FILE), size);
  const { frame } = markOf(copy);
  for (let start = 0; start < 2; start++) {
    expect(refusal(copy).message).toMatch(
      new RegExp(`ends at position \\d+, frame \\d+ of the log.*names \\d+, frame ${frame} of the log \\(written 20`),
    );
    expect(statSync(join(copy, LOG_FILE)).size).toBe(size);
  }
});

test('an empty log, none at all, and no database are refused', () => {
  const copy = killed();
  truncateSync(join(copy, LOG_FILE), 0);
  expect(refusal(copy).message).toContain('ends at position 0, ');
  rmSync(join(copy, LOG_FILE));
  expect(refusal(copy).message).toContain('ends at position 0, ');
  rmSync(join(copy, DATABASE_FILE));
  expect(refusal(copy).message).toContain('there is no meshwork.db');
  expect(existsSync(join(copy, DATABASE_FILE))).toBe(false);
});

test('a copy of the database from before is refused beside the mark, and opened without one', async () => {
  const first = open(folder);
  await write(first, 1);
  await first.close();
  const old = leftBehind('old-', [DATABASE_FILE]);
  const second = open(folder);
  await write(second, 1);
  await second.close();
  copyFileSync(join(old, DATABASE_FILE), join(folder, DATABASE_FILE));
  expect(refusal(folder).message).toContain('ends at position 1');
  await open(old).close();
});

test('a log that was copied into the file and starts over is no loss, and what the new one lacks is', async () => {
  const store = open(folder, { log_frames: 64 });
  let copied = false;
  store.onWork({ began: () => {}, ended: (work) => (copied ||= work === 'checkpoint') });
  for (let turns = 0; !copied; turns++) {
    await write(store, 1);
    // The thread answers by the event loop.
    if (turns % 256 === 255) await Bun.sleep(5);
  }
  await write(store, 1);
  const salt = readFileSync(join(folder, LOG_FILE)).toString('hex', 16, 24);
  await until(() => saltOf(folder) === salt);
  const copy = leftBehind('copied-');
  const cut = leftBehind('cut-', [DATABASE_FILE, MARK_FILE]);
  await store.close();
  await open(copy).close();
  refusal(cut);
});

test('a torn mark is told, stops no start and is written anew', async () => {
  const copy = killed();
  for (const text of ['', '{"count":99}', '00000000 {"count":99,"log":null,"written_at":1}']) {
    writeFileSync(join(copy, MARK_FILE), text);
    const warned: string[] = [];
    const store = open(copy, { warn: (sentence) => warned.push(sentence) });
    expect(warned).toEqual([expect.stringContaining('high-water mark cannot be read')]);
    await write(store, 1);
    await store.close();
    expect(markOf(copy).count).toBeGreaterThan(1);
  }
});

test('a number of a transaction that was undone is not in the mark', async () => {
  const store = open(folder);
  const probed = store.ready();
  const broken = { id: null as unknown as string, hash: 'h', data: {}, sent_at: 1, expires_at: 2 };
  const turn = store.turn({
    attempt: async () => ({ reply: null, effects: [insert<'codes', never>('codes', broken)] }),
  });
  expect(turn).rejects.toThrow();
  await probed;
  await store.close();
  await open(folder).close();
});

test('the first turn of a second writes no number where it changes nothing', async () => {
  const store = open(folder);
  await write(store, 1);
  await until(() => markOf(folder).count === 1);
  const size = () => statSync(join(folder, LOG_FILE)).size;
  const before = size();
  const row = { id: `code-${ids}`, hash: 'h', data: {}, sent_at: 1, expires_at: 2 };
  await store.turn({
    attempt: async () => ({ reply: null, effects: [insert<'codes', never>('codes', row, 'ignore')] }),
  });
  expect(size()).toBe(before);
  await store.close();
  expect(markOf(folder).count).toBe(1);
  await open(folder).close();
});

test('a log that another program has copied into the file is no loss', async () => {
  const copy = killed();
  const other = new Database(join(copy, DATABASE_FILE));
  other.query('SELECT count(*) FROM codes').get();
  other.close();
  expect(existsSync(join(copy, LOG_FILE))).toBe(false);
  await open(copy).close();
});
