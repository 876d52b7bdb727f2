// scripts/cluster-patroni: the fault test on PostgreSQL under Patroni, behind HAProxy and PgBouncer. In each round, besides the
// faults of the nodes, PostgreSQL of the leader is killed, the leader with its Patroni, a leader is cut off from etcd and its standbys,
// and PgBouncer is restarted. Exit 0 when everything held.
import { conclude, say } from './command.ts';
import { lateAfter, lightLoad } from './light-load.ts';
import { missing, type Patroni, startPatroni } from './patroni.ts';
import { runCluster } from './run.ts';

const load = lightLoad();
const lacks = missing();
if (lacks !== null) {
  console.warn(`SKIPPED: this machine has no ${lacks} (Debian: patroni etcd-server haproxy pgbouncer postgresql)`);
  process.exit(1);
}

/** A fault, and the longest that writes may stay away. */
interface Fault {
  readonly name: string;
  readonly most_ms: number;
  /** Begins it; what it returns ends it, once writes are back. */
  begin(patroni: Patroni): Promise<() => void | Promise<void>>;
}

const FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL of the leader is killed',
    most_ms: 15_000,
    begin: async (patroni) => {
      (await patroni.leader()).killServer();
      return () => {};
    },
  },
  {
    name: 'the leader is killed with its Patroni',
    most_ms: 40_000,
    begin: async (patroni) => {
      const leader = await patroni.leader();
      await leader.service.kill();
      leader.killServer();
      return () => leader.start();
    },
  },
  {
    name: 'the leader is cut off from etcd and the other members',
    most_ms: 40_000,
    begin: async (patroni) => {
      const leader = await patroni.leader();
      leader.cut(true);
      return () => leader.cut(false);
    },
  },
  {
    name: 'PgBouncer is killed and started again',
    most_ms: 15_000,
    begin: async (patroni) => {
      await patroni.restartPooler();
      return () => {};
    },
  },
];

const late: string[] = [];

async function strike(patroni: Patroni, answered: () => number): Promise<void> {
  for (const { name, most_ms, begin } of FAULTS) {
    await patroni.whole();
    say(`${name}, after ${answered()} writes`);
    const before = (await patroni.leader()).name;
    const end = await begin(patroni);
    late.push(...(await lateAfter(name, answered, most_ms)));
    say(`the leader was ${before} and is ${(await patroni.leader()).name}`);
    await end();
  }
  await patroni.whole();
}

const patroni = await startPatroni();
try {
  console.log(`seed ${load.seed}`);
  say('three members, etcd, HAProxy and PgBouncer are up');
  const { direct_url, pooled_url } = patroni;
  const report = await runCluster({
    ...load,
    database_url: direct_url,
    pooled_url,
    strike: (answered) => strike(patroni, answered),
    say,
  });
  conclude(report, late);
} finally {
  await patroni.stop();
}
process.exit();
