// What ./scripts/disk-faults runs: all trials of long runs, and the name of each that does not hold.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from '../support/dice.ts';
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { brokenCalls, brokenSyncs, drawnCalls, fullCalls, lostPower } from './recorded.ts';
import { NO_RECORDER } from './recorder.ts';
import { cutLogs, damagedLogs, fullDisks, moments, type Plan, type Trial } from './trials.ts';

const { values } = wordsGiven({
  options: { turns: { type: 'string' }, every: { type: 'string' }, seed: { type: 'string' } },
});
const turns = wholeNumber('--turns', values.turns, 10_000, 10);
const every = wholeNumber('--every', values.every, 1, 1);
const seed = wholeNumber('--seed', values.seed, Date.now() % 1_000_000);

/** Turns of which every write is tried: the length of the log before them makes no difference. */
const FEW_TURNS = 200;
/** Turns in which the log is copied several times. */
const SOME_TURNS = 1_000;
const SHOWN_MS = 10_000;

const root = mkdtempSync(join(tmpdir(), 'meshwork-disk-faults-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

interface Kind {
  readonly name: string;
  readonly trials: (plan: Plan) => AsyncGenerator<Trial>;
  readonly turns: number;
}
const KINDS: readonly Kind[] = [
  { name: 'a log that was cut after a sync', trials: cutLogs, turns },
  { name: 'a log that was damaged or written in part', trials: damagedLogs, turns: Math.min(turns, FEW_TURNS) },
  { name: 'a kill while the log is copied and starts over', trials: moments, turns },
  { name: 'writes that fail from one on', trials: fullDisks, turns: Math.min(turns, FEW_TURNS) },
];
/** With the recorder of system calls. */
const RECORDED: readonly Kind[] = [
  { name: 'a loss of power before a sync has ended', trials: lostPower, turns },
  { name: 'a sync that fails', trials: brokenSyncs, turns: Math.min(turns, SOME_TURNS) },
  { name: 'a call that fails', trials: brokenCalls, turns: Math.min(turns, FEW_TURNS) },
  { name: 'calls that find no room, from one on', trials: fullCalls, turns: Math.min(turns, FEW_TURNS) },
  { name: 'calls that fail in a long run', trials: drawnCalls, turns },
];

/** How many trials did not hold. */
async function judged({ name, trials, turns: of }: Kind): Promise<number> {
  const [random, folder, began] = [seeded(seed), mkdtempSync(join(root, 'run-')), performance.now()];
  let [made, failed, shown] = [0, 0, began];
  const told = () => `${name}: ${made} trials, ${failed} failed, ${Math.round((performance.now() - began) / 1_000)} s`;
  try {
    for await (const trial of trials({ folder, turns: of, random, take: () => random() < 1 / every })) {
      made += 1;
      if (trial.problems.length > 0) {
        failed += 1;
        console.log([`${name}: ${trial.name}`, ...trial.problems].join('\n  '));
      }
      if (performance.now() - shown > SHOWN_MS) {
        shown = performance.now();
        console.error(told());
      }
    }
  } catch (error) {
    // What ends the trials of one kind is told beside their results, and the other kinds go on.
    failed += 1;
    console.log(`${name}: the run itself failed:`, error);
  }
  console.log(told());
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.log(`${name}: ${folder} cannot be removed:`, error);
  }
  return failed;
}

console.log(`seed ${seed}`);
let failed = 0;
for (const kind of KINDS) failed += await judged(kind);
if (NO_RECORDER === null) for (const kind of RECORDED) failed += await judged(kind);
else console.error(`left out, because ${NO_RECORDER}: ${RECORDED.map(({ name }) => name).join('; ')}`);
process.exit(failed > 0 ? 1 : 0);
