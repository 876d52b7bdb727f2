// The supervisor's law: a reminder runs once for each time that it was asked for, whoever runs it, and no failure, of an
// operation or of the store, ends the loop.

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunReminder, Supervisor } from '../../actors/supervisor.ts';
import type { Effect } from '../../db/effects.ts';
import { reminderById } from '../../db/queries/reminder.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { sealer } from '../../src/outbound/deliver.ts';
import { countStore } from '../support/counted-store.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const NOW_MS = 1_000_000;
const ID = 'match:one';

let data_dir: string;
let store: Store;
const failures: unknown[] = [];
beforeEach(() => {
  data_dir = mkdtempSync(join(tmpdir(), 'meshwork-supervisor-'));
  const seal = sealer(new Uint8Array(32).fill(1));
  store = openSqliteStore({ data_dir, sealer: seal, dimensions: 256, model: 'm', now_ms: NOW_MS });
  failures.length = 0;
});
afterEach(async () => {
  await store.close();
  rmSync(data_dir, { recursive: true, force: true });
});

function supervisor(run: RunReminder): Supervisor {
  return new Supervisor(store, virtualClock(NOW_MS), run, (_reminder, error) => failures.push(error));
}

async function commit(...effects: Effect<never>[]): Promise<void> {
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function ask(id = ID): Promise<void> {
  const call = { operation: 'match.run_listing', input: {}, now: true };
  return commit({ do: 'remind', id, at: NOW_MS, ...call, created_at: NOW_MS });
}

test('what was asked for anew while a run was on is run again, by whoever waited', async () => {
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const one = supervisor(async ({ id, version }) => {
    runs += 1;
    if (runs === 1) await gate.promise;
    await commit({ do: 'unremind', id, version });
  });
  await ask();
  const first = one.runNow(ID);
  await store.read(reminderById, { id: ID });
  await ask();
  const others = [one.runNow(ID), one.runNow(ID)];
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(runs).toBe(2);
  expect(await store.read(reminderById, { id: ID })).toBeNull();
});

test('a reminder that is run at once is not run a second time by the loop that had found it due', async () => {
  const ran: string[] = [];
  const one = supervisor(async ({ id, version }) => {
    ran.push(id);
    if (id === 'a') await one.runNow('b');
    await commit({ do: 'unremind', id, version });
  });
  await ask('a');
  await ask('b');
  await one.runDue();
  expect(ran.sort()).toEqual(['a', 'b']);
});

test('a reminder that was taken back while its run failed is forgotten, and the next one runs', async () => {
  const one = supervisor(async ({ id, version }) => {
    await commit({ do: 'unremind', id, version });
    if (id === ID) throw new Error('failed after all');
  });
  await ask();
  await ask('other');
  await one.runDue();
  expect(failures).toHaveLength(1);
  expect(await store.read(reminderById, { id: 'other' })).toBeNull();
});

test('a failed reminder stays, later', async () => {
  const one = supervisor(() => Promise.reject(new Error('not now')));
  await ask();
  await one.runDue();
  expect(await store.read(reminderById, { id: ID })).toMatchObject({ at: NOW_MS + 1_000, attempts: 1 });
});

test('a reminder to run at once that cannot be looked up keeps nobody waiting, and is run by the loop', async () => {
  const ran: string[] = [];
  const one = supervisor(async ({ id, version }) => {
    ran.push(id);
    await commit({ do: 'unremind', id, version });
  });
  await ask();
  const rename = (from: string, to: string): void => {
    using db = new Database(join(data_dir, DATABASE_FILE));
    db.run(`ALTER TABLE ${from} RENAME TO ${to}`);
  };
  rename('reminders', 'reminders_away');
  await one.runNow(ID);
  expect([ran, failures.length]).toEqual([[], 1]);
  rename('reminders_away', 'reminders');
  // What is read between two commits is one state; the next one is of the mended table.
  await commit({ do: 'unremind', id: 'none' });
  expect([await one.runDue(), ran]).toEqual([1, [ID]]);
});

const call = { operation: 'a.b', input: {}, now: false, created_at: NOW_MS } as const;

test('sixteen that are due run side by side, and each that ends makes room for the next', async () => {
  const gates = new Map<string, () => void>();
  const one = supervisor(async ({ id, version }) => {
    await new Promise<void>((resolve) => gates.set(id, resolve));
    await commit({ do: 'unremind', id, version });
  });
  const ids = Array.from({ length: 40 }, (_, n) => `due:${String(n).padStart(2, '0')}`);
  await commit(...ids.map((id): Effect<never> => ({ do: 'remind', id, at: NOW_MS, ...call })));
  const ended = one.runDue();
  for (let left = ids.length; left > 0; left--) {
    while (gates.size < Math.min(left, 16)) await tick();
    await tick();
    expect(gates.size).toBe(Math.min(left, 16));
    // The newest ends first: those before it keep their places.
    const [id = '', open] = [...gates].at(-1) ?? [];
    gates.delete(id);
    open?.();
  }
  expect(await ended).toBe(ids.length);
});

test('what comes due while a slow one runs waits for nobody', async () => {
  const slow = Promise.withResolvers<void>();
  const ran = Promise.withResolvers<string>();
  const one = supervisor(async ({ id, version }) => {
    if (id === 'slow') await slow.promise;
    else ran.resolve(id);
    await commit({ do: 'unremind', id, version });
  });
  one.start();
  await commit({ do: 'remind', id: 'slow', at: NOW_MS, ...call });
  await tick();
  await commit({ do: 'remind', id: 'quick', at: NOW_MS, ...call });
  expect(await ran.promise).toBe('quick');
  slow.resolve();
  await one.stop();
});

test('one that asks for itself anew, to be run at once, is run to its end before whoever waits for it goes on', async () => {
  let left = 3;
  const one = supervisor(async ({ id, version }) => {
    left -= 1;
    const again: Effect<never>[] = left > 0 ? [{ do: 'remind', id, at: NOW_MS, ...call, now: true }] : [];
    await commit({ do: 'unremind', id, version }, ...again);
  });
  await ask();
  await one.runNow(ID);
  expect(left).toBe(0);
  expect(await store.read(reminderById, { id: ID })).toBeNull();
});

test('one that comes due again while it runs is run by the loop as soon as that run has ended', async () => {
  const again = Promise.withResolvers<void>();
  let runs = 0;
  const one = supervisor(async ({ id, version }) => {
    runs += 1;
    if (runs === 2) again.resolve();
    const call = { operation: 'match.run_listing', input: {}, now: false };
    if (runs > 1) await commit({ do: 'unremind', id, version });
    else await commit({ do: 'remind', id, at: NOW_MS, ...call, created_at: NOW_MS });
    // Long enough for the loop to look for it in vain.
    for (let rounds = 0; runs === 1 && rounds < 100; rounds++) await tick();
  });
  await ask();
  one.start();
  await again.promise;
  await one.stop();
  expect(runs).toBe(2);
});

test('time that is moved goes through the instants in order: what is due at one has ended before the next begins', async () => {
  const clock = virtualClock(NOW_MS);
  const order: string[] = [];
  const run: RunReminder = async ({ id, version }) => {
    order.push(`${id} at ${clock.now() - NOW_MS}`);
    for (let n = id === 'b' ? 5 : 0; n > 0; n--) await tick();
    order.push(`${id} ends`);
    await commit({ do: 'unremind', id, version });
  };
  const one = new Supervisor(store, clock, run, (_reminder, error) => failures.push(error));
  for (const [id, at] of [
    ['c', 30],
    ['a', 10],
    ['b', 20],
  ] as const) {
    await commit({ do: 'remind', id, at: NOW_MS + at, ...call });
  }
  await one.advance(clock, NOW_MS + 100);
  expect(order).toEqual(['a at 10', 'a ends', 'b at 20', 'b ends', 'c at 30', 'c ends']);
});

test('what is due once time has moved is run at once, not when the timer goes off that was set before', async () => {
  const clock = virtualClock(NOW_MS);
  const ran = Promise.withResolvers<string>();
  const one = new Supervisor(
    store,
    clock,
    async ({ id }) => ran.resolve(id),
    (_reminder, error) => failures.push(error),
  );
  one.start();
  await commit({ do: 'remind', id: 'in an hour', at: NOW_MS + HOUR_MS, ...call });
  // The loop has looked, and sleeps for a minute.
  for (let n = 0; n < 50; n++) await tick();
  clock.moveTo(NOW_MS + HOUR_MS);
  expect(await ran.promise).toBe('in an hour');
  await one.stop();
});

test('a commit that asks for something later is not looked up: the loop knows when to wake', async () => {
  const counted = countStore(store);
  const one = new Supervisor(
    counted.store,
    virtualClock(NOW_MS),
    async () => {},
    (_reminder, error) => failures.push(error),
  );
  one.start();
  // What is due, what is next, the note of the clean-up of the minute, and the three lists that it looks through.
  while (counted.reads.count < 6) await tick();
  for (let n = 0; n < 20; n++) {
    await commit({ do: 'remind', id: `later:${n}`, at: NOW_MS + HOUR_MS - n, ...call });
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  expect(counted.reads.count).toBe(6);
  await one.stop();
});
