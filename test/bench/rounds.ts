// Measures contenders interleaved: A B C, C B A, … so that whatever else the machine does meets all of them alike.
import type { Checkout } from './checkout.ts';
import type { Bench, Row } from './job.ts';
import { load, type Requests, type Sample, type Target } from './load.ts';
import { median, ratios, type Spread, spread } from './statistics.ts';

export interface Contender {
  readonly name: string;
  readonly target: Target;
  readonly connections: number;
  readonly requests: Requests;
}

/** Share of a window that each contender is loaded for beforehand, unmeasured. */
const WARM_UP = 0.5;
/** So many requests at least: a fixed time would leave the slower contender on a busy machine with code that is not yet
 * compiled and caches that are not yet filled. One connection, whose requests come one by one, shows what it is as is. */
const WARM_UP_REQUESTS = 10_000;

/** Loads each contender once per round; the samples are by name, one a round. `warm` is awaited when all are warmed up. */
export async function measure<N extends string>(
  bench: Bench,
  contenders: Readonly<Record<N, Omit<Contender, 'name'>>>,
  warm: () => Promise<void> = async () => {},
): Promise<Record<N, Sample[]>> {
  const { rounds, window_ms } = bench.effort;
  const names = Object.keys(contenders) as N[];
  const samples = Object.fromEntries(names.map((name): [N, Sample[]] => [name, []])) as Record<N, Sample[]>;
  const steps = names.length * (rounds + 1);
  let step = 0;
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) await warm();
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      bench.progress(step++ / steps, round === 0 ? `warming up ${name}` : `${name}, round ${round} of ${rounds}`);
      const { target, connections, requests } = contenders[name];
      if (round === 0) {
        await load(target, connections, window_ms * WARM_UP, requests, connections > 1 ? WARM_UP_REQUESTS : 0);
      } else samples[name].push(await load(target, connections, window_ms, requests));
    }
  }
  return samples;
}

/** One figure of all rounds, as a median. */
export function figure(samples: readonly Sample[], name: keyof Sample): number {
  return median(samples.map((sample) => sample[name]));
}

/** How our requests per second compare with the ceiling's, round by round. */
export function throughput(ours: readonly Sample[], ceiling: readonly Sample[]): Spread {
  return ratios(
    ours.map((sample) => sample.per_second),
    ceiling.map((sample) => sample.per_second),
  );
}

/** How the ceiling's CPU time per request compares with ours, round by round: 1 where both cost the same. */
function cpuRatio(ours: readonly Sample[], ceiling: readonly Sample[]): Spread {
  return ratios(
    ceiling.map((sample) => sample.cpu_us),
    ours.map((sample) => sample.cpu_us),
  );
}

/** How a throughput row is told. */
interface Told {
  readonly against: string;
  readonly target?: string;
  readonly note?: string;
  /** Which ratio must reach the target; a rate says little of a server that waits for its client, as the echo does. */
  readonly judged: 'rate' | 'CPU';
}

/** A row that compares requests per second and CPU time; it is met when the median ratio is at least `least`. */
export function throughputRow(
  job: string,
  ours: readonly Sample[],
  ceiling: readonly Sample[],
  least: number,
  told: Told,
): Row {
  const ratio = throughput(ours, ceiling);
  const cpu_ratio = cpuRatio(ours, ceiling);
  const per_second = (samples: readonly Sample[]): string => `${Math.round(figure(samples, 'per_second'))}/s`;
  const busy = figure(ceiling, 'busy');
  const slow_client =
    told.judged === 'rate' && busy < 0.85
      ? `the ceiling kept its core only ${Math.round(busy * 100)} % busy`
      : undefined;
  return {
    job,
    ours: per_second(ours),
    ceiling: `${told.against} ${per_second(ceiling)}`,
    ratio,
    cpu_ratio,
    p50_ms: figure(ours, 'p50_ms'),
    p99_ms: figure(ours, 'p99_ms'),
    cpu_us: figure(ours, 'cpu_us'),
    ceiling_cpu_us: figure(ceiling, 'cpu_us'),
    target: told.target ?? `≥ ${least} of ${told.judged}`,
    met: (told.judged === 'CPU' ? cpu_ratio : ratio).mid >= least,
    note: [told.note, slow_client].filter(Boolean).join('; ') || undefined,
  };
}

/** Two checkouts cost the same within so much: a checkout beside itself was seen to differ by it. */
const NOISE = 0.03;

/** A row that compares this checkout's server with another's; it is met when ours takes no more CPU time. */
export function besideRow(job: string, ours: readonly Sample[], theirs: readonly Sample[], other: Checkout): Row {
  const row = throughputRow(job, ours, theirs, 1 - NOISE, { against: other.name, judged: 'CPU' });
  const told = (samples: readonly Sample[], name: 'per_second' | 'cpu_us'): string => {
    const { mid, min, max } = spread(samples.map((sample) => sample[name]));
    return `${mid.toFixed(0)} (${min.toFixed(0)}–${max.toFixed(0)})`;
  };
  const rates = `requests/s ${told(ours, 'per_second')} beside ${told(theirs, 'per_second')}`;
  const costs = `server CPU µs/request ${told(ours, 'cpu_us')} beside ${told(theirs, 'cpu_us')}`;
  return { ...row, note: `${rates}; ${costs}` };
}
