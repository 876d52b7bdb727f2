// Measures contenders interleaved: A B C, A B C, … so that whatever else the machine does meets all of them alike.
import type { Bench, Row } from './job.ts';
import { load, type Requests, type Sample, type Target } from './load.ts';
import { median, ratios, type Spread } from './statistics.ts';

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

/** Loads each contender once per round; the samples are by name, one a round. */
export async function measure<N extends string>(
  bench: Bench,
  contenders: Readonly<Record<N, Omit<Contender, 'name'>>>,
): Promise<Record<N, Sample[]>> {
  const { rounds, window_ms } = bench.effort;
  const names = Object.keys(contenders) as N[];
  const samples = Object.fromEntries(names.map((name): [N, Sample[]] => [name, []])) as Record<N, Sample[]>;
  const steps = names.length * (rounds + 1);
  let step = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
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

/** A row that compares requests per second; it is met when the median ratio is at least `least`. */
export function throughputRow(
  job: string,
  ours: readonly Sample[],
  ceiling: readonly Sample[],
  least: number,
  told: { readonly against: string; readonly target?: string; readonly note?: string },
): Row {
  const ratio = throughput(ours, ceiling);
  const per_second = (samples: readonly Sample[]): string => `${Math.round(figure(samples, 'per_second'))}/s`;
  const busy = figure(ceiling, 'busy');
  const slow_client = busy < 0.85 ? `the ceiling kept its core only ${Math.round(busy * 100)} % busy` : undefined;
  return {
    job,
    ours: per_second(ours),
    ceiling: `${told.against} ${per_second(ceiling)}`,
    ratio,
    p50_ms: figure(ours, 'p50_ms'),
    p99_ms: figure(ours, 'p99_ms'),
    cpu_us: figure(ours, 'cpu_us'),
    ceiling_cpu_us: figure(ceiling, 'cpu_us'),
    target: told.target ?? `≥ ${least}`,
    met: ratio.mid >= least,
    note: [told.note, slow_client].filter(Boolean).join('; ') || undefined,
  };
}
