// scripts/cluster: runs the fault test for longer, or for a seed that failed. Exit 0 when everything held.
import { hasPgbouncer, startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { startPostgres } from '../support/postgres.ts';
import { leave, wholeNumber, wordsGiven } from '../support/words-given.ts';
import { conclude, say } from './command.ts';
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
const database_url = await server.database();
const pooler = values.pooler ? await startPgbouncer(database_url) : null;
try {
  console.log(`seed ${seed}`);
  const through = pooler && { pooled_url: pooler.url, strike: () => pooler.restart() };
  const { roles } = values;
  const report = await runCluster({ database_url, ...through, roles, seed, seconds, pace, say });
  conclude(report);
} finally {
  await pooler?.stop();
  server.stop();
}
process.exit();
