// Work of the embedded store that runs in one piece is told by its name, before it begins and when it is over.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { insert } from '../../db/effects.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';

let folder: string;
let store: Store;
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meshwork-work-'));
  const sealer = { seal: (plain: string) => plain };
  store = openSqliteStore({ data_dir: folder, sealer, dimensions: 256, model: 'm', now_ms: 0, log_frames: 64 });
  told = [];
  store.onWork({ began: (work) => told.push(`${work} begins`), ended: (work) => told.push(`${work} ended`) });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

let ids = 0;
const write = () => {
  const row = { id: `code-${++ids}`, hash: 'h'.repeat(6_000), data: {}, sent_at: 1, expires_at: 2 };
  return store.turn({ attempt: async () => ({ reply: null, effects: [insert<'codes', never>('codes', row)] }) });
};

test('a commit, what is deleted and pages that are given back', async () => {
  await write();
  await store.prune(3);
  await store.giveBackSpace();
  expect(told).toEqual([
    ...['commit begins', 'commit ended'],
    ...['prune begins', 'prune ended'],
    ...['give_back_space begins', 'give_back_space ended'],
  ]);
});

test('the end of a copy of the log, which the thread has begun', async () => {
  for (let n = 0; n < 5_000 && !told.includes('checkpoint ended'); n++) {
    await write();
    // The thread answers by the event loop.
    if (n % 256 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const copies = told.filter((text) => text.startsWith('checkpoint'));
  expect(copies.filter((text) => text.startsWith('checkpoint_thread'))).not.toContain('checkpoint_thread begins');
  expect(copies[0]).toBe('checkpoint_thread ended');
  expect(copies.slice(-2)).toEqual(['checkpoint begins', 'checkpoint ended']);
});

test('a watch that fails keeps nothing from being written', async () => {
  store.onWork({
    began: () => {
      throw new Error('the log is full');
    },
    ended: () => {},
  });
  expect(await write()).toEqual({ reply: null });
});
