// scripts/bench: runs the jobs that are named (all without a name) and prints one table of our figures, their ceilings
// in the same run, and the targets; or, with --beside, the same load on the servers of two checkouts. Exit 0 means that
// everything was measured, whether or not a target was met.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leave, wholeNumber, wordsGiven } from '../support/words-given.ts';
import { a2aJob } from './a2a-job.ts';
import { appJob } from './app-job.ts';
import { type Checkout, checkoutAt, HERE } from './checkout.ts';
import { PINNED } from './children.ts';
import { citusJob } from './citus-job.ts';
import { clusterJob } from './cluster-job.ts';
import { growthJob } from './growth-job.ts';
import { heldJob } from './held-job.ts';
import { inboxJob } from './inbox-job.ts';
import type { Bench, Effort, Job, Row } from './job.ts';
import { listenersJob } from './listeners-job.ts';
import { matchingJob } from './matching-job.ts';
import { mcpJob } from './mcp-job.ts';
import { messageJob } from './message-job.ts';
import { mixedJob } from './mixed-job.ts';
import { moneyJob } from './money-job.ts';
import { negotiationJob } from './negotiation-job.ts';
import { peersJob } from './peers-job.ts';
import { readsJob } from './reads-job.ts';
import { remindersJob } from './reminders-job.ts';
import { progressBar, table } from './report.ts';
import { routerJob } from './router-job.ts';
import { soakJob } from './soak-job.ts';
import { startJob } from './start-job.ts';
import { stepsJob } from './steps-job.ts';
import { streamsJob } from './streams-job.ts';
import { testingJob } from './testing-job.ts';
import { webhookJob } from './webhook-job.ts';

const JOBS: readonly Job[] = [
  messageJob,
  peersJob,
  a2aJob,
  mcpJob,
  moneyJob,
  negotiationJob,
  readsJob,
  inboxJob,
  streamsJob,
  listenersJob,
  matchingJob,
  webhookJob,
  routerJob,
  remindersJob,
  startJob,
  testingJob,
  appJob,
  stepsJob,
  heldJob,
];
/** Run only when they are asked for: two need a PostgreSQL on the machine, the others many minutes. */
const ASKED_FOR: readonly Job[] = [clusterJob, citusJob, growthJob, soakJob, mixedJob];

const jobsNamed = (jobs: readonly Job[]): string =>
  jobs.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`).join('\n');

interface Asked {
  readonly jobs: readonly Job[];
  readonly effort: Effort;
  readonly json: string | undefined;
  /** The checkout that is measured beside this one. */
  readonly other: Checkout | null;
}

function otherAt(folder: string): Checkout {
  const other = checkoutAt(folder);
  return typeof other === 'string' ? leave(other) : other;
}

function asked(): Asked {
  const length = {
    rounds: { type: 'string' },
    quick: { type: 'boolean' },
    minutes: { type: 'string' },
    scale: { type: 'string' },
  } as const;
  const which = { only: { type: 'string', multiple: true }, cluster: { type: 'boolean' } } as const;
  const options = { ...length, ...which, json: { type: 'string' }, beside: { type: 'string' } } as const;
  const { values, positionals } = wordsGiven({ options, allowPositionals: true });
  const all = [...JOBS, ...ASKED_FOR];
  const other = values.beside === undefined ? null : otherAt(values.beside);
  const named = [...positionals, ...(values.only ?? []), ...(values.cluster ? [clusterJob.name] : [])];
  if (other && named.length === 0) named.push(messageJob.name);
  const unknown = named.find((name) => !all.some((job) => job.name === name));
  if (unknown !== undefined) leave(`there is no job ${unknown} among\n${jobsNamed(all)}\n`);
  const quick = values.quick ?? false;
  const alone = other && named.find((name) => !all.find((job) => job.name === name)?.beside);
  if (alone) leave(`${alone} cannot be measured beside another checkout`);
  const rounds = wholeNumber('--rounds', values.rounds, quick ? 3 : other ? 9 : 5, 1);
  if (rounds > 50) leave('--rounds takes a number from 1 to 50');
  const minutes = wholeNumber('--minutes', values.minutes, 20, 3);
  const scale = Number(values.scale ?? 1);
  if (!(scale > 0 && scale <= 1)) leave('--scale takes a number above 0, at most 1');
  const jobs = named.length === 0 ? JOBS : all.filter((job) => named.includes(job.name));
  return { jobs, effort: { rounds, window_ms: quick ? 600 : 2_000, quick, minutes, scale }, json: values.json, other };
}

async function run(job: Job, effort: Effort, other: Checkout | null): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-bench-'));
  const cleanups: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const clean = async (): Promise<void> => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  };
  const interrupted = (): void => void clean().then(() => process.exit(130));
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);
  try {
    const after = (cleanup: () => Promise<void> | void): void => void cleanups.push(cleanup);
    const bench: Bench = { effort, folder, progress: progressBar(job.name), after };
    return (other && (await job.beside?.(bench, HERE, other))) ?? (await job.run(bench));
  } finally {
    await clean();
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  }
}

const { jobs, effort, json, other } = asked();
const rows: Row[] = [];
let failed = false;
for (const job of jobs) {
  try {
    rows.push(...(await run(job, effort, other)));
  } catch (error) {
    failed = true;
    console.error(`${job.name} failed:`, error);
  }
}
if (other) console.log(`ours: ${HERE.name}; beside: ${other.name}`);
console.log(
  `${effort.rounds} rounds, interleaved; ${PINNED ? 'servers on core 0, client on core 1' : 'nothing is pinned'}\n`,
);
console.log(table(rows));
if (json !== undefined) writeFileSync(json, `${JSON.stringify({ effort, pinned: PINNED, rows }, null, 2)}\n`);
process.exit(failed ? 1 : 0);
