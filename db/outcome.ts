// The frame of a turn's effects, on either adapter: the check of its credential, its outcome, its idempotency row, and the
// notice of committed turns to the listeners.
import { type Fault, isFault } from '../src/domain/fault.ts';
import type { Rows } from './rows.ts';
import type { TurnRecord } from './run-effects.ts';
import { withinOf } from './schema/keys.ts';
import type { TableName } from './schema/tables.ts';
import { type CommitNotice, type Decision, type Outcome, StalePrincipal, type Turn } from './store.ts';

interface Versioned {
  readonly table: TableName;
  readonly id: string;
  readonly within?: string | undefined;
  readonly version: number;
}

/** The rows that a load read, by `table:id`, with the version each then had. */
export type ReadSet = Map<string, Versioned>;

/** Takes in a row that was read whole, if it has a version. */
export function note(set: ReadSet, table: TableName, row: unknown): void {
  if (typeof row !== 'object' || row === null || !('version' in row) || !('id' in row)) return;
  const { id, version } = row;
  if (typeof id !== 'string' || typeof version !== 'number') return;
  set.set(`${table}:${id}`, { table, id, within: withinOf(table, row), version });
}

/** Whether a turn has anything to commit. */
export function hasWrites<O>(turn: Turn<O>, decision: Decision<O>): boolean {
  return turn.idempotency !== undefined || (decision.effects?.length ?? 0) > 0;
}

/** Whether rows that the turn had read have changed since; for a changed credential the caller authenticates again. */
export function isOutdated<O>(turn: Turn<O>, reads: Iterable<Versioned> | null, rows: Pick<Rows, 'version'>): boolean {
  for (const { table, id, version } of turn.guards ?? []) {
    if (rows.version(table, id) !== version) throw new StalePrincipal();
  }
  for (const { table, id, within, version } of reads ?? []) {
    if (rows.version(table, id, within) !== version) return true;
  }
  return false;
}

/** A refusal without the effects that it may carry. */
function refusalOf({ fault, message, data }: Fault): Fault {
  return { fault, message, data };
}

/** The outcome for the caller: what stopped the turn, or its decision. */
export function outcomeOf<O>(decision: Decision<O>, stopped: Fault | null, record: TurnRecord): Outcome<O> {
  if (stopped !== null) return refusalOf(stopped);
  if (isFault(decision)) return refusalOf(decision);
  const { reply, notes } = decision;
  // A reply that is a function asks for what only the commit assigns.
  const value = typeof reply === 'function' ? (reply as (c: TurnRecord) => O)(record) : reply;
  return { reply: value, notes };
}

/** Writes the idempotency row; false when another turn under the same key got there first. */
export function remember<O>(turn: Turn<O>, outcome: Outcome<O>, rows: Rows): boolean {
  const claim = turn.idempotency;
  const kept = claim?.keep(outcome);
  if (!claim || !kept) return true;
  const { id, request_hash, expires_at } = claim;
  const row = { id, request_hash, expires_at, ...kept, sealed: kept.sealed ? 1 : 0 };
  if (rows.insert('idempotency', row, null)) return true;
  // A row that has expired may still wait for the pruner; its key is free again all the same.
  const old = rows.row('idempotency', id);
  if (!old || Number(old.expires_at) > claim.now_ms) return false;
  return rows.remove('idempotency', id, null) && rows.insert('idempotency', row, null);
}

/** The notice of one commit's turns for the listeners. */
export function noticeOf(records: readonly TurnRecord[]): CommitNotice {
  return {
    turns: records.length,
    events: records.flatMap((r) => r.events),
    reminders: records.flatMap((r) => r.reminders),
    sends: records.flatMap((r) => r.sends),
    replies: records.flatMap((r) => r.replies),
    changed: records.flatMap((r) => r.changed),
    woken: [],
  };
}
