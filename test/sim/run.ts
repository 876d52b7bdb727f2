// What `scripts/sim` runs: one seed with its whole trace, or seeds one after the other until one fails.
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { simulate } from './simulate.ts';

const { values, positionals } = wordsGiven({
  options: {
    steps: { type: 'string' },
    seeds: { type: 'string' },
    trace: { type: 'boolean' },
  },
  allowPositionals: true,
});
const first = wholeNumber('SEED', positionals[0], 1);
const steps = wholeNumber('--steps', values.steps, 150, 1);
const seeds = wholeNumber('--seeds', values.seeds, 1, 1);
for (let seed = first; seed < first + seeds; seed++) {
  const started_ms = performance.now();
  try {
    const { hash, trace } = await simulate(seed, steps, { whole_trace: values.trace });
    if (values.trace) console.log(trace);
    console.log(`seed ${seed}: all held, ${Math.round(performance.now() - started_ms)} ms, trace ${hash.slice(0, 16)}`);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
