// scripts/bench: runs the jobs that are named (all without a name) and prints one table of our figures, their ceilings
// in the same run, and the targets. Exit 0 means that everything was measured, whether or not a target was met.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PINNED } from './children.ts';
import { clusterJob } from './cluster-job.ts';
import type { Effort, Job, Row } from './job.ts';
import { matchingJob } from './matching-job.ts';
import { messageJob } from './message-job.ts';
import { readsJob } from './reads-job.ts';
import { progressBar, table } from './report.ts';
import { startJob } from './start-job.ts';
import { streamsJob } from './streams-job.ts';
import { webhookJob } from './webhook-job.ts';

const JOBS: readonly Job[] = [messageJob, readsJob, streamsJob, matchingJob, webhookJob, startJob];
/** Needs a PostgreSQL on the machine, so it runs only when it is asked for. */
const ASKED_FOR: readonly Job[] = [clusterJob];

function usage(): string {
  const jobs = [...JOBS, ...ASKED_FOR].map(({ name, about }) => `  ${name.padEnd(10)} ${about}`);
  return ['scripts/bench [JOB… | --cluster] [--rounds N] [--quick] [--json FILE]', ...jobs].join('\n');
}

function leave(message: string): never {
  console.error(message);
  process.exit(2);
}

function asked(): { jobs: readonly Job[]; effort: Effort; json: string | undefined } {
  const options = { rounds: { type: 'string' }, quick: { type: 'boolean' }, json: { type: 'string' } } as const;
  const more = { cluster: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArgs({ options: { ...options, ...more }, allowPositionals: true });
  if (values.help) {
    console.log(usage());
    process.exit(0);
  }
  const all = [...JOBS, ...ASKED_FOR];
  const named = values.cluster ? [...positionals, clusterJob.name] : positionals;
  const unknown = named.find((name) => !all.some((job) => job.name === name));
  if (unknown !== undefined) leave(`there is no job ${unknown}\n${usage()}`);
  const quick = values.quick ?? false;
  const rounds = Number(values.rounds ?? (quick ? 3 : 5));
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 50) leave('--rounds takes a number from 1 to 50');
  const jobs = named.length === 0 ? JOBS : all.filter((job) => named.includes(job.name));
  return { jobs, effort: { rounds, window_ms: quick ? 600 : 2_000, quick }, json: values.json };
}

async function run(job: Job, effort: Effort): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-bench-'));
  const cleanups: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const clean = async (): Promise<void> => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  };
  const interrupted = (): void => void clean().then(() => process.exit(130));
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);
  try {
    return await job.run({
      effort,
      folder,
      progress: progressBar(job.name),
      after: (cleanup) => cleanups.push(cleanup),
    });
  } finally {
    await clean();
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  }
}

const { jobs, effort, json } = asked();
const rows: Row[] = [];
let failed = false;
for (const job of jobs) {
  try {
    rows.push(...(await run(job, effort)));
  } catch (error) {
    failed = true;
    console.error(`${job.name} failed:`, error);
  }
}
console.log(
  `${effort.rounds} rounds, interleaved; ${PINNED ? 'servers on core 0, client on core 1' : 'nothing is pinned'}\n`,
);
console.log(table(rows));
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ effort, pinned: PINNED, rows }, null, 2)}\n`);
process.exit(failed ? 1 : 0);
