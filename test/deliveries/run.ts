// scripts/deliveries: the whole load, its figures, and exit 1 when anything came out otherwise than it should.
import { wholeNumber } from '../support/words-given.ts';
import { delayAt, problems } from './judge.ts';
import { deliver } from './load.ts';

/** What the ninety-ninth of a hundred deliveries to a receiver that is well may be late. */
const LATE_MS_MAX = 1_000;
const PER_SECOND = wholeNumber('EVENTS_A_SECOND', process.argv[2], 200, 1);
const outcome = await deliver({ well: 10, events: 965, troubled_events: 55, slow_events: 10, per_second: PER_SECOND });
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const delivered = outcome.ended.reduce((sum, one) => sum + one.delivered.length, 0);
console.log(
  `${outcome.events} events told in ${seconds(outcome.told_ms)}, drained after ${seconds(outcome.drained_ms)}`,
);
console.log(`${delivered} reached a receiver`);
const [p50, p99, most] = [0.5, 0.99, 1].map((share) => delayAt(outcome, share).toFixed(1));
console.log(`delay to receivers that are well: p50 ${p50} ms, p99 ${p99} ms (below ${LATE_MS_MAX}), most ${most} ms`);
for (const { kind, pulled, delivered: ids, active, failure_count } of outcome.ended) {
  console.log(
    `  ${kind.padEnd(18)} ${ids.length} of ${pulled.length}, failures ${failure_count}, ${active ? 'on' : 'off'}`,
  );
}
const wrong = problems(outcome, LATE_MS_MAX);
for (const problem of wrong) console.error(problem);
process.exit(wrong.length === 0 ? 0 : 1);
