// What the attempts of a provider say of it: how reliably and how fast it answers, over the last two hundred. No account speaks with
// more than a tenth of them, so that a caller cannot make a provider's name by itself, nor ruin it.

/** Attempts that are looked at, the newest. */
export const WINDOW = 200;
/** Of these, what one account's may weigh together. */
const ACCOUNT_MAX = WINDOW / 10;
/** Weights are kept as whole thousandths. */
const UNIT = 1_000;

/** An attempt that counts. */
export interface Counted {
  readonly caller_account_id: string;
  readonly served: boolean;
  /** Of one that was served. */
  readonly latency_ms: number | null;
}

/** What is kept of a provider's window. */
export interface Reliability {
  /** In thousandths of an attempt. */
  readonly weighed_attempts: number;
  readonly weighed_served: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

/** The latency below which the given share of the answers came, of sorted ones; null where there are none. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** How soon answers came, by their latencies. */
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

/** The share of dispatches to expect an answer from: of what was weighed, with four successes of five before it. */
export function chance({
  weighed_attempts,
  weighed_served,
}: Pick<Reliability, 'weighed_attempts' | 'weighed_served'>): number {
  return (weighed_served / UNIT + 4) / (weighed_attempts / UNIT + 5);
}

/** A whole percentage; null where nothing was attempted. */
export function percentServed(attempts: number, served: number): number | null {
  return attempts === 0 ? null : Math.round((served / attempts) * 100);
}
