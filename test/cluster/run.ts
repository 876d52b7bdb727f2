// One run of the fault test: nodes, clients and readers on one database; the faults in turn; then every check. Progress is
// counted in answered writes, so a slow machine does the same run slower.
import { proveLive } from '../../db/postgres/restored.ts';
import type { Member } from '../bench/population.ts';
import { Random } from '../sim/random.ts';
import { checkStored, settle } from './check-stored.ts';
import { checkPulls, checkReplays, checkStreams } from './check-wire.ts';
import { Client, PAY } from './client.ts';
import { Follower } from './follower.ts';
import { Ledger } from './ledger.ts';
import { NODES, type Nodes, startNodes, type Without } from './nodes.ts';
import { populate } from './population.ts';

export interface RunOptions {
  readonly database_url: string;
  /** The same through a pooler, by which the nodes go. */
  readonly pooled_url?: string;
  /** Whether the first node leaves matching to the others. */
  readonly roles?: boolean | undefined;
  readonly seed: number;
  /** Rounds of all faults are begun until so much time has passed; 0 for one round, -1 for none but lost answers. */
  readonly seconds: number;
  /** Answered writes between one fault and the next. */
  readonly pace: number;
  /** Agents that write, each with a reader; 48 where it is not said. */
  readonly clients?: number;
  readonly without?: Without;
  /** A fault of the caller's own in each round, beside those of the nodes; it is told how many writes were answered. */
  readonly strike?: (answered: () => number) => Promise<void>;
  readonly say?: (line: string) => void;
}

export interface RunReport {
  /** What did not hold, as sentences; empty is what is wanted. */
  readonly problems: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const CLIENTS = 48;
/** Share of the answers that never reach the client. */
const LOST_SHARE = 0.02;
/** Without any progress for so long a run is given up. */
const STUCK_MS = 120_000;

/** Waits for work as long as it moves `sign`, which counts what was done: a slow machine takes its time, and only what
 * stands still is given up. */
async function within<T>(what: string, work: Promise<T>, sign: () => number = () => 0): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stuck = new Promise<never>((_, reject) => {
    const look = (seen: number): void => {
      if (sign() === seen) reject(new Error(`stuck: ${what}`));
      else wait();
    };
    const wait = (): void => {
      timer = setTimeout(look, STUCK_MS, sign());
    };
    wait();
  });
  return Promise.race([work, stuck]).finally(() => clearTimeout(timer));
}

/** The faults of one round: each node killed and restarted, one standing still and coming back. */
async function strikeAll(nodes: Nodes, ledger: Ledger, random: Random, options: RunOptions): Promise<void> {
  const { pace, say = () => {} } = options;
  const progress = (what: string): Promise<void> => within(what, ledger.more(pace), () => ledger.writes.length);
  for (let n = 0; n < NODES; n += 1) {
    await progress('before a kill');
    say(`node ${n} is killed after ${ledger.writes.length} writes`);
    await nodes.kill(n);
    await progress('while a node is dead');
    await within('a restart', nodes.restart(n));
  }
  const zombie = random.below(NODES);
  await progress('before a node stands still');
  say(`node ${zombie} stands still after ${ledger.writes.length} writes`);
  nodes.pause(zombie, 'SIGSTOP');
  try {
    await progress('while a node stands still');
  } finally {
    nodes.pause(zombie, 'SIGCONT');
  }
  await progress('after it went on');
  if (options.strike) {
    await within(
      'a fault of the database',
      options.strike(() => ledger.writes.length),
      () => ledger.writes.length,
    );
    await progress('after a fault of the database');
  }
}

interface Ended {
  readonly nodes: Nodes;
  readonly ledger: Ledger;
  readonly clients: readonly Client[];
  readonly members: readonly Member[];
  readonly followers: readonly Follower[];
  readonly late: readonly Member[];
}

/** Every check of what a run has left, in order; each counts what it has done. */
async function checkAll({ database_url }: RunOptions, ended: Ended): Promise<string[]> {
  const { nodes, ledger, clients, members, followers, late } = ended;
  const heard = (): number => followers.reduce((sum, { seqs }) => sum + seqs.length, 0);
  let asked = 0;
  const step = (): void => {
    asked += 1;
  };
  await within('what was still due', settle(nodes, step), () => asked + heard());
  return [
    ...(await within('the streams', checkStreams(database_url, members, followers), heard)),
    ...(await checkStored(database_url, ledger, late)),
    ...(await proveLive(database_url, Date.now())).map(({ about, problem }) => `${about}: ${problem}`),
    ...(await within('the pulls', checkPulls(database_url, nodes, members, step), () => asked)),
    ...(await within('the replays', checkReplays(database_url, clients, ledger, step), () => asked)),
  ];
}

/** Runs it; throws only when the test itself cannot go on. */
export async function runCluster(options: RunOptions): Promise<RunReport> {
  const { database_url, pooled_url, roles, seed, seconds, pace, without, say = () => {} } = options;
  const { clients: members, late } = await populate(database_url, options.clients ?? CLIENTS);
  const nodes = await startNodes({ database_url, pooled_url, roles }, seed, without);
  const ledger = new Ledger();
  const clients = members.map((member, n) => {
    const payee = members[(n + 1) % members.length]?.handle ?? '';
    return new Client({ n, member, payee, url: nodes.url, random: new Random(seed, `client ${n}`), ledger });
  });
  const followers = members.map(({ key }, n) => {
    return new Follower(nodes.url, n, key, (event) => clients[n]?.hear(event));
  });
  let ending = false;
  try {
    const started_ms = performance.now();
    nodes.lose(LOST_SHARE);
    const working = Promise.all(
      clients.map(async (client) => {
        await client.begin();
        while (!ending) await client.step();
      }),
    );
    const faults = async (): Promise<void> => {
      const random = new Random(seed, 'faults');
      await within('the first writes', ledger.more(pace), () => ledger.writes.length);
      if (seconds < 0) return;
      do await strikeAll(nodes, ledger, random, options);
      while (performance.now() - started_ms < seconds * 1_000);
    };
    // A client that throws ends the run at once; otherwise the clients go on until the faults are through.
    await Promise.race([faults(), working]);
    ending = true;
    await within('the last writes', working, () => ledger.writes.length);
    const worked_ms = performance.now() - started_ms;
    nodes.lose(0);
    say(`${ledger.writes.length} writes in ${Math.round(worked_ms)} ms; now the checks`);
    const problems = [...ledger.problems];
    problems.push(...(await checkAll(options, { nodes, ledger, clients, members, followers, late })));
    const tries = ledger.writes.reduce((sum, write) => sum + write.tries, 0);
    const connections = followers.reduce((sum, follower) => sum + follower.connections, 0);
    return {
      problems,
      figures: {
        writes: ledger.writes.length,
        payments: ledger.writes.filter(({ path, status }) => path === PAY && status === 201).length,
        repeated: tries - ledger.writes.length,
        lost_answers: nodes.lost(),
        stream_connections: connections,
        writes_per_second: Math.round((ledger.writes.length / worked_ms) * 1_000),
      },
    };
  } finally {
    ending = true;
    await nodes.stop();
    await Promise.all(followers.map((follower) => follower.leave()));
  }
}
