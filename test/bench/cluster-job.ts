// Durable message POST in clustered mode: one node beside a bare program that writes the same rows with one transaction
// per request; then two and three nodes, where what counts is how seldom they meet. The database shares the client's core.
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Checkout, entryOf, fillDatabase, HERE } from './checkout.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { load, type Requests, type Sample } from './load.ts';
import { atRest } from './rest.ts';
import { besideRow, figure, measure, throughputRow } from './rounds.ts';
import { ratios } from './statistics.ts';
import { fromAll, type Talk, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
const NODES = 3;
/** Requests of a contender before it is measured: each agent's first ones read and write more than those after them. */
const WARM_UP = 4 * AGENTS;
/** How often nodes may meet: of a hundred turns two may have to decide again. */
const MEETINGS_MAX = 0.02;

/** The clustered store's own count, off a node's metrics. */
export async function tallyOf(
  nodes: readonly Child[],
  name: 'turns' | 'conflicts' | 'retries' | 'batches',
): Promise<number> {
  let sum = 0;
  for (const { port } of nodes) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    sum += Number(new RegExp(`^meshwork_commit_${name}_total (\\d+)$`, 'm').exec(text)?.[1]);
  }
  return sum;
}

/** Several nodes loaded at once, each by its own share of the agents: requests add up, of latencies the worst counts. */
async function loadAll(nodes: readonly Child[], shares: readonly Requests[], window_ms: number): Promise<Sample> {
  const connections = Math.round(CONNECTIONS / nodes.length);
  const loads = nodes.map((node, n) => ({ node, requests: shares[n] ?? fromAll([]) }));
  const samples = await Promise.all(loads.map(({ node, requests }) => load(node, connections, window_ms, requests)));
  const most = (name: keyof Sample): number => Math.max(...samples.map((sample) => sample[name]));
  const sum = (name: keyof Sample): number => samples.reduce((total, sample) => total + sample[name], 0);
  const per_second = sum('per_second');
  const cpu_us = samples.reduce((total, s) => total + s.cpu_us * s.per_second, 0) / per_second;
  return { per_second, p50_ms: most('p50_ms'), p99_ms: most('p99_ms'), cpu_us, busy: sum('busy') };
}

async function several(bench: Bench, nodes: readonly Child[], talks: readonly Talk[]): Promise<Row> {
  const { rounds, window_ms } = bench.effort;
  const shares = nodes.map((_, n) => fromAll(talks, { share: n, shares: nodes.length, run: `on-${nodes.length}` }));
  await loadAll(nodes, shares, window_ms / 2);
  const before = { turns: await tallyOf(nodes, 'turns'), again: await againOf(nodes) };
  const samples: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    bench.progress(round / rounds, `${nodes.length} nodes, round ${round} of ${rounds}`);
    samples.push(await loadAll(nodes, shares, window_ms));
  }
  const turns = (await tallyOf(nodes, 'turns')) - before.turns;
  const share = ((await againOf(nodes)) - before.again) / turns;
  return {
    job: `message, ${nodes.length} nodes`,
    ours: `${Math.round(figure(samples, 'per_second'))}/s`,
    ceiling: `decided again ${(share * 100).toFixed(2)} %`,
    p50_ms: figure(samples, 'p50_ms'),
    p99_ms: figure(samples, 'p99_ms'),
    cpu_us: figure(samples, 'cpu_us'),
    target: `again < ${MEETINGS_MAX * 100} %`,
    met: share < MEETINGS_MAX,
    note: 'all nodes share one core, so this shows no scaling',
  };
}

export async function againOf(nodes: readonly Child[]): Promise<number> {
  return (await tallyOf(nodes, 'conflicts')) + (await tallyOf(nodes, 'retries'));
}

async function databases(bench: Bench): Promise<PostgresServer> {
  const server = await startPostgres();
  if (!server) throw new Error('the clustered mode cannot be measured without PostgreSQL');
  bench.after(() => server.stop());
  return server;
}

export const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } as const;

/** Messages to one node of each of two checkouts in turns, each on a database of its own. */
async function beside(bench: Bench, here: Checkout, other: Checkout): Promise<Row[]> {
  const server = await databases(bench);
  const talks = talksOf(AGENTS);
  const started = async (checkout: Checkout, folder: string): Promise<Child> => {
    bench.progress(0, `writing ${AGENTS} agents with ${checkout.name}`);
    const url = await server.database();
    await fillDatabase(checkout, url, talks);
    const env = { ...ENV, DATABASE_URL: url, DATA_DIR: `${bench.folder}/${folder}` };
    return serve(bench, entryOf(checkout), env, ['serve']);
  };
  const ours = await started(here, 'here');
  const theirs = await started(other, 'other');
  const load = (target: Child) => ({ target, connections: CONNECTIONS, requests: fromAll(talks) });
  const got = await measure(bench, { here: load(ours), other: load(theirs) }, async () => {
    bench.progress(0, 'waiting for rest');
    for (const node of [ours, theirs]) await atRest(node);
  });
  return [besideRow('message, one node on PostgreSQL', got.here, got.other, other)];
}

export const clusterJob: Job = {
  name: 'cluster',
  about: 'durable message POST on PostgreSQL, by one node and by several',
  run: async (bench) => {
    const server = await databases(bench);
    bench.progress(0, `writing ${AGENTS} agents`);
    const talks = talksOf(AGENTS);
    const [apart, shared] = [await server.database(), await server.database()];
    await fillDatabase(HERE, apart, talks);
    await fillDatabase(HERE, shared, talks);
    const bare = await serve(bench, './bare-postgres.ts', { DATABASE_URL: apart });
    const start = (n: number): Promise<Child> =>
      serve(bench, './mesh-server.ts', { ...ENV, DATABASE_URL: shared, DATA_DIR: `${bench.folder}/node-${n}` });
    const first = await start(1);
    const requests = fromAll(talks);
    for (const target of [bare, first]) {
      bench.progress(0, 'letting every agent write, so that caches are full and code is compiled');
      await load(target, CONNECTIONS, 0, requests, WARM_UP);
    }
    await atRest(first);
    const got = await measure(bench, {
      bare: { target: bare, connections: CONNECTIONS, requests },
      ours: { target: first, connections: CONNECTIONS, requests },
    });
    // Its connections are more than a server lets in beside those of three nodes.
    await bare.stop();
    const nodes = [first];
    for (let n = 2; n <= NODES; n++) nodes.push(await start(n));
    const [turns, batches] = [await tallyOf([first], 'turns'), await tallyOf([first], 'batches')];
    const tails = ratios(
      got.ours.map((sample) => sample.p99_ms),
      got.bare.map((sample) => sample.p99_ms),
    );
    const note = `${(turns / batches).toFixed(1)} turns a transaction`;
    return [
      throughputRow('message, one node', got.ours, got.bare, 3, { against: 'bare', judged: 'rate', note }),
      {
        job: 'message, one node, p99',
        ours: `${figure(got.ours, 'p99_ms').toFixed(1)} ms`,
        ceiling: `bare ${figure(got.bare, 'p99_ms').toFixed(1)} ms`,
        ratio: tails,
        target: '≤ 1',
        met: tails.mid <= 1,
      },
      await several(bench, nodes.slice(0, 2), talks),
      await several(bench, nodes, talks),
    ];
  },
  beside,
};
