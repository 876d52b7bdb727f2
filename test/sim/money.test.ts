// The simulation with money in the test run: as many seeds as fit into its time, and those that once found something. Any other:
// scripts/sim SEED --money. On PostgreSQL, where a step costs ten times as much, a short one runs here, and any by
// TEST_STORE=postgres scripts/sim SEED --money.

import { expect, setDefaultTimeout, test } from 'bun:test';
import { often } from '../support/nightly.ts';
import { onPostgres } from '../support/postgres.ts';
import { ACTIONS } from './money/actions.ts';
import { simulateMoney, type Tally } from './money/simulate.ts';

setDefaultTimeout(600_000);

/** However busy the machine is, so many seeds are run; and more as long as there is time, by night. */
const { STEPS, SEEDS_MIN, TIME_MS } = onPostgres
  ? { STEPS: 20, SEEDS_MIN: 1, TIME_MS: 0 }
  : { STEPS: 120, SEEDS_MIN: often(5, 8), TIME_MS: often(0, 90_000) };
const SEEDS_MORE = 60;
/** Seeds, with their steps, that found a bug; they are run for ever. */
const FOUND: readonly (readonly [seed: number, steps: number])[] = [];

const done: Tally = new Map();

for (const [seed, steps] of FOUND) {
  test(`seed ${seed}, which once failed, holds`, async () => {
    await simulateMoney(seed, steps);
  });
}

let last = 0;

/** Runs the next seed, and adds up what came of its calls. */
async function next(): Promise<void> {
  last += 1;
  for (const [name, { calls, good }] of await simulateMoney(last, STEPS)) {
    const before = done.get(name) ?? { calls: 0, good: 0 };
    done.set(name, { calls: before.calls + calls, good: before.good + good });
  }
}

const idle = (): string[] => ACTIONS.map(([name]) => name).filter((name) => (done.get(name)?.good ?? 0) === 0);

test('money is where it is said to be, whatever people, banks and chains do', async () => {
  const began = performance.now();
  while (last < SEEDS_MIN || performance.now() - began < TIME_MS) await next();
  console.log(`${last} seeds of ${STEPS} steps`);
});

test.skipIf(onPostgres)('every kind of action did what was asked at least once', async () => {
  // How many seeds fit into the time is the machine's: what is rare gets some more before it counts as unreached.
  for (let more = 0; more < SEEDS_MORE && idle().length > 0; more += 1) await next();
  expect(idle()).toEqual([]);
});
