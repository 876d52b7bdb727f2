// scripts/cluster-citus: the fault test on PostgreSQL that Citus distributes over two workers. In each round, besides the faults of the
// nodes, each worker and the coordinator are killed and started again. Exit 0 when everything held.
import { distribute } from '../../db/postgres/distribute.ts';
import { citusPrograms, startCitus } from './citus.ts';
import { conclude, say } from './command.ts';
import { lateAfter, lightLoad } from './light-load.ts';
import { runCluster } from './run.ts';

/** The longest that writes may stay away while a server starts again. */
const AWAY_MS = 15_000;

const load = lightLoad();
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
    late.push(...(await lateAfter(name, answered, AWAY_MS)));
  }
}

try {
  const database_url = await citus.database();
  await distribute(database_url, say);
  console.log(`seed ${load.seed}`);
  say('a coordinator and two workers are up');
  conclude(await runCluster({ ...load, database_url, strike, say }), late);
} finally {
  await citus.stop();
}
process.exit();
