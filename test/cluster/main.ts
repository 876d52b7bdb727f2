// scripts/cluster: runs the fault test for longer, or for a seed that failed. Exit 0 when everything held.
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { runCluster } from './run.ts';

const options = { seconds: { type: 'string' }, seed: { type: 'string' }, pace: { type: 'string' } } as const;
const { values } = parseArgs({ options });
const number = (text: string | undefined, otherwise: number): number => {
  const n = Number(text ?? otherwise);
  if (!Number.isInteger(n) || n < -1) throw new Error(`${text} is no whole number`);
  return n;
};
const seed = number(values.seed, Date.now() % 100_000);
const server = await startPostgres();
if (!server) process.exit(1);
try {
  console.log(`seed ${seed}`);
  const seconds = number(values.seconds, 60);
  const pace = number(values.pace, 400);
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
