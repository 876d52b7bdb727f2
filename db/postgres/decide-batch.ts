// Decides each turn of a batch on the locked rows in memory: it succeeds, is refused, has to decide again, or threw. The result is
// that of one turn after the other; it is synchronous, so it can be repeated from the start.
import type { Effect } from '../effects.ts';
import { isOutdated, outcomeOf, remember } from '../outcome.ts';
import { CONFLICT, EffectRunner, TurnRecord } from '../run-effects.ts';
import type { Outcome, Sealer } from '../store.ts';
import { LockedRows } from './locked-rows.ts';
import type { Pending } from './pending.ts';
import type { Workspace } from './workspace.ts';

export type End =
  | { readonly outcome: Outcome<unknown>; readonly record: TurnRecord | null }
  | { readonly error: unknown }
  | 'again';

/** A safeguard that fault tests remove to prove that they detect it; never in production. */
export type Safeguard = 'version_check' | 'idempotency_row';

export interface Deciding {
  readonly sealer: Sealer;
  readonly without?: Safeguard;
}

/** What earlier rounds of the batch have learnt from the database. */
export interface Known {
  /** Inserts whose key is taken. */
  readonly lost: ReadonlySet<Effect>;
  /** Turns that have to wait for the next batch. */
  readonly later: ReadonlySet<number>;
}

export const NOTHING_KNOWN: Known = { lost: new Set(), later: new Set() };

interface Ground {
  readonly workspace: Workspace;
  readonly rows: LockedRows;
  readonly runner: EffectRunner;
}

function decideTurn(pending: Pending, { workspace, rows, runner }: Ground, without?: Safeguard): End {
  const { turn, decision, reads } = pending;
  if (isOutdated(turn, without === 'version_check' ? null : reads.values(), rows)) return 'again';
  const record = new TurnRecord();
  const stopped = runner.run(decision.effects ?? [], record);
  // The cause of a refusal (a taken key, a full counter) may have been committed after the turn's reads, and it would have decided
  // otherwise. So it decides once more before it is refused.
  if (stopped === CONFLICT || (stopped !== null && pending.first)) return 'again';
  const outcome = outcomeOf(decision, stopped, record);
  // A refused turn changes nothing; only its idempotency row is kept.
  if (stopped) workspace.rollback();
  if (without !== 'idempotency_row' && !remember(turn, outcome, rows)) return 'again';
  return { outcome, record: stopped ? null : record };
}

/** Decides the whole batch in order; the workspace then holds what has to be written. */
export function decideBatch(batch: readonly Pending[], workspace: Workspace, known: Known, by: Deciding): End[] {
  workspace.restart();
  const rows = new LockedRows(workspace, known.lost, by.without !== 'version_check');
  const ground: Ground = { workspace, rows, runner: new EffectRunner(rows, by.sealer) };
  return batch.map((pending, i) => {
    if (known.later.has(i)) return 'again';
    workspace.begin(i);
    try {
      const end = decideTurn(pending, ground, by.without);
      if (end === 'again') workspace.rollback();
      return end;
    } catch (error) {
      // A programmer's error in one turn must not take its neighbours along.
      workspace.rollback();
      return { error };
    }
  });
}
