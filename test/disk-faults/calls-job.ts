// Runs in a process of its own, with the recorder: for each of the calls that it is told to let fail, a start and turns amid which they
// fail, then some without. Prints what was left and acknowledged, a line each.
import { Database } from 'bun:sqlite';
import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { storedIn } from './judge.ts';
import { ALL_KINDS, type Failing, recorderOf } from './recorder.ts';
import { copyFiles, type Left, Run } from './run.ts';

export interface AskedCalls {
  /** A folder as a kill leaves it. */
  readonly begun: string;
  /** The turns in it. */
  readonly before: readonly string[];
  readonly turns: number;
  readonly log_frames: number;
  /** With 0 as the first call, none fails. */
  readonly trials: readonly Failing[];
}

export interface MetCalls extends Omit<Left, 'frame' | 'folder'> {
  /** The files that a kill would have left; null where the calls failed when it was closed: what is recorded tells then. */
  readonly folder: string | null;
  /** Which of the trials. */
  readonly n: number;
  readonly unsure: readonly (readonly string[])[];
  /** What the recorder wrote, as many entries of it as the files show, and how many calls there were of those that could fail. */
  readonly record: string;
  readonly entries: number;
  /** As many when it had started. */
  readonly started: number;
  readonly calls: number;
  /** Where a sync failed: a start on the files that were there after it, what it had acknowledged in the end, and its own record. */
  readonly restarted: (Crashed & { readonly ids: readonly string[]; readonly record: string }) | null;
  readonly problems: readonly string[];
}

/** What a kill leaves right after a sync has failed. */
interface Crashed {
  readonly left: Left;
  /** As many entries had been recorded. */
  readonly entries: number;
  readonly unsure: readonly (readonly string[])[];
}

const NEVER: Failing = { first: 0, last: -1, error: 0, kinds: ALL_KINDS };
const GROUPS = [1, 5, 17, 32];
/** A disk stays broken for so many groups that are refused. */
const REFUSED_GROUPS = 2;
/** A reader holds a state for half as many. */
const HELD_GROUPS = 6;

const [library = '', asked = ''] = process.argv.slice(2);
// From the test that has started this job.
const { begun, before, turns, log_frames, trials } = JSON.parse(asked) as AskedCalls;
const recorder = recorderOf(library);

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Starts on a folder; where that is refused, once more on a disk that is whole again. */
async function started(folder: string, problems: string[]): Promise<Run> {
  try {
    return new Run(folder, { log_frames, before, aside: recorder.aside });
  } catch (error) {
    if (!(error instanceof Error && /EIO|ENOSPC|disk|full|unable|readonly/i.test(error.message)))
      problems.push(`a start is refused without the reason: ${textOf(error)}`);
    recorder.fail(NEVER);
    return new Run(folder, { log_frames, before, aside: recorder.aside });
  }
}

/** Turns, with a reader now and then of whose state the log cannot be copied on. */
async function work(run: Run): Promise<Crashed | null> {
  let crashed: Crashed | null = null;
  const reader = recorder.aside(() => new Database(join(run.folder, DATABASE_FILE), { readonly: true }));
  for (let done = 0, n = 0; done < turns; n++) {
    const size = Math.min(turns - done, GROUPS[n % GROUPS.length] ?? 1);
    if (n % HELD_GROUPS === 0) recorder.aside(() => reader.run('BEGIN; SELECT count(*) FROM sqlite_master'));
    await run.group(size);
    if (crashed === null && recorder.failedSyncs() > 0)
      crashed = { left: recorder.aside(() => run.leave()), entries: recorder.entries(), unsure: [...run.unsure] };
    // The thread that copies answers by the event loop.
    await new Promise((resolve) => setTimeout(resolve, 1));
    done += size;
    if (n % HELD_GROUPS === HELD_GROUPS / 2) recorder.aside(() => reader.run('COMMIT'));
    if (run.unsure.length >= REFUSED_GROUPS) recorder.fail(NEVER);
  }
  recorder.aside(() => reader.close());
  return crashed;
}

/** Goes on with files of which the system believes that they were synced. */
async function restarted(crashed: Crashed, problems: string[]): Promise<MetCalls['restarted']> {
  const { left } = crashed;
  const [folder, record] = [join(left.folder, 'restarted'), join(left.folder, 'record')];
  copyFiles(left.folder, folder);
  recorder.watch(folder);
  recorder.record(record);
  const run = new Run(folder, { log_frames, before: left.ids, first: 3_000_000 });
  await run.group(3);
  if (run.refused > 0) problems.push('no turn can be done after a restart');
  await run.close();
  return { ...crashed, ids: run.acknowledged.at(-1)?.ids ?? [], record };
}

async function meet(failing: Failing): Promise<Omit<MetCalls, 'n'>> {
  const folder = mkdtempSync(join(dirname(begun), 'calls-'));
  const [record, problems] = [`${folder}.record`, [] as string[]];
  copyFiles(begun, folder);
  recorder.watch(folder);
  recorder.record(record);
  recorder.fail(failing);
  const run = await started(folder, problems);
  const started_at = recorder.entries();
  const crashed = await work(run);
  const reached = failing.first > 0 && (recorder.calls() >= failing.first || run.refused > 0);
  if (reached) {
    recorder.fail(NEVER);
    const refused = run.refused;
    await run.group(3);
    if (run.refused > refused) problems.push('no turn can be done any more');
    const [seen, ids] = [new Set(storedIn(folder)), run.acknowledged.at(-1)?.ids ?? []];
    if (seen.size !== ids.length || ids.some((id) => !seen.has(id)))
      problems.push(`${seen.size} turns can be read, and ${ids.length} were acknowledged`);
  }
  const left = recorder.aside(() => run.leave());
  const entries = recorder.entries();
  try {
    await run.close();
  } catch (error) {
    problems.push(`it cannot be closed: ${textOf(error)}`);
  }
  const [calls, closed] = [recorder.calls(), recorder.entries()];
  recorder.fail(NEVER);
  const again = crashed && (await restarted(crashed, problems));
  const found = { started: started_at, ids: left.ids, unsure: run.unsure, record, calls, restarted: again, problems };
  return reached ? { ...found, folder: left.folder, entries } : { ...found, folder: null, entries: closed };
}

for (const [n, failing] of trials.entries())
  process.stdout.write(`${JSON.stringify({ n, ...(await meet(failing)) } satisfies MetCalls)}\n`);
process.exit(0);
