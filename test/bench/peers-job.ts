// A durable message beside message brokers, a database, a chat server and a bare push server, on the same core in the same run: 64
// publishers, each waiting for its answer. Ours authenticates, checks, writes five rows and has letters to think of; each peer
// does what its protocol promises, which its row says.
import { join } from 'node:path';
import { entryOf, fillFolder, HERE } from './checkout.ts';
import { serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { type Sample, timed } from './load.ts';
import { OFFERS, type Peer, PUBLISHERS, unopened } from './peers.ts';
import { familyTime } from './process-figures.ts';
import { atRest } from './rest.ts';
import { throughputRow } from './rounds.ts';
import { percentile } from './statistics.ts';
import { fromAll, talksOf } from './talks.ts';

const AGENTS = 2_000;
/** The only peer that the design sets a target for. */
const LEAST: Readonly<Record<string, number>> = { 'rabbitmq-server': 0.5 };
/** What a peer does after its answers still counts. */
const AFTER_MS = 300;
const ENV = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } as const;

async function ourselves(bench: Bench): Promise<Peer> {
  bench.progress(0, `writing ${AGENTS} agents`);
  const data_dir = join(bench.folder, 'ours');
  const talks = talksOf(AGENTS);
  await fillFolder(HERE, data_dir, talks);
  const server = await serve(bench, entryOf(HERE), { ...ENV, DATA_DIR: data_dir }, ['serve']);
  const requests = fromAll(talks);
  const run = (window_ms: number) => timed(server.port, PUBLISHERS, window_ms, requests, 0);
  // Each agent's first message asks for a letter.
  await run(bench.effort.window_ms);
  await atRest(server);
  return { name: 'ours', kept: '', pid: server.pid, open: unopened(run) };
}

async function sample({ pid, open }: Peer, window_ms: number): Promise<Sample> {
  const { run, close } = await open();
  const [cpu_before, began_ms] = [familyTime(pid), performance.now()];
  const latencies = await run(window_ms);
  const elapsed_ms = performance.now() - began_ms;
  await Bun.sleep(AFTER_MS);
  const cpu_us = familyTime(pid) - cpu_before;
  close();
  return {
    per_second: (latencies.length / elapsed_ms) * 1_000,
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    cpu_us: cpu_us / latencies.length,
    busy: cpu_us / 1_000 / elapsed_ms,
  };
}

async function run(bench: Bench): Promise<Row[]> {
  const ours = await ourselves(bench);
  const peers: { readonly peer: Peer; readonly least: number | undefined; readonly samples: Sample[] }[] = [];
  const missing: Row[] = [];
  for (const { name, from, start } of OFFERS) {
    bench.progress(0, `starting ${name}`);
    const started = await start(bench);
    const note = `SKIPPED: apt-get install ${from}`;
    if (started) peers.push({ peer: { name, ...started }, least: LEAST[from], samples: [] });
    else missing.push({ job: `message, ${name}`, ours: '', target: '', met: null, note });
  }
  const own: Sample[] = [];
  const { rounds, window_ms } = bench.effort;
  for (let round = 0; round <= rounds; round++) {
    const turns = [{ peer: ours, samples: own }, ...peers];
    for (const { peer, samples } of round % 2 === 0 ? turns : turns.toReversed()) {
      bench.progress(round / (rounds + 1), round === 0 ? `warming up ${peer.name}` : `${peer.name}, round ${round}`);
      const seen = await sample(peer, window_ms);
      if (round > 0) samples.push(seen);
    }
  }
  const rows = peers.map(({ peer: { name, kept }, least = 0, samples }): Row => {
    const row = throughputRow(`message, ${name}`, own, samples, least, { against: 'it', judged: 'CPU', note: kept });
    return least > 0 ? row : { ...row, target: '', met: null };
  });
  return [...rows, ...missing];
}

export const peersJob: Job = {
  name: 'peers',
  about: 'durable message POST beside RabbitMQ, Redis, NATS, PostgreSQL, prosody and nchan',
  run,
};
