// A turn that has decided and waits for its batch.

import type { ReadSet } from '../outcome.ts';
import type { Decision, Outcome, Turn } from '../store.ts';

/** What a batch did with a turn: an outcome that stands, or nothing yet, since somebody changed what it had read, or since
 * the database was away. */
export type Settled = { readonly outcome: Outcome<unknown> } | 'again' | 'away';

export interface Pending {
  readonly turn: Turn<unknown>;
  readonly decision: Decision<unknown>;
  readonly reads: ReadSet;
  /** Whether it was decided for the first time: what refuses it then may have come after it had looked. */
  readonly first: boolean;
  /** Since when it waits, by the clock of the store's silence. */
  readonly since_ms: number;
  resolve(settled: Settled): void;
  reject(error: unknown): void;
}
