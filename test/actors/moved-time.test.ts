// Whoever moves the service's time keeps its claim for as long as that takes: nobody else moves it meanwhile.
import { afterEach, beforeEach, expect, setSystemTime, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MovedTime } from '../../actors/moved-time.ts';
import { movedTimeById } from '../../db/queries/turn.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { sealer } from '../../src/outbound/deliver.ts';
import { until } from '../support/until.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const NOW_MS = 1_000_000;

let data_dir: string;
let store: Store;
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-moved-'));
  const seal = sealer(new Uint8Array(32).fill(1));
  store = openSqliteStore({ data_dir, sealer: seal, dimensions: 256, model: 'm', now_ms: NOW_MS });
});
afterEach(async () => {
  setSystemTime();
  await store.close();
  rmSync(data_dir, { recursive: true, force: true });
});

test('a move that takes longer than a claim lasts is not joined by another', async () => {
  const claimed = async (): Promise<number> => (await store.read(movedTimeById, { id: 'service' }))?.moving_until ?? 0;
  const timers = spyOn(globalThis, 'setInterval');
  const [one, other] = [new MovedTime(store, virtualClock(NOW_MS)), new MovedTime(store, virtualClock(NOW_MS))];
  const order: string[] = [];
  const joined: Promise<void>[] = [];
  await one.advance(1_000, async () => {
    const [renew, every_ms = 0] = timers.mock.calls.at(-1) ?? [];
    for (let n = 0; n < 12; n += 1) {
      const before = await claimed();
      setSystemTime(new Date(Date.now() + every_ms));
      if (typeof renew === 'function') renew();
      await until(async () => (await claimed()) > before);
    }
    joined.push(other.advance(1_000, async () => void order.push('other')));
    await Bun.sleep(150);
    order.push('one');
  });
  await Promise.all(joined);
  expect(order).toEqual(['one', 'other']);
  timers.mockRestore();
});
