// scripts/cluster-citus: the fault test on PostgreSQL that Citus distributes over two workers. In each round, besides the faults of the
// nodes, each worker and the coordinator are killed and started again. Exit 0 when everything held.
import { distribute } from '../../db/postgres/distribute.ts';
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { citusPrograms, startCitus } from './citus.ts';
import { runCluster } from './run.ts';
import { silenceAfter } from './silence-after.ts';

const options = { seed: { type: 'string' }, seconds: { type: 'string' }, pace: { type: 'string' } } as const;
const { values } = wordsGiven({ options });
const seed = wholeNumber('--seed', values.seed, Date.now() % 100_000);
const seconds = wholeNumber('--seconds', values.seconds, 0);
const pace = wholeNumber('--pace', values.pace, 60, 1);
/** Light: the check is about what is lost, not about how much it carries. */
const CLIENTS = 12;
/** So many writes after a fault show that it is over: more than can have been on their way. */
const FLOWING = 3 * CLIENTS;
/** The longest that writes may stay away while a server starts again. */
const AWAY_MS = 15_000;

const say = (line: string): void => console.log(`${(performance.now() / 1_000).toFixed(1)} s: ${line}`);
const bin = citusPrograms();
if (bin === null) process.exit(1);

const late: string[] = [];
const citus = await startCitus(bin);
const servers = [
  ...citus.workers.map((member, n) => ({ name: `worker ${n}`, member })),
  { name: 'the coordinator', member: citus.coordinator },
];

async function strike(answered: () => number): Promise<void> {
  for (const { name, member } of servers) {
    say(`${name} is killed and started again, after ${answered()} writes`);
    await citus.restart(member);
    const gone_ms = Math.round(await silenceAfter(answered, FLOWING));
    say(`writes were away for ${gone_ms} ms`);
    if (gone_ms > AWAY_MS) late.push(`${name}: writes were away for ${gone_ms} ms, not ${AWAY_MS}`);
  }
}

try {
  const database_url = await citus.database();
  await distribute(database_url, say);
  console.log(`seed ${seed}`);
  say('a coordinator and two workers are up');
  const report = await runCluster({ database_url, seed, seconds, pace, clients: CLIENTS, strike, say });
  console.log(report.figures);
  const problems = [...late, ...report.problems];
  for (const problem of problems.slice(0, 40)) console.error(problem);
  console.log(problems.length === 0 ? 'everything held' : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await citus.stop();
}
process.exit();
