// The binary's start to its first answer: in an empty folder, on a database that is there but empty, and with 100,000
// live listings; and what it keeps in memory when idle.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary, type Started, startBinary } from './binary.ts';
import type { Bench, Job, Row } from './job.ts';
import { publishing } from './listings.ts';
import { openForFilling, write } from './population.ts';
import { memory } from './process-figures.ts';
import { median, spread } from './statistics.ts';

const LISTINGS = 100_000;
const IDLE_MS = 3_000;
const MB = 1_024;

async function times(bench: Bench, rounds: number, folderOf: (round: number) => string): Promise<Started[]> {
  const took: Started[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = await startBinary(bench, folderOf(round));
    took.push(started);
    await started.stop();
  }
  return took;
}

function row(job: string, took: readonly Started[], most_ms: number): Row {
  const { mid, min, max } = spread(took.map(({ took_ms }) => took_ms));
  const note = `${median(took.map(({ cpu_ms }) => cpu_ms)).toFixed(0)} ms of CPU time`;
  const ours = `${mid.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
  return { job, ours, target: `< ${most_ms} ms`, met: mid < most_ms, note };
}

async function idle(bench: Bench, data_dir: string): Promise<Row> {
  const started = await startBinary(bench, data_dir);
  await Bun.sleep(IDLE_MS);
  const { rss_kb, pss_kb, anonymous_kb } = memory(started.pid);
  await started.stop();
  const note = `of it its own ${(anonymous_kb / MB).toFixed(0)} MB; with shared pages divided ${(pss_kb / MB).toFixed(0)} MB; the rest is the program file`;
  return {
    job: 'start, idle memory',
    ours: `${(rss_kb / MB).toFixed(0)} MB`,
    target: '< 120 MB',
    met: rss_kb < 120 * MB,
    note,
  };
}

export const startJob: Job = {
  name: 'start',
  about: "the binary's start to its first answer, and its memory when idle",
  run: async (bench) => {
    bench.progress(0, 'building the binary');
    await buildBinary();
    const folder = (name: string): string => {
      const path = join(bench.folder, name);
      mkdirSync(path, { recursive: true });
      return path;
    };
    const rounds = Math.max(bench.effort.rounds, 5);
    bench.progress(0.2, 'in an empty folder');
    const fresh = await times(bench, rounds, (round) => folder(`fresh-${round}`));
    bench.progress(0.3, 'on an empty database');
    const empty = await times(bench, rounds, () => folder('fresh-0'));
    const resting = await idle(bench, folder('fresh-0'));
    bench.progress(0.4, `writing ${LISTINGS} listings`);
    const store = openForFilling(folder('full'));
    await write(store, publishing(LISTINGS));
    await store.close();
    bench.progress(0.9, `with ${LISTINGS} listings`);
    const full = await times(bench, rounds, () => folder('full'));
    rmSync(folder('full'), { recursive: true });
    return [
      row('start, empty folder', fresh, 150),
      row('start, empty database', empty, 150),
      row(`start, ${LISTINGS} listings`, full, 500),
      resting,
    ];
  },
};
