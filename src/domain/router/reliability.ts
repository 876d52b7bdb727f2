// The reliability and speed of a provider over its last two hundred attempts. One account counts for at most a tenth of them, so that
// a single caller can neither make nor ruin a provider's reputation.

/** The newest attempts, which count. */
export const WINDOW = 200;
/** The largest total weight of one account. */
const ACCOUNT_MAX = WINDOW / 10;
/** Weights are stored as whole thousandths. */
const UNIT = 1_000;

/** A counted attempt. */
export interface Counted {
  readonly caller_account_id: string;
  readonly served: boolean;
  /** Null unless it was served. */
  readonly latency_ms: number | null;
}

/** The stored figures of a provider's window. */
export interface Reliability {
  /** In thousandths of an attempt. */
  readonly weighed_attempts: number;
  readonly weighed_served: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

/** The percentile of sorted latencies; null without any. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** The median and 95th percentile of latencies. */
export function latencyOf(latencies: readonly number[]): Pick<Reliability, 'p50_ms' | 'p95_ms'> {
  const sorted = latencies.toSorted((a, b) => a - b);
  return { p50_ms: percentile(sorted, 0.5), p95_ms: percentile(sorted, 0.95) };
}

/** Weighs a window of at most `WINDOW` attempts. */
export function weigh(window: readonly Counted[]): Reliability {
  const of_account = new Map<string, { attempts: number; served: number }>();
  for (const { caller_account_id, served } of window) {
    const sum = of_account.get(caller_account_id) ?? { attempts: 0, served: 0 };
    of_account.set(caller_account_id, { attempts: sum.attempts + 1, served: sum.served + (served ? 1 : 0) });
  }
  let [weighed_attempts, weighed_served] = [0, 0];
  for (const { attempts, served } of of_account.values()) {
    const weight = Math.min(1, ACCOUNT_MAX / attempts) * UNIT;
    weighed_attempts += Math.round(attempts * weight);
    weighed_served += Math.round(served * weight);
  }
  const latencies = window.filter(({ served }) => served).flatMap(({ latency_ms }) => latency_ms ?? []);
  return { weighed_attempts, weighed_served, ...latencyOf(latencies) };
}

/** The expected share of answered dispatches: of the weighted attempts, with a prior of four successes in five. */
export function chance({
  weighed_attempts,
  weighed_served,
}: Pick<Reliability, 'weighed_attempts' | 'weighed_served'>): number {
  return (weighed_served / UNIT + 4) / (weighed_attempts / UNIT + 5);
}

/** A whole percentage; null without attempts. */
export function percentServed(attempts: number, served: number): number | null {
  return attempts === 0 ? null : Math.round((served / attempts) * 100);
}
