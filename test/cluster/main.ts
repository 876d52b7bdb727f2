// scripts/cluster: runs the fault test for longer, or for a seed that failed. Exit 0 when everything held.
import { hasPgbouncer, startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { startPostgres } from '../support/postgres.ts';
import { leave, wholeNumber, wordsGiven } from '../support/words-given.ts';
import { runCluster } from './run.ts';

const options = {
  seconds: { type: 'string' },
  seed: { type: 'string' },
  pace: { type: 'string' },
  pooler: { type: 'boolean' },
  roles: { type: 'boolean' },
} as const;
const { values } = wordsGiven({ options });
const seed = wholeNumber('--seed', values.seed, Date.now() % 100_000);
const seconds = wholeNumber('--seconds', values.seconds, 60, -1);
const pace = wholeNumber('--pace', values.pace, 400, 1);
if (values.pooler && !hasPgbouncer) leave('there is no pgbouncer on this machine');
const server = await startPostgres();
if (!server) process.exit(1);
const say = (line: string): void => console.log(`${(performance.now() / 1_000).toFixed(1)} s: ${line}`);
const database_url = await server.database();
const pooler = values.pooler ? await startPgbouncer(database_url) : null;
try {
  console.log(`seed ${seed}`);
  const through = pooler && { pooled_url: pooler.url, strike: () => pooler.restart() };
  const { roles } = values;
  const report = await runCluster({ database_url, ...through, roles, seed, seconds, pace, say });
  console.log(report.figures);
  for (const problem of report.problems.slice(0, 40)) console.error(problem);
  console.log(report.problems.length === 0 ? 'everything held' : `${report.problems.length} problems`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} finally {
  await pooler?.stop();
  server.stop();
}
process.exit();
