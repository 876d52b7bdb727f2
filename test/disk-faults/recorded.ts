// Trials by the recorder of system calls: the disk as a loss of power leaves it at each sync of a run, and calls that fail.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { proveDatabase } from '../../db/sqlite/copy.ts';
import type { AskedCalls, MetCalls } from './calls-job.ts';
import { Disk, type Loss } from './disk.ts';
import { type Expected, judge } from './judge.ts';
import type { AskedRecord, Recorded } from './record-job.ts';
import {
  ALL_KINDS,
  answersOf,
  EIO,
  ENOSPC,
  type Entry,
  entriesIn,
  type Failing,
  type Kind,
  makeRecorder,
} from './recorder.ts';
import { begin, FUNDED, type Left, openStore, Run } from './run.ts';
import type { Plan, Trial } from './trials.ts';

const LOSSES: readonly Loss[] = ['nothing', 'chance', 'everything'];
/** Frames after which the log is copied in runs of few turns. */
const FEW_FRAMES = 64;
const LONG_FRAMES = 512;
const DRAWN = 100;

const idsOf = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `turn-${from + n}`);

/** A database that was being made is made by the next start. */
async function judgeMade(folder: string): Promise<string[]> {
  try {
    await openStore(folder).close();
    const problems = await proveDatabase(join(folder, DATABASE_FILE), 0, () => {});
    return problems
      .filter(({ problem }) => !problem.includes(FUNDED))
      .map(({ about, problem }) => `${about}: ${problem}`);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** What a crash after so many entries has to leave. */
function expectedAt({ groups }: Recorded, entries: number): Expected {
  const next = groups.findIndex((group) => group.entries > entries);
  const [done, doing] = [groups.at(next - 1)?.turns ?? 0, groups[next]?.turns];
  if (doing === undefined) return { ids: idsOf(0, groups.at(-1)?.turns ?? 0) };
  const before = next === 0 ? 0 : done;
  return { ids: idsOf(0, before), unsure: [idsOf(before, doing)] };
}

/** The disk before each sync of a run has ended: as a kill leaves it, and as losses of power do. */
export async function* lostPower({ folder, turns, random, take }: Plan): AsyncGenerator<Trial> {
  const library = makeRecorder(folder);
  const [record, trial, ran] = ['record', 'trial', 'run'].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(ran);
  const asked: AskedRecord = { folder: ran, record, turns, seed: Math.floor(random() * 1_000_000) };
  let recorded: Recorded | undefined;
  for await (const each of answersOf<Recorded>('record-job.ts', library, asked)) recorded = each;
  if (!recorded) throw new Error('nothing was recorded');
  const disk = new Disk();
  let entries = 0;
  for (const entry of entriesIn(record)) {
    if (entry.kind === 'sync') {
      for (const loss of LOSSES) {
        if (!take()) continue;
        disk.leave(trial, loss, random);
        const made = entries >= recorded.begun;
        const problems = made ? await judge(trial, expectedAt(recorded, entries)) : await judgeMade(trial);
        yield { name: `${loss} is lost before entry ${entries}, a sync of ${entry.name}`, problems };
      }
    }
    disk.take(entry);
    entries += 1;
  }
}

/** A folder as a kill leaves it, so that a start reads a log. */
async function killed(folder: string): Promise<Left> {
  const made = mkdtempSync(join(folder, 'made-'));
  await begin(made);
  const run = new Run(made, { first: 2_000_000 });
  await run.group(20);
  const left = run.leave();
  await run.close();
  return left;
}

/** Judges what the entries of a run leave of a folder, with a loss. */
async function judgeAfter(begun: string, taken: readonly Entry[], loss: Loss, expected: Expected): Promise<string[]> {
  const [disk, trial] = [new Disk(), `${begun}-trial`];
  disk.load(begun);
  for (const entry of taken) disk.take(entry);
  disk.leave(trial, loss, () => 0);
  return await judge(trial, expected);
}

/** What a loss of power leaves of runs amid which a sync failed: nothing of what that sync was for, unless it was written again. */
async function unsynced(begun: string, met: MetCalls, entries: readonly Entry[]): Promise<string[]> {
  const failed = entries.findIndex(({ kind, error }) => kind === 'sync' && error !== 0);
  if (failed < 0) return [];
  const copied = entries.slice(failed).some(({ kind, name }) => kind === 'write' && name === DATABASE_FILE);
  if (met.folder !== null && entries[failed]?.name === DATABASE_FILE && failed >= met.started && copied)
    return ['the log was copied on after a sync of the database had failed'];
  const first = await judgeAfter(begun, entries, 'everything', met);
  const problems = first.map((problem) => `after a loss of power, ${problem}`);
  if (!met.restarted) return problems;
  const both = [...entries.slice(0, met.restarted.entries), ...entriesIn(met.restarted.record)];
  const second = await judgeAfter(begun, both, 'everything', met.restarted);
  return [...problems, ...second.map((problem) => `after a restart and a loss of power, ${problem}`)];
}

async function judgeMet(begun: string, met: MetCalls): Promise<string[]> {
  const entries = [...entriesIn(met.record)].slice(0, met.entries);
  const killed = met.folder ? await judge(met.folder, met) : await judgeAfter(begun, entries, 'nothing', met);
  return [...met.problems, ...killed, ...(await unsynced(begun, met, entries))];
}

type Chosen = (calls: number) => Iterable<Failing>;

const nameOf = ({ first, error }: Failing): string => `${error === EIO ? 'EIO at call' : 'ENOSPC from call'} ${first}`;

/** Runs with calls that fail, chosen by how many a run without has. */
async function* meetings(
  plan: Plan,
  log_frames: number,
  kinds: readonly Kind[],
  chosen: Chosen,
): AsyncGenerator<Trial> {
  const library = makeRecorder(plan.folder);
  const left = await killed(plan.folder);
  const ask = (trials: readonly Failing[]) => {
    const asked: AskedCalls = { begun: left.folder, before: left.ids, turns: plan.turns, log_frames, trials };
    return answersOf<MetCalls>('calls-job.ts', library, asked);
  };
  let calls = 0;
  for await (const met of ask([{ first: 0, last: -1, error: 0, kinds }])) calls = met.calls;
  const trials = [...chosen(calls)];
  for await (const met of ask(trials)) {
    const problems = await judgeMet(left.folder, met);
    const ran = met.record.replace(/\.record$/, '');
    for (const path of [ran, met.record]) rmSync(path, { recursive: true });
    const failing = trials[met.n];
    yield { name: failing ? nameOf(failing) : 'no call', problems };
  }
}

const broken = (n: number): Failing => ({ first: n, last: n, error: EIO, kinds: ALL_KINDS });
/** The kinds that take room. */
const TAKING: readonly Kind[] = ['open', 'write', 'truncate', 'sync'];
const full = (n: number): Failing => ({ first: n, last: Number.MAX_SAFE_INTEGER, error: ENOSPC, kinds: TAKING });
const upTo = (calls: number): number[] => Array.from({ length: calls }, (_, n) => n + 1);

/** A sync that fails with EIO, each in turn. */
export const brokenSyncs = (plan: Plan): AsyncGenerator<Trial> =>
  meetings(plan, FEW_FRAMES, ['sync'], (calls) =>
    upTo(calls)
      .filter(plan.take)
      .map((n) => ({ ...broken(n), kinds: ['sync'] })),
  );

/** One call that fails with EIO, each in turn. */
export const brokenCalls = (plan: Plan): AsyncGenerator<Trial> =>
  meetings(plan, FEW_FRAMES, ALL_KINDS, (calls) => upTo(calls).filter(plan.take).map(broken));

/** Calls that fail with ENOSPC, from each in turn on, until there is room again. */
export const fullCalls = (plan: Plan): AsyncGenerator<Trial> =>
  meetings(plan, FEW_FRAMES, TAKING, (calls) => upTo(calls).filter(plan.take).map(full));

/** Calls of a long run, drawn by chance. */
export const drawnCalls = (plan: Plan): AsyncGenerator<Trial> =>
  meetings(plan, LONG_FRAMES, ALL_KINDS, (calls) =>
    upTo(DRAWN)
      .filter(plan.take)
      .map((n) => (n % 2 === 0 ? full : broken)(1 + Math.floor(plan.random() * calls))),
  );
