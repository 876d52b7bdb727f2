// Runs in a process of its own, with the recorder: makes a database, does turns in groups while its log is copied and starts over, closes
// it, and goes on. Prints how much had been recorded, and how many turns had been acknowledged, after each group.
import { seeded } from '../support/dice.ts';
import { recorderOf } from './recorder.ts';
import { begin, Run } from './run.ts';

export interface AskedRecord {
  /** An empty folder. */
  readonly folder: string;
  readonly record: string;
  readonly turns: number;
  readonly seed: number;
}

export interface Recorded {
  /** The entries when the database had been made. */
  readonly begun: number;
  readonly groups: readonly { readonly entries: number; readonly turns: number }[];
}

const GROUP_MAX = 32;
const LOG_FRAMES = 128;
/** Of all turns, as many are done before the database is closed. */
const FIRST_SHARE = 0.9;

const [library = '', asked = ''] = process.argv.slice(2);
// From the test that has started this job.
const { folder, record, turns, seed } = JSON.parse(asked) as AskedRecord;
const recorder = recorderOf(library);
const random = seeded(seed);
recorder.watch(folder);
recorder.record(record);
await begin(folder);
const begun = recorder.entries();
const groups: { entries: number; turns: number }[] = [];
let done = 0;

async function until(turns_then: number): Promise<void> {
  const run = new Run(folder, { log_frames: LOG_FRAMES, first: done });
  while (done < turns_then) {
    const size = Math.min(turns_then - done, 1 + Math.floor(random() * GROUP_MAX));
    await run.group(size);
    done += size;
    groups.push({ entries: recorder.entries(), turns: done });
    // The thread that copies answers by the event loop.
    await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 3)));
  }
  if (run.refused > 0) throw new Error('a turn was refused on a disk that is whole');
  await run.close();
}

await until(Math.floor(turns * FIRST_SHARE));
await until(turns);
process.stdout.write(`${JSON.stringify({ begun, groups } satisfies Recorded)}\n`);
process.exit(0);
