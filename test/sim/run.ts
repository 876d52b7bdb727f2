// What `scripts/sim` runs: one seed with its whole trace, or seeds one after the other until one fails.
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { simulateMoney } from './money/simulate.ts';
import { simulate } from './simulate.ts';
import { simulateStripe } from './stripe/simulate.ts';

const { values, positionals } = wordsGiven({
  options: {
    steps: { type: 'string' },
    seeds: { type: 'string' },
    trace: { type: 'boolean' },
    money: { type: 'boolean' },
    stripe: { type: 'boolean' },
  },
  allowPositionals: true,
});
const first = wholeNumber('SEED', positionals[0], 1);
const steps = wholeNumber('--steps', values.steps, 150, 1);
const seeds = wholeNumber('--seeds', values.seeds, 1, 1);
for (let seed = first; seed < first + seeds; seed++) {
  const started_ms = performance.now();
  try {
    if (values.stripe) {
      const did = [...(await simulateStripe(seed, steps)).values()].reduce((sum, each) => sum + each, 0);
      console.log(`seed ${seed}: all held, ${Math.round(performance.now() - started_ms)} ms, ${did} things done`);
      continue;
    }
    if (values.money) {
      const calls = [...(await simulateMoney(seed, steps)).values()].reduce((sum, each) => sum + each.calls, 0);
      console.log(
        `seed ${seed}: all held, ${Math.round(performance.now() - started_ms)} ms, ${calls} calls with money`,
      );
      continue;
    }
    const { hash, trace } = await simulate(seed, steps, { whole_trace: values.trace });
    if (values.trace) console.log(trace);
    console.log(`seed ${seed}: all held, ${Math.round(performance.now() - started_ms)} ms, trace ${hash.slice(0, 16)}`);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
