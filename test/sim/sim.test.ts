// The simulation in the test run: eight seeds (twenty by night) and those that once found something. Any other seed: scripts/sim SEED.

import { expect, setDefaultTimeout, test } from 'bun:test';
import { registry } from '../../src/operations/registry.ts';
import { often } from '../support/nightly.ts';
import { type Run, simulate } from './simulate.ts';

// A seed takes a second; how long it takes on a machine that is busy is no finding.
setDefaultTimeout(900_000);

const STEPS = 150;
const SEEDS = Array.from({ length: often(8, 20) }, (_, at) => at + 1);
/** Seeds that are run besides while some operation has done nothing yet. They are longer: what is rare takes people who are
 * past their beginning, and one of these finds the rarest more often than ten of the others. */
const MORE = 30;
const MORE_STEPS = 4 * STEPS;
/** Seeds, with their steps, that found a bug; they are run for ever. */
const FOUND: readonly (readonly [seed: number, steps: number])[] = [];

const runs: Run[] = [];

for (const seed of SEEDS) {
  test(`everything holds with the seed ${seed}`, async () => {
    runs.push(await simulate(seed, STEPS));
  });
}

for (const [seed, steps] of FOUND) {
  test(`everything holds with the seed ${seed} of ${steps} steps, which once found a bug`, async () => {
    await simulate(seed, steps);
  });
}

/** What moves money, or counts what was moved, takes people who have some: the simulation with money (money.test.ts) sees to that.
 * Here it is called too, and held to all that is held of every call. */
const OF_MONEY =
  /^(?:action\.(?:decide|perform|time_out)$|(?:attestation|billing|chargeback|deal|dispute|escrow|funding|hold|ledger|marketplace|payee|payment|payout|plan|processor|receipt|receivable|sandbox|subscription|wallet)\.|trust\.refresh$)/;

/** Only who holds more than a hundred keys, sessions or programs is revoked in more than one turn; scenarios see to that. */
const TOO_MANY = 'account.revoke_rest';
/** A call that its process did not end; the faults test of calls kills some. */
const CUT_OFF = 'router_call.expire';

/** The operations that no run has made do what they are for. */
function idle(): string[] {
  const good = new Set(
    runs.flatMap(({ tally }) => [...tally].filter(([, { good: n }]) => n > 0).map(([name]) => name)),
  );
  const ran = new Set(runs.flatMap(({ internal }) => [...internal.keys()]));
  return registry()
    .filter(({ name }) => !OF_MONEY.test(name) && name !== TOO_MANY && name !== CUT_OFF)
    .filter(({ name, access }) => !(access === 'internal' ? ran : good).has(name))
    .map(({ name }) => name);
}

// By night: reaching what is rare takes as long as all seeds do.
test.skipIf(often(0, 1) === 0)('among the seeds, or a few more, every operation did what it is for', async () => {
  // Each new action shifts what chance gives them: what is rare gets more tries, and likelier ones, before it counts as unreached.
  for (let seed = SEEDS.length + 1; idle().length > 0 && seed <= SEEDS.length + MORE; seed += 1) {
    runs.push(await simulate(seed, MORE_STEPS, { wanted: idle() }));
  }
  expect(idle()).toEqual([]);
});

test('a seed names one run as long as calls come one by one: the same calls, the same answers', async () => {
  for (const seed of [3, 7]) {
    const [first, again] = [
      await simulate(seed, STEPS, { bursts: false }),
      await simulate(seed, STEPS, { bursts: false }),
    ];
    expect(again.hash).toBe(first.hash);
  }
}, 600_000);
