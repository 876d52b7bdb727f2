// scripts/cluster-patroni: the fault test on PostgreSQL under Patroni, behind HAProxy and PgBouncer. In each round, besides the
// faults of the nodes, PostgreSQL of the leader is killed, the leader with its Patroni, a leader is cut off from etcd and its standbys,
// and PgBouncer is restarted. Exit 0 when everything held.
import { wholeNumber, wordsGiven } from '../support/words-given.ts';
import { missing, type Patroni, startPatroni } from './patroni.ts';
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

const say = (line: string): void => console.log(`${(performance.now() / 1_000).toFixed(1)} s: ${line}`);
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
    const gone_ms = await silenceAfter(answered, FLOWING);
    say(
      `writes were away for ${Math.round(gone_ms)} ms; the leader was ${before} and is ${(await patroni.leader()).name}`,
    );
    if (gone_ms > most_ms) late.push(`${name}: writes were away for ${Math.round(gone_ms)} ms, not ${most_ms}`);
    await end();
  }
  await patroni.whole();
}

const patroni = await startPatroni();
try {
  console.log(`seed ${seed}`);
  say('three members, etcd, HAProxy and PgBouncer are up');
  const { direct_url, pooled_url } = patroni;
  const report = await runCluster({
    database_url: direct_url,
    pooled_url,
    seed,
    seconds,
    pace,
    clients: CLIENTS,
    strike: (answered) => strike(patroni, answered),
    say,
  });
  console.log(report.figures);
  const problems = [...late, ...report.problems];
  for (const problem of problems.slice(0, 40)) console.error(problem);
  console.log(problems.length === 0 ? 'everything held' : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await patroni.stop();
}
process.exit();
