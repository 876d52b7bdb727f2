// What becomes of each turn of a batch, on the locked rows in memory: it stands, is refused, has to decide again, or
// threw. The rules are those of one turn after the other; nothing here waits, so it may be run again from the start.
import { type Fault, isFault } from '../../src/domain/fault.ts';
import type { Effect } from '../effects.ts';
import { type Decision, type Outcome, type Sealer, StalePrincipal } from '../store.ts';
import type { Pending } from './pending.ts';
import { CONFLICT, EffectRunner, TurnRecord } from './run-effects.ts';
import type { Workspace } from './workspace.ts';

export type End =
  | { readonly outcome: Outcome<unknown>; readonly record: TurnRecord | null }
  | { readonly error: unknown }
  | 'again';

/** What the fault tests take away, to see that they would notice; the product never does. */
export type Safeguard = 'version_check' | 'idempotency_row';

/** What a batch is decided with. */
export interface Deciding {
  readonly sealer: Sealer;
  readonly without?: Safeguard;
}

/** What the database said when the batch was tried on it. */
export interface Known {
  /** Inserts whose key is taken. */
  readonly lost: ReadonlySet<Effect>;
  /** Turns that have to wait for the next batch. */
  readonly later: ReadonlySet<number>;
}

export const NOTHING_KNOWN: Known = { lost: new Set(), later: new Set() };

function refusalOf({ fault, message, data }: Fault): Fault {
  return { fault, message, data };
}

/** What the caller is told of a decision that stands. */
export function outcomeOf<O>(decision: Decision<O>, record: TurnRecord): Outcome<O> {
  if (isFault(decision)) return refusalOf(decision);
  const { reply, status, headers } = decision;
  // A reply that is a function asks for what only the commit assigns.
  const value = typeof reply === 'function' ? (reply as (c: TurnRecord) => O)(record) : reply;
  return { reply: value, status, headers };
}

/** Writes the idempotency row; false when another turn under the same key got there first. */
function remember({ turn }: Pending, outcome: Outcome<unknown>, rows: Workspace): boolean {
  const claim = turn.idempotency;
  const kept = claim?.keep(outcome);
  if (!claim || !kept) return true;
  const { id, request_hash, expires_at } = claim;
  const old = rows.row('idempotency', id);
  if (old) {
    if (Number(old.expires_at) > claim.now_ms) return false;
    // A row that has expired may still wait for the pruner; its key is free again all the same.
    rows.remove('idempotency', id);
  }
  return rows.insert('idempotency', { id, request_hash, expires_at, ...kept, sealed: kept.sealed ? 1 : 0 }, null);
}

function endOf(pending: Pending, rows: Workspace, runner: EffectRunner, without?: Safeguard): End {
  const { turn, decision, reads } = pending;
  for (const guard of turn.guards ?? []) {
    if (rows.version(guard.table, guard.id) !== guard.version) throw new StalePrincipal();
  }
  if (without !== 'version_check') {
    for (const { table, id, version } of reads.values()) if (rows.version(table, id) !== version) return 'again';
  }
  const record = new TurnRecord();
  const stopped = runner.run(decision.effects ?? [], record);
  // What refuses it now (a taken key, a full counter) may have been on its way while the turn looked, and it would have
  // decided otherwise. So it looks once more before it is refused.
  if (stopped === CONFLICT || (stopped !== null && pending.first)) return 'again';
  const outcome = stopped ? refusalOf(stopped) : outcomeOf(decision, record);
  // A refused turn changes nothing; only its idempotency row is kept.
  if (stopped) rows.rollback();
  if (without !== 'idempotency_row' && !remember(pending, outcome, rows)) return 'again';
  return { outcome, record: stopped ? null : record };
}

/** Decides the whole batch in order; the workspace then holds what has to be written. */
export function decideBatch(batch: readonly Pending[], rows: Workspace, known: Known, by: Deciding): End[] {
  rows.restart();
  const runner = new EffectRunner(rows, known.lost, by.sealer, by.without !== 'version_check');
  return batch.map((pending, i) => {
    if (known.later.has(i)) return 'again';
    rows.begin(i);
    try {
      const end = endOf(pending, rows, runner, by.without);
      if (end === 'again') rows.rollback();
      return end;
    } catch (error) {
      // A programmer's error in one turn must not take its neighbours along.
      rows.rollback();
      return { error };
    }
  });
}
