// Durable message POST: key, validation, message, inbox event and Idempotency-Key, on disk before the 200. Over 2,000
// agents, from one busy agent, with one commit per request, and one at a time.
import { closeSync, cpSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import type { Requests } from './load.ts';
import { openForFilling } from './population.ts';
import { figure, measure, throughput, throughputRow } from './rounds.ts';
import { median, percentile, ratios } from './statistics.ts';
import { fillTalks, fromAll, fromOne, type Talk, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
/** What a lone message makes the log take: some twelve pages of 4 KiB were counted; the design asks for "a few". */
const SYNC_PAGES = 4;
const PAGE_BYTES = 4_096;
/** As long as SQLite's log when it starts over: a longer one would cost the file system more. */
const SYNC_FILE_PAGES = 1_024;
const SYNCS = 200;

async function fill(data_dir: string): Promise<Talk[]> {
  const store = openForFilling(data_dir);
  const talks = talksOf(AGENTS);
  await fillTalks(store, talks);
  await store.close();
  return talks;
}

/** The middle time of one fdatasync after a few pages were written, in milliseconds. */
function syncTime(folder: string): number {
  const file = openSync(join(folder, 'sync-probe'), 'w');
  const pages = Buffer.alloc(SYNC_PAGES * PAGE_BYTES, 0x5a);
  // Written whole first, as the log is once it has started over: what grows a file is dearer than what fills one.
  writeSync(file, Buffer.alloc(SYNC_FILE_PAGES * PAGE_BYTES));
  fdatasyncSync(file);
  const times: number[] = [];
  for (let i = 0; i < SYNCS; i++) {
    writeSync(file, pages, 0, pages.length, ((i * SYNC_PAGES) % SYNC_FILE_PAGES) * PAGE_BYTES);
    const started_ms = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - started_ms);
  }
  closeSync(file);
  return percentile(times, 0.5);
}

async function crowd(bench: Bench, echo: Child, ours: Child, single: Child, talks: readonly Talk[]): Promise<Row[]> {
  const load = (target: Child, requests: Requests) => ({ target, connections: CONNECTIONS, requests });
  const got = await measure(bench, {
    echo: load(echo, fromAll(talks)),
    'messages of 2,000 agents': load(ours, fromAll(talks)),
    'messages of one agent': load(ours, fromOne(talks)),
    'one commit per request': load(single, fromAll(talks)),
  });
  const many = got['messages of 2,000 agents'];
  const alone = got['one commit per request'];
  const grouping = throughput(many, alone);
  return [
    throughputRow('message, 2,000 agents', many, got.echo, 0.1, { against: 'echo', target: '≥ 0.1, goal 0.25' }),
    throughputRow('message, one busy agent', got['messages of one agent'], got.echo, 0.25, { against: 'echo' }),
    {
      job: 'message, shared commits',
      ours: `${Math.round(figure(many, 'per_second'))}/s`,
      ceiling: `single commits ${Math.round(figure(alone, 'per_second'))}/s`,
      ratio: grouping,
      target: '≥ 4',
      met: grouping.mid >= 4,
    },
  ];
}

async function oneByOne(bench: Bench, echo: Child, ours: Child, talks: readonly Talk[]): Promise<Row> {
  const syncs: number[] = [];
  const requests = fromAll(talks);
  const round = { ...bench, effort: { ...bench.effort, rounds: 1, window_ms: bench.effort.window_ms / 2 } };
  const echoes: number[] = [];
  const lone: { p50: number; p99: number; cpu: number }[] = [];
  for (let i = 0; i < bench.effort.rounds; i++) {
    bench.progress(i / bench.effort.rounds, 'one connection');
    const quiet = { ...round, progress: () => {} };
    const before_ms = syncTime(bench.folder);
    const got = await measure(quiet, {
      echo: { target: echo, connections: 1, requests },
      ours: { target: ours, connections: 1, requests },
    });
    // The smaller of before and after: what our own load left for the disk to do must not make the bound easier.
    syncs.push(Math.min(before_ms, syncTime(bench.folder)));
    echoes.push(figure(got.echo, 'p50_ms'));
    lone.push({ p50: figure(got.ours, 'p50_ms'), p99: figure(got.ours, 'p99_ms'), cpu: figure(got.ours, 'cpu_us') });
  }
  const bounds = echoes.map((echo_ms, i) => echo_ms + (syncs[i] ?? Number.NaN));
  const ratio = ratios(
    lone.map(({ p50 }) => p50),
    bounds,
  );
  const p50_ms = median(lone.map(({ p50 }) => p50));
  return {
    job: 'message, one connection',
    ours: `p50 ${p50_ms.toFixed(3)} ms`,
    ceiling: `echo ${median(echoes).toFixed(3)} + fdatasync ${median(syncs).toFixed(3)} ms`,
    ratio,
    p50_ms,
    p99_ms: median(lone.map(({ p99 }) => p99)),
    cpu_us: median(lone.map(({ cpu }) => cpu)),
    target: '≤ 2',
    met: ratio.mid <= 2,
  };
}

export const messageJob: Job = {
  name: 'message',
  about: 'durable message POST beside a raw echo',
  run: async (bench) => {
    bench.progress(0, `writing ${AGENTS} agents`);
    const grouped = join(bench.folder, 'grouped');
    const apart = join(bench.folder, 'apart');
    const talks = await fill(grouped);
    cpSync(grouped, apart, { recursive: true });
    const env = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };
    const echo = await serve(bench, './echo-server.ts');
    const ours = await serve(bench, './mesh-server.ts', { ...env, DATA_DIR: grouped });
    const single = await serve(bench, './mesh-server.ts', { ...env, DATA_DIR: apart, BENCH_COMMITS: 'single' });
    const rows = await crowd(bench, echo, ours, single, talks);
    return [...rows, await oneByOne(bench, echo, ours, talks)];
  },
};
