// Letters on their way out: whoever waits for a letter waits for that one, and no letter that could not set out keeps its
// place.
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackgroundTasks } from '../../actors/background-tasks.ts';
import { type Deliver, Dispatcher } from '../../actors/dispatcher.ts';
import { PER_HOST } from '../../actors/host-slots.ts';
import type { SendEffect } from '../../db/effects.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { sealer } from '../../src/outbound/deliver.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const NOW_MS = 1_000_000;

let data_dir: string;
let store: Store;
const failures: unknown[] = [];
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-dispatcher-'));
  const seal = sealer(new Uint8Array(32).fill(1));
  store = openSqliteStore({ data_dir, sealer: seal, dimensions: 256, model: 'm', now_ms: NOW_MS });
  failures.length = 0;
});
afterEach(async () => {
  await store.close();
  rmSync(data_dir, { recursive: true, force: true });
});

function dispatcher(tasks: BackgroundTasks, deliver: Deliver): Dispatcher {
  const failed = (error: unknown): number => failures.push(error);
  return new Dispatcher(store, virtualClock(NOW_MS), deliver, tasks, failed, failed);
}

async function send(...ids: string[]): Promise<void> {
  const effects = ids.map(
    (id): SendEffect => ({ do: 'send', id, channel: 'mail', payload: { to: id }, created_at: NOW_MS }),
  );
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}

test('who waits for a letter waits for none of the others', async () => {
  const opened = Promise.withResolvers<void>();
  const gone: string[] = [];
  const tasks = new BackgroundTasks((_kind, error) => failures.push(error));
  const one = dispatcher(tasks, async ({ id }) => {
    if (id !== 'mine') await opened.promise;
    gone.push(id);
    return 'sent';
  });
  const others = Array.from({ length: PER_HOST - 1 }, (_, n) => `other-${n}`);
  await send(...others, 'mine');
  await one.waitForAttempts(['mine', 'unknown']);
  expect(gone).toEqual(['mine']);
  opened.resolve();
  await one.idle();
  expect(gone.toSorted()).toEqual(['mine', ...others]);
  expect(failures).toEqual([]);
  await one.stop();
});

test('a letter that comes while the service stops is left for the next start, and nobody waits for it', async () => {
  const tasks = new BackgroundTasks((_kind, error) => failures.push(error));
  const one = dispatcher(tasks, async () => 'sent');
  await tasks.stop();
  await send('late');
  await Promise.all([one.waitForAttempts(['late']), one.idle()]);
  expect(failures).toEqual([]);
  expect((await store.claimSends(NOW_MS, 9, 0)).map(({ id }) => id)).toEqual(['late']);
  await one.stop();
});
