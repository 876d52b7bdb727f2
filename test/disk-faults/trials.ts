// Runs, and what is done to the files that they leave; each trial is one start on them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import {
  type Damage,
  FRAME,
  FRAME_HEAD,
  framesOf,
  headless,
  readLog,
  startOf,
  unsynced,
  upTo,
  writeLog,
} from './damage.ts';
import type { Met } from './full-job.ts';
import { judge } from './judge.ts';
import { type Acknowledged, begin, copyFiles, type Left, Run } from './run.ts';

const PAGE = 4_096;
const GROUP_MAX = 32;
/** How much of the first frame that finds no room has some. */
const LIMITS = [0, FRAME_HEAD, FRAME_HEAD + 1_000, FRAME - 1];

export interface Plan {
  /** An empty folder. */
  readonly folder: string;
  readonly turns: number;
  readonly random: () => number;
  /** Whether to make a trial; a sample leaves most of them out. */
  readonly take: () => boolean;
}

export interface Trial {
  readonly name: string;
  readonly problems: readonly string[];
}

const NOTHING: Acknowledged = { frame: 0, ids: [] };

/** What was acknowledged in a log of which so many frames are good. */
const within = (acknowledged: readonly Acknowledged[], good: number): Acknowledged =>
  acknowledged.findLast(({ frame }) => frame <= good) ?? NOTHING;

async function tried(left: Left, change: (folder: string) => void, ids: readonly string[], refused: boolean) {
  const folder = mkdtempSync(join(left.folder, 'trial-'));
  try {
    copyFiles(left.folder, folder);
    change(folder);
    return await judge(folder, { ids }, refused);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* sizes(turns: number, random: () => number): Generator<number> {
  for (let left = turns; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(random() * GROUP_MAX));
    yield size;
    left -= size;
  }
}

/** A log without a copy of it into the file. The mark names all but the last group. */
async function logged({
  folder,
  turns,
  random,
}: Plan): Promise<{ left: Left; acknowledged: Acknowledged[]; marked: number }> {
  await begin(folder);
  const run = new Run(folder);
  try {
    for (const size of sizes(turns, random)) await run.group(size);
    await run.marked();
    const marked = run.acknowledged.at(-1)?.frame ?? 0;
    await run.group(Math.min(turns, GROUP_MAX));
    return { left: run.leave(), acknowledged: run.acknowledged, marked };
  } finally {
    await run.close();
  }
}

type Logged = Awaited<ReturnType<typeof logged>>;
async function* logsOf(plan: Plan, damages: (run: Logged, log: Uint8Array) => Iterable<Damage>): AsyncGenerator<Trial> {
  const run = await logged(plan);
  for (const damage of damages(run, readLog(run.left.folder))) {
    if (!plan.take()) continue;
    const { frame, ids } = within(run.acknowledged, damage.good);
    const problems = await tried(run.left, (folder) => writeLog(folder, damage.log), ids, frame < run.marked);
    yield { name: damage.name, problems };
  }
}

/** The log cut after each sync. */
export const cutLogs = (plan: Plan): AsyncGenerator<Trial> =>
  logsOf(plan, function* ({ acknowledged }, log) {
    for (const { frame } of acknowledged) {
      yield { name: `cut after the sync of frame ${frame}`, good: frame, log: upTo(log, frame) };
    }
  });

/** The log damaged in its last group, and without its head. */
export const damagedLogs = (plan: Plan): AsyncGenerator<Trial> =>
  logsOf(plan, function* ({ marked }, log) {
    yield* unsynced(log, marked + 1, plan.random, framesOf(log) - marked);
    yield* headless(log);
  });

/** A database of which some pages are as they were at an earlier moment, for their writes were not waited for. */
function mixed(before: Uint8Array, now: Uint8Array, random: () => number): Uint8Array {
  const copy = now.slice();
  for (let at = 0; at + PAGE <= before.length && at + PAGE <= now.length; at += PAGE) {
    if (random() < 0.5) copy.set(before.subarray(at, at + PAGE), at);
  }
  return copy;
}

const saltOf = (log: Uint8Array): string => Buffer.from(log.subarray(16, 24)).toString('hex');

/** Files as they lie on the disk while the log is copied into the database and starts over, also with pages of the database that are older
 * than its log. */
export async function* moments(plan: Plan): AsyncGenerator<Trial> {
  const { folder, turns, random } = plan;
  await begin(folder);
  const run = new Run(folder, { log_frames: 128 });
  let before: Left | null = null;
  try {
    for (const size of sizes(turns, random)) {
      await run.group(size);
      // The thread that copies answers by the event loop.
      await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 3)));
      if (!plan.take()) continue;
      const left = run.leave();
      yield { name: `at frame ${left.frame}`, problems: await tried(left, () => {}, left.ids, false) };
      if (before && saltOf(readLog(before.folder)) === saltOf(readLog(left.folder))) {
        const files = [before, left].map((each) => new Uint8Array(readFileSync(join(each.folder, DATABASE_FILE))));
        const [older = new Uint8Array(), newer = new Uint8Array()] = files;
        const change = (at: string): void => writeFileSync(join(at, DATABASE_FILE), mixed(older, newer, random));
        yield {
          name: `at frame ${left.frame}, with pages of frame ${before.frame}`,
          problems: await tried(left, change, left.ids, false),
        };
      }
      if (before) rmSync(before.folder, { recursive: true });
      before = left;
    }
  } finally {
    await run.close();
  }
}

async function* linesOf(begun: string, turns: number, limits: readonly (number | null)[]): AsyncGenerator<Met> {
  const program = join(import.meta.dir, 'full-job.ts');
  const words = [process.execPath, program, begun, String(turns), JSON.stringify(limits)];
  const job = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' });
  try {
    let text = '';
    for await (const bytes of job.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (text + bytes).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Met;
    }
    if ((await job.exited) !== 0) throw new Error('the process with the full disk has failed');
  } finally {
    job.kill();
  }
}

/** A log that may not grow beyond each of its frames: from that write on all of them fail, until there is room again. */
export async function* fullDisks({ folder, turns, take }: Plan): AsyncGenerator<Trial> {
  await begin(folder);
  let frames = 0;
  for await (const { frame } of linesOf(folder, turns, [null])) frames = frame;
  const limits = Array.from({ length: frames }, (_, frame) => LIMITS.map((bytes) => startOf(frame + 1) + bytes));
  for await (const met of linesOf(folder, turns, limits.flat().filter(take))) {
    const problems = met.refused === 0 ? ['the disk was not full'] : await tried(met, () => {}, met.ids, false);
    yield { name: `no room beyond frame ${met.frame}`, problems };
    rmSync(dirname(met.folder), { recursive: true, force: true });
  }
}
