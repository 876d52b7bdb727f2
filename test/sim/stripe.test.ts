// The simulation with Stripe in the test run: a few seeds, and those that once found something. Any other:
// scripts/sim SEED --stripe.
import { expect, setDefaultTimeout, test } from 'bun:test';
import { ACTIONS } from './stripe/actions.ts';
import { simulateStripe } from './stripe/simulate.ts';

setDefaultTimeout(600_000);

const STEPS = 60;
const SEEDS = 2;
/** What is rare gets some more seeds before it counts as unreached. */
const SEEDS_MORE = 6;

const done = new Map<string, number>();

async function run(seed: number): Promise<void> {
  for (const [name, times] of await simulateStripe(seed, STEPS)) done.set(name, (done.get(name) ?? 0) + times);
}

const idle = (): string[] => ACTIONS.map(([name]) => name).filter((name) => (done.get(name) ?? 0) === 0);

test('Stripe’s books and ours agree, whatever becomes of its answers and its webhooks', async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) await run(seed);
});

test('every kind of action did what was asked at least once', async () => {
  for (let more = 1; more <= SEEDS_MORE && idle().length > 0; more += 1) await run(SEEDS + more);
  expect(idle()).toEqual([]);
});
