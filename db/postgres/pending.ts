// A turn that has decided and waits for its batch.

import type { ReadSet } from '../outcome.ts';
import type { Decision, Outcome, Turn } from '../store.ts';

/** The result of a turn in a batch: its committed outcome, `again` when the rows that it read had changed, or `away` when the
 * database did not answer. */
export type Settled = { readonly outcome: Outcome<unknown> } | 'again' | 'away';

export interface Pending {
  readonly turn: Turn<unknown>;
  readonly decision: Decision<unknown>;
  readonly reads: ReadSet;
  /** Whether this is its first decision: a refusal may then rest on a row that came after its reads. */
  readonly first: boolean;
  /** Since when it waits, by the clock of the store's silence. */
  readonly since_ms: number;
  resolve(settled: Settled): void;
  reject(error: unknown): void;
}
