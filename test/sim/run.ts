// What `scripts/sim` runs: one seed with its whole trace, or seeds one after the other until one fails.
import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

const { values, positionals } = parseArgs({
  options: {
    steps: { type: 'string', default: '150' },
    seeds: { type: 'string', default: '1' },
    trace: { type: 'boolean' },
  },
  allowPositionals: true,
});
const first = Number(positionals[0] ?? 1);
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const started_ms = performance.now();
  try {
    const { hash, trace } = await simulate(seed, Number(values.steps), { whole_trace: values.trace });
    if (values.trace) console.log(trace);
    console.log(`seed ${seed}: all held, ${Math.round(performance.now() - started_ms)} ms, trace ${hash.slice(0, 16)}`);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
