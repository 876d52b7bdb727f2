// A sample of ./scripts/disk-faults: whatever a disk makes of the files of the embedded store, a start refuses them or finds every
// acknowledged turn once, the ledger right and no seq missing, and turns go on.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../support/dice.ts';
import { often } from '../support/nightly.ts';
import { brokenCalls, brokenSyncs, fullCalls, lostPower } from './recorded.ts';
import { NO_RECORDER } from './recorder.ts';
import { cutLogs, damagedLogs, fullDisks, moments, type Plan, type Trial } from './trials.ts';

const root = mkdtempSync(join(tmpdir(), 'meshwork-disk-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function judged(
  trials: (plan: Plan) => AsyncGenerator<Trial>,
  turns: number,
  every: number,
): Promise<{ made: number; failed: Trial[] }> {
  const random = seeded(turns);
  const folder = mkdtempSync(join(root, 'run-'));
  const failed: Trial[] = [];
  let made = 0;
  for await (const trial of trials({ folder, turns, random, take: () => random() < 1 / every })) {
    made += 1;
    if (trial.problems.length > 0) failed.push(trial);
  }
  return { made, failed };
}

test('a log that was cut after a sync', async () => {
  const { made, failed } = await judged(cutLogs, often(100, 2_000), 1);
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(5);
});

test('a log that was damaged or written in part', async () => {
  const { made, failed } = await judged(damagedLogs, 100, often(12, 1));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(20);
});

test('a kill while the log is copied and starts over', async () => {
  const { made, failed } = await judged(moments, often(1_200, 10_000), often(6, 2));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(10);
});

test.skipIf(process.platform !== 'linux')('writes that fail from one on, until there is room again', async () => {
  const { made, failed } = await judged(fullDisks, 40, often(40, 4));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(5);
});

if (NO_RECORDER !== null) console.error(`system calls are not recorded, because ${NO_RECORDER}`);

test.skipIf(NO_RECORDER !== null)('a loss of power before a sync has ended', async () => {
  const { made, failed } = await judged(lostPower, often(1_000, 4_000), often(40, 10));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(5);
});

test.skipIf(NO_RECORDER !== null)('a sync that fails, also before a restart', async () => {
  const { made, failed } = await judged(brokenSyncs, often(300, 1_000), often(3, 1));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(5);
});

test.skipIf(NO_RECORDER !== null)('a call that fails', async () => {
  const { made, failed } = await judged(brokenCalls, 100, often(40, 4));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(5);
});

test.skipIf(NO_RECORDER !== null)('calls that find no room, from one on', async () => {
  const { made, failed } = await judged(fullCalls, 100, often(40, 4));
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(5);
});
