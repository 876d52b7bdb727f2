// scripts/cluster-failover: the fault test once more, on a primary with a synchronous standby; at its end the primary is
// killed and the standby promoted, while nodes and clients go on. Exit 0 when everything held.
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { conclude, say } from './command.ts';
import { runCluster } from './run.ts';
import { startPair } from './standby.ts';

const { values } = wordsGiven({ options: { seed: { type: 'string' }, pace: { type: 'string' } } });
const seed = wholeNumber('--seed', values.seed, Date.now() % 100_000);
const pace = wholeNumber('--pace', values.pace, 200, 1);
const pair = await startPair();
if (!pair) process.exit(1);

/** The fault: and how long nobody's write was answered. */
async function strike(answered: () => number): Promise<void> {
  if (!pair) return;
  const before = answered();
  const started_ms = performance.now();
  say(`the primary is killed after ${before} writes`);
  const promoted_ms = await pair.failOver();
  // What was on its way to its clients when the primary died may still arrive; what comes after the promotion is new.
  const then = answered();
  while (answered() === then) await Bun.sleep(5);
  const silent_ms = performance.now() - started_ms;
  say(
    `promoted after ${Math.round(promoted_ms)} ms, the next write was answered ${Math.round(silent_ms)} ms after the kill`,
  );
}

try {
  console.log(`seed ${seed}`);
  const report = await runCluster({ database_url: pair.database_url, seed, seconds: 0, pace, strike, say });
  conclude(report);
} finally {
  await pair.stop();
}
process.exit();
