// A comparison of a day with the processor's books, while it is under way: what it reads, and what it has come to.
import type { Effect } from '../../../db/effects.ts';
import type { Read } from '../../../db/store.ts';
import type { BookLine } from '../../outbound/processor/processor.ts';

/** Where the two differ about one object. */
export interface Difference {
  readonly object_id: string;
  readonly problem: string;
  readonly ours_cents: number | null;
  readonly theirs_cents: number | null;
}

export interface Look {
  readonly read: Read;
  readonly now_ms: number;
  /** All lines of the time that was asked for, which is wider than the day. */
  readonly lines: readonly BookLine[];
  readonly differences: Difference[];
  readonly follows: Effect<never>[];
  readonly fees: Effect<'conflict'>[];
}
