// What a job of the benchmark is and what it reports: one row for each target of the design.
import type { Checkout } from './checkout.ts';
import type { Spread } from './statistics.ts';

export interface Effort {
  /** Rounds of each comparison; every round measures each contender once, one after the other. */
  readonly rounds: number;
  /** How long one contender is loaded in one round. */
  readonly window_ms: number;
  readonly quick: boolean;
  /** How long a job of minutes takes. */
  readonly minutes: number;
  /** The share of its full size that a job of growing databases has. */
  readonly scale: number;
}

export interface Row {
  readonly job: string;
  /** Our figure, with its unit. */
  readonly ours: string;
  /** What it is measured against, in the same run; absent where the target is absolute. */
  readonly ceiling?: string;
  readonly ratio?: Spread;
  /** The ceiling's CPU time per request over ours: what a waiting client or a busy machine does not move. */
  readonly cpu_ratio?: Spread;
  readonly p50_ms?: number;
  readonly p99_ms?: number;
  /** CPU time of the whole server process per request, and the ceiling's. */
  readonly cpu_us?: number;
  readonly ceiling_cpu_us?: number;
  readonly target: string;
  /** Null where there is nothing to meet, or nothing to measure with. */
  readonly met: boolean | null;
  readonly note?: string;
}

export interface Bench {
  readonly effort: Effort;
  /** A folder of this run on the disk; gone afterwards. */
  readonly folder: string;
  /** Tells how far the job is: a share of 0 to 1, and what runs now. */
  progress(share: number, doing: string): void;
  /** Runs when the job ends, however it ends; the last one first. */
  after(cleanup: () => Promise<void> | void): void;
}

export interface Job {
  readonly name: string;
  readonly about: string;
  run(bench: Bench): Promise<Row[]>;
  /** The job's load on the servers of two checkouts, in turns; absent where that was not made. */
  beside?(bench: Bench, here: Checkout, other: Checkout): Promise<Row[]>;
}
