// Durable message POST to one node on a database that Citus distributes over two workers, beside one node on a plain PostgreSQL. All of
// it shares the machine, so the CPU time of all processes of each side counts besides the rate.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distribute } from '../../db/postgres/distribute.ts';
import { citusPrograms, startCitus, startMember } from '../cluster/citus.ts';
import type { Member } from '../cluster/standby.ts';
import { fillDatabase, HERE } from './checkout.ts';
import { type Child, serve } from './children.ts';
import { againOf, ENV, tallyOf } from './cluster-job.ts';
import type { Bench, Job, Row } from './job.ts';
import { load, type Sample } from './load.ts';
import { familyTime } from './process-figures.ts';
import { throughputRow } from './rounds.ts';
import { fromAll, type Talk, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
/** Requests of a contender before it is measured. */
const WARM_UP = 2 * AGENTS;
/** What is compared, by the shards of each table. */
const SHARDS = [16, 4] as const;

interface Side {
  readonly name: string;
  readonly node: Child;
  readonly servers: readonly Member[];
}

/** CPU time of a node and its servers so far. */
function spentBy({ node, servers }: Side): number {
  const postmasters = servers.map(({ data }) =>
    Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
  );
  return [node.pid, ...postmasters].reduce((sum, pid) => sum + familyTime(pid), 0);
}

async function startNode(bench: Bench, name: string, url: string, talks: readonly Talk[]): Promise<Child> {
  bench.progress(0, `writing ${AGENTS} agents: ${name}`);
  await fillDatabase(HERE, url, talks);
  return serve(bench, './mesh-server.ts', {
    ...ENV,
    DATABASE_URL: url,
    DATA_DIR: `${bench.folder}/${name.replaceAll(' ', '-')}`,
  });
}

async function sides(bench: Bench, bin: string, talks: readonly Talk[]): Promise<Side[]> {
  const member = await startMember(bin);
  bench.after(() => member.stop());
  const citus = await startCitus(bin);
  bench.after(() => citus.stop());
  const plain: Side = {
    name: 'plain',
    node: await startNode(bench, 'plain', member.url('postgres'), talks),
    servers: [member],
  };
  const servers = [citus.coordinator, ...citus.workers];
  const found = [plain];
  for (const shards of SHARDS) {
    const name = `${shards} shards`;
    const url = await citus.database();
    await distribute(url, () => {}, shards);
    found.push({ name, node: await startNode(bench, name, url, talks), servers });
  }
  return found;
}

export const citusJob: Job = {
  name: 'citus',
  about: 'durable message POST on PostgreSQL with Citus, beside a plain one',
  run: async (bench) => {
    const bin = citusPrograms();
    if (bin === null) return [];
    const { rounds, window_ms } = bench.effort;
    const talks = talksOf(AGENTS);
    const all = await sides(bench, bin, talks);
    const samples = new Map<string, Sample[]>(all.map(({ name }) => [name, []]));
    for (const { node } of all) await load(node, CONNECTIONS, 0, fromAll(talks), WARM_UP);
    for (let round = 1; round <= rounds; round++) {
      for (const side of round % 2 === 0 ? all : all.toReversed()) {
        bench.progress(round / rounds, `${side.name}, round ${round} of ${rounds}`);
        const before_us = spentBy(side);
        const sample = await load(side.node, CONNECTIONS, window_ms, fromAll(talks));
        const cpu_us = (spentBy(side) - before_us) / ((sample.per_second * window_ms) / 1_000);
        samples.get(side.name)?.push({ ...sample, cpu_us });
      }
    }
    const [plain, ...distributed] = all;
    const ceiling = samples.get(plain?.name ?? '') ?? [];
    const rows: Row[] = [];
    for (const { name, node } of distributed) {
      const [turns, batches, again] = [
        await tallyOf([node], 'turns'),
        await tallyOf([node], 'batches'),
        await againOf([node]),
      ];
      const note = `${(turns / batches).toFixed(1)} turns a transaction, decided again ${((again / turns) * 100).toFixed(2)} %; CPU of all processes`;
      const told = { against: 'plain', judged: 'rate', note } as const;
      rows.push(throughputRow(`message, Citus, ${name}`, samples.get(name) ?? [], ceiling, 0.1, told));
    }
    return rows;
  },
};
