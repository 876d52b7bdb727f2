// The binary's start to its first answer: in an empty folder, on a database that is there but empty, and with 100,000 live listings; and
// the memory that it keeps a minute later, also of a service in which the demo's agents have joined and met.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY, buildBinary, type Started, startBinary } from './binary.ts';
import type { Bench, Job, Row } from './job.ts';
import { publishing } from './listings.ts';
import { openForFilling, write } from './population.ts';
import { memory } from './process-figures.ts';
import { spread } from './statistics.ts';

const LISTINGS = 100_000;
const IDLE_MS = 60_000;
const IDLE_QUICK_MS = 3_000;
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
  const cpu = spread(took.map(({ cpu_ms }) => cpu_ms));
  const wall = spread(took.map(({ took_ms }) => took_ms));
  const ours = `${cpu.mid.toFixed(0)} ms of CPU (${cpu.min.toFixed(0)}–${cpu.max.toFixed(0)})`;
  const note = `answered after ${wall.mid.toFixed(0)} ms (${wall.min.toFixed(0)}–${wall.max.toFixed(0)})`;
  return { job, ours, target: `≤ ${most_ms} ms of CPU`, met: cpu.mid <= most_ms, note };
}

/** The memory of the binary a minute after it answers, or after `fill` has ended. */
async function idle(
  bench: Bench,
  { job, most_mb, data_dir, fill }: { job: string; most_mb: number; data_dir: string; fill?: (at: Started) => void },
): Promise<Row> {
  const started = await startBinary(bench, data_dir);
  fill?.(started);
  await Bun.sleep(bench.effort.quick ? IDLE_QUICK_MS : IDLE_MS);
  const { rss_kb, anonymous_kb } = memory(started.pid);
  await started.stop();
  return {
    job: `idle memory, ${job}`,
    ours: `${(anonymous_kb / MB).toFixed(0)} MB anonymous`,
    target: `≤ ${most_mb} MB`,
    met: anonymous_kb <= most_mb * MB,
    note: `resident ${(rss_kb / MB).toFixed(0)} MB, which counts pages of the program file and the database`,
  };
}

/** Lets the demo's agents join a service through its API, and meet. */
function joinDemo({ port, data_dir }: Started): void {
  const { exitCode, stderr } = Bun.spawnSync([BINARY, 'demo', '--url', `http://127.0.0.1:${port}`], {
    cwd: data_dir,
    env: { INTERNAL_TOKEN: readFileSync(join(data_dir, 'internal-token'), 'utf8').trim() },
  });
  if (exitCode !== 0) throw new Error(`the demo failed: ${stderr}`);
}

export const startJob: Job = {
  name: 'start',
  about: "the binary's start to its first answer, and its memory a minute later",
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
    bench.progress(0.35, 'idle');
    const resting = [
      await idle(bench, { job: 'empty', most_mb: 60, data_dir: folder('fresh-0') }),
      await idle(bench, { job: 'the 60 agents of the demo', most_mb: 80, data_dir: folder('demo'), fill: joinDemo }),
    ];
    bench.progress(0.4, `writing ${LISTINGS} listings`);
    const store = openForFilling(folder('full'));
    await write(store, publishing(LISTINGS));
    await store.close();
    bench.progress(0.9, `with ${LISTINGS} listings`);
    const full = await times(bench, rounds, () => folder('full'));
    resting.push(await idle(bench, { job: `${LISTINGS} listings`, most_mb: 150, data_dir: folder('full') }));
    rmSync(folder('full'), { recursive: true });
    return [
      row('start, empty folder', fresh, 150),
      row('start, empty database', empty, 150),
      row(`start, ${LISTINGS} listings`, full, 250),
      ...resting,
    ];
  },
};
