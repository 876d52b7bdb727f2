// Twenty minutes of messages at 60 % of what the server can take: whether memory and descriptors stay, and whether the last minutes are
// as fast as the first. Memory is what is left after a collection: between two of them it rises and falls by a fifth. An answer that is
// not 2xx fails the job.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fillFolder, HERE } from './checkout.ts';
import { type Child, serve } from './children.ts';
import type { Bench, Job, Row } from './job.ts';
import { load, type Requests } from './load.ts';
import { memory } from './process-figures.ts';
import { median } from './statistics.ts';
import { fromAll, talksOf } from './talks.ts';

const AGENTS = 2_000;
const CONNECTIONS = 64;
const SHARE = 0.6;
/** Requests go out in bursts of so long. */
const BURST_MS = 100;
/** In the first minutes the engine compiles, and caches fill. */
const WARM_MINUTES = 3;
const SLOPE_MAX_MB = 1;
const DESCRIPTORS_MAX = 4;
const SLOWER_MAX = 1.5;

interface Minute {
  /** After a collection, and before it. */
  readonly anonymous_mb: number;
  readonly before_mb: number;
  readonly descriptors: number;
  readonly p99_ms: number;
}

const anonymousOf = ({ pid }: Child): number => memory(pid).anonymous_kb / 1_024;

/** Sends so many requests in each burst, for so long. */
async function minute(server: Child, requests: Requests, burst: number, length_ms: number): Promise<Minute> {
  const p99s: number[] = [];
  const ends_ms = performance.now() + length_ms;
  for (let next_ms = performance.now(); next_ms < ends_ms; next_ms += BURST_MS) {
    await Bun.sleep(Math.max(0, next_ms - performance.now()));
    p99s.push((await load(server, Math.min(CONNECTIONS, burst), 0, requests, burst)).p99_ms);
  }
  const before_mb = anonymousOf(server);
  await server.ask({ ask: 'collect' });
  // The sockets of the last burst have to be closed.
  await Bun.sleep(2 * BURST_MS);
  return {
    anonymous_mb: anonymousOf(server),
    before_mb,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    p99_ms: median(p99s),
  };
}

/** By how much the values grow from one to the next, by least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const by = (weigh: (distance: number, value: number) => number): number =>
    values.reduce((sum, value, at) => sum + weigh(at - middle, value - mean), 0);
  return by((distance, value) => distance * value) / by((distance) => distance * distance);
}

function rowsOf(minutes: readonly Minute[], rate: number, minute_ms: number): Row[] {
  const warm = minutes.slice(Math.min(WARM_MINUTES, minutes.length - 2));
  const grows = slope(warm.map(({ anonymous_mb }) => anonymous_mb)) * (60_000 / minute_ms);
  const highest = Math.max(...minutes.map(({ before_mb }) => before_mb));
  const descriptors = warm.map((each) => each.descriptors);
  const spread = Math.max(...descriptors) - Math.min(...descriptors);
  const third = Math.ceil(warm.length / 3);
  const p99 = (some: readonly Minute[]): number => median(some.map(({ p99_ms }) => p99_ms));
  const [first, last] = [p99(warm.slice(0, third)), p99(warm.slice(-third))];
  const at = `${Math.round(rate)}/s for ${Math.round((minutes.length * minute_ms) / 60_000)} min`;
  return [
    {
      job: `soak, memory, ${at}`,
      ours: `${grows.toFixed(2)} MB a minute, ${warm.at(-1)?.anonymous_mb.toFixed(0)} MB at the end, ${highest.toFixed(0)} MB at most`,
      note: `after each minute ${minutes.map(({ anonymous_mb }) => anonymous_mb.toFixed(0)).join(', ')} MB`,
      target: `< ${SLOPE_MAX_MB} MB a minute`,
      met: grows < SLOPE_MAX_MB,
    },
    {
      job: 'soak, descriptors',
      ours: `${descriptors.at(-1)}, ${spread} apart`,
      target: `≤ ${DESCRIPTORS_MAX} apart`,
      met: spread <= DESCRIPTORS_MAX,
    },
    {
      job: 'soak, p99 at the end',
      ours: `${last.toFixed(1)} ms`,
      ceiling: `at the start ${first.toFixed(1)} ms`,
      ratio: { mid: last / first, min: last / first, max: last / first },
      target: `≤ ${SLOWER_MAX}`,
      met: last / first <= SLOWER_MAX,
    },
  ];
}

export const soakJob: Job = {
  name: 'soak',
  about: 'memory, descriptors and p99 over 20 minutes (--minutes) of messages at 60 % of capacity',
  run: async (bench: Bench) => {
    bench.progress(0, `writing ${AGENTS} agents`);
    const data_dir = join(bench.folder, 'soak');
    const talks = talksOf(AGENTS);
    await fillFolder(HERE, data_dir, talks);
    const server = await serve(bench, './mesh-server.ts', {
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      DATA_DIR: data_dir,
    });
    const requests = fromAll(talks);
    const capacities: number[] = [];
    for (let round = 0; round < bench.effort.rounds; round += 1) {
      bench.progress(0, 'measuring capacity');
      capacities.push((await load(server, CONNECTIONS, bench.effort.window_ms, requests)).per_second);
    }
    const rate = median(capacities) * SHARE;
    const minute_ms = bench.effort.quick ? 1_000 : 60_000;
    const minutes: Minute[] = [];
    while (minutes.length < bench.effort.minutes) {
      bench.progress(minutes.length / bench.effort.minutes, `minute ${minutes.length + 1} of ${bench.effort.minutes}`);
      minutes.push(await minute(server, requests, Math.max(1, Math.round((rate * BURST_MS) / 1_000)), minute_ms));
    }
    return rowsOf(minutes, rate, minute_ms);
  },
};
