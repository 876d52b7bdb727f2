// scripts/cluster: runs the fault test for longer, or for a seed that failed. Exit 0 when everything held.
import { startPostgres } from '../support/postgres.ts';
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { runCluster } from './run.ts';

const options = { seconds: { type: 'string' }, seed: { type: 'string' }, pace: { type: 'string' } } as const;
const { values } = wordsGiven({ options });
const seed = wholeNumber('--seed', values.seed, Date.now() % 100_000);
const seconds = wholeNumber('--seconds', values.seconds, 60, -1);
const pace = wholeNumber('--pace', values.pace, 400, 1);
const server = await startPostgres();
if (!server) process.exit(1);
try {
  console.log(`seed ${seed}`);
  const database_url = await server.database();
  const report = await runCluster({
    database_url,
    seed,
    seconds,
    pace,
    say: (line) => console.log(`${(performance.now() / 1_000).toFixed(1)} s: ${line}`),
  });
  console.log(report.figures);
  for (const problem of report.problems.slice(0, 40)) console.error(problem);
  console.log(report.problems.length === 0 ? 'everything held' : `${report.problems.length} problems`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} finally {
  server.stop();
}
process.exit();
