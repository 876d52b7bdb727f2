// Effects: what a turn wants changed, as data. `decide` returns them, the store commits them all in one
// transaction. The effect object itself is the handle for what only the commit assigns (a seq, a count).
import { type Code, type Fault, fault } from '../src/domain/fault.ts';
import type { Post } from '../src/domain/money/ledger.ts';
import type { AnsweredColumn } from './schema/conversation.ts';
import { type KeyOf, type WithinTable, withinOf } from './schema/keys.ts';
import type { NewRow, Row, TableName, VersionedTable } from './schema/tables.ts';
import { growth, rowBytes } from './stored-bytes.ts';

/** A new row. Uniqueness is a key, never a prior read: when a key is taken the turn is refused with `onConflict`, or,
 * with `'ignore'`, the row is left as it is. Without either a taken key is a programmer's error. */
export interface InsertEffect<C extends Code = Code> {
  readonly do: 'insert';
  readonly table: TableName;
  readonly row: Record<string, unknown>;
  readonly onConflict: Fault<C> | 'ignore' | null;
  /** A column that gets the number which an earlier effect of the turn was given. */
  readonly position?: { readonly column: string; readonly by: ApplyEffect };
}

/** Compare-and-set on the version that was read; a mismatch reloads the turn and decides again. */
export interface PatchEffect {
  readonly do: 'patch';
  readonly table: TableName;
  readonly id: string;
  readonly within?: string | undefined;
  readonly version: number;
  readonly set: Record<string, unknown>;
  /** Columns that no cache holds: a change of these alone is not announced. */
  readonly untold?: readonly string[];
  /** By how many bytes the row grows, as plans count storage. */
  readonly grows?: number;
}

/** Deletes the row that was read, comparing its version; null of a table whose rows have none. */
export interface RemoveEffect {
  readonly do: 'remove';
  readonly table: TableName;
  readonly id: string;
  readonly within?: string | undefined;
  readonly version: number | null;
  /** No cache holds the row: the change is not announced. */
  readonly untold?: boolean;
  /** With `'ignore'`, a row that is not there is no conflict. */
  readonly onMissing?: 'ignore';
  /** Minus the bytes of the row, as plans count storage. */
  readonly grows?: number;
}

/** Changes a hot row under its lock, for changes that commute: `change` gets the current row. Raises the version without
 * checking it; a row that is gone makes the turn decide again. `refuse` sees the row first and may refuse the turn, or, with
 * `'again'`, have it decide again: so a closed thread takes no message, without conflicts between its writers. */
export interface ApplyEffect<C extends Code = Code> {
  readonly do: 'apply';
  readonly table: TableName;
  readonly id: string;
  readonly within?: string | undefined;
  readonly change: (row: Record<string, unknown>) => Record<string, unknown>;
  readonly refuse?: ((row: Record<string, unknown>) => Fault<C> | 'again' | null) | null;
  /** The column that counts the row's appended rows; its new value is the effect's number. */
  readonly counts?: string;
  /** Columns that no cache holds: a change of these alone is not announced. */
  readonly untold?: readonly string[];
}

/** A guarded counter: adds `by` unless that would pass `limit`, in which case the turn is refused with `fault`, or, with `'again'`,
 * decides again, for a turn that had read the counter. */
export interface CountEffect<C extends Code = Code> {
  readonly do: 'count';
  readonly key: string;
  readonly by: number;
  readonly limit: number;
  readonly fault: Fault<C> | 'again';
  readonly expires_at: number | null;
}

/** Appended to the agent's inbox; its seq is given at commit. `subject_id` set means that an answer is awaited. */
export interface EventEffect {
  readonly do: 'event';
  readonly id: string;
  readonly to: string;
  readonly handle: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
  readonly subject_id: string | null;
  readonly awaiting: boolean;
  readonly respond_by: number | null;
  readonly created_at: number;
  /** Of the request that caused it; none unless said. */
  readonly trace?: string | null;
}

/** Marks the agent's awaited events about a subject answered; `answered: null` only ends the waiting. */
export interface AnswerEffect {
  readonly do: 'answer';
  readonly agent_id: string;
  readonly subject_id: string;
  readonly answered: AnsweredColumn | null;
  /** False where how long it took is no answer time of the agent's. */
  readonly timed?: boolean;
}

/** The agent replied after so many seconds: passed to the listeners at commit, never stored. Answering an awaited event implies
 * it, unless that is not `timed`. */
export interface RepliedEffect {
  readonly do: 'replied';
  readonly agent_id: string;
  readonly seconds: number;
}

/** A durable call of an internal operation at a time; the same id again moves it. With `now`, the pipeline runs it
 * right after this commit, before the reply: the row only outlives a crash. */
export interface RemindEffect {
  readonly do: 'remind';
  readonly id: string;
  readonly at: number;
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly now: boolean;
  readonly created_at: number;
}

/** Cancels a reminder; with `version` only the one that was read, so that the end of a run does not cancel one that was set again
 * meanwhile. */
export interface UnremindEffect {
  readonly do: 'unremind';
  readonly id: string;
  readonly version?: number;
  /** Refuses the turn when the reminder is gone, or, with `version`, was changed: another node has run it, or it was set
   * again. */
  readonly gone?: Fault;
}

/** Mail or SMS: durable, sealed at rest, redriven with the same id after a crash. */
export interface SendEffect {
  readonly do: 'send';
  readonly id: string;
  readonly channel: 'mail' | 'sms';
  readonly payload: Record<string, unknown>;
  readonly created_at: number;
}

/** The listing's vector and words as of this turn; `vector: null` takes it out of every index. */
export interface EmbedEffect {
  readonly do: 'embed';
  readonly listing_id: string;
  readonly agent_id: string;
  readonly side: 'offer' | 'seek';
  readonly labels: readonly string[];
  /** Null in rows of an older version. */
  readonly card_type: string | null;
  readonly model: string;
  readonly vector: Int8Array | null;
  /** The weightiest words of its text, packed; null in rows of an older version. */
  readonly terms: Uint8Array | null;
}

export type Effect<C extends Code = Code> =
  | InsertEffect<C>
  | PatchEffect
  | RemoveEffect
  | ApplyEffect<C>
  | CountEffect<C>
  | Post<C>
  | EventEffect
  | AnswerEffect
  | RepliedEffect
  | RemindEffect
  | UnremindEffect
  | SendEffect
  | EmbedEffect;

/** `insert('agents', {…}, fault('handle_taken'))`. */
export function insert<T extends TableName, C extends Code = never>(
  table: T,
  row: NewRow<T>,
  onConflict: Fault<C> | 'ignore' | null = null,
): InsertEffect<C> {
  return { do: 'insert', table, row, onConflict };
}

/** `patch('agents', agent, { headline })`: compares the version that `agent` was read with. */
export function patch<T extends VersionedTable>(
  table: T,
  row: KeyOf<T> & { readonly version: number },
  set: Partial<Omit<Row<T>, 'id' | 'version'>>,
  untold: readonly (keyof Row<T> & string)[] = [],
): PatchEffect {
  const { id, version } = row;
  return { do: 'patch', table, id, within: withinOf(table, row), version, set, untold, grows: growth(table, row, set) };
}

/** Deletes the row as it was read. */
export function remove<T extends VersionedTable>(table: T, row: KeyOf<T> & { readonly version: number }): RemoveEffect {
  const { id, version } = row;
  return { do: 'remove', table, id, within: withinOf(table, row), version, grows: -rowBytes(table, row) };
}

/** Deletes an expired row without an announcement: caches drop it by themselves. */
export function removeOld<T extends TableName>(
  table: T,
  row: KeyOf<T> & (T extends VersionedTable ? { readonly version: number } : object),
): RemoveEffect {
  const version = 'version' in row && typeof row.version === 'number' ? row.version : null;
  return { do: 'remove', table, id: row.id, within: withinOf(table, row), version, untold: true };
}

/** Deletes the row, if there is one, without an announcement. */
export function removeIfPresent(table: TableName, id: string): RemoveEffect {
  return { do: 'remove', table, id, version: null, untold: true, onMissing: 'ignore' };
}

/** Whether a change touches anything that caches may hold. */
export function isToldOf({ untold }: ApplyEffect | PatchEffect, set: Record<string, unknown>): boolean {
  return !untold?.length || Object.keys(set).some((column) => !untold.includes(column));
}

/** `apply('labels', 'seo', (row) => ({ uses: row.uses + 1 }))`; where an id is no whole key, `apply('events', { agent_id, id }, …)`. */
export function apply<T extends TableName, C extends Code = never>(
  table: T,
  key: T extends WithinTable ? KeyOf<T> : string,
  change: (row: Row<T>) => Partial<Omit<Row<T>, 'id' | 'version'>>,
  refuse: ((row: Row<T>) => Fault<C> | 'again' | null) | null = null,
  untold: readonly (keyof Row<T> & string)[] = [],
): ApplyEffect<C> {
  // The store returns the row type of the table's name.
  const erased = { change, refuse } as unknown as Pick<ApplyEffect<C>, 'change' | 'refuse'>;
  const named = typeof key === 'string' ? { id: key } : { id: key.id, within: withinOf(table, key) };
  return { do: 'apply', table, ...named, untold, ...erased };
}

/** An `apply` to the head row of a sequence, which counts appended rows in `column`. */
export function headOf<C extends Code>(
  column: string,
  effect: ApplyEffect<C>,
): ApplyEffect<C> & { readonly counts: string } {
  return { ...effect, counts: column };
}

/** A new row of a sequence with a head row: `column` gets the number that `head`, which precedes it in the turn, leaves in its
 * counting column. Positions are assigned in the commit, so they become visible in order. */
export function append<T extends TableName>(
  table: T,
  row: NewRow<T>,
  column: keyof NewRow<T> & string,
  head: ApplyEffect & { readonly counts: string },
): InsertEffect<never> {
  return { do: 'insert', table, row, onConflict: null, position: { column, by: head } };
}

/** `count('plan:listings:…', 2, fault('plan_limit'))`. */
export function count<C extends Code = never>(
  key: string,
  limit: number,
  refusal: Fault<C> | 'again',
  expires_at: number | null = null,
  by = 1,
): CountEffect<C> {
  return { do: 'count', key, by, limit, fault: refusal, expires_at };
}

/** The refusal of a full counter, with its figures; a gate, whose limit is 0, has none. A refusal with `limit_cents` also names the used
 * and remaining cents. */
export function fullFault(refusal: Fault, limit: number, used: number): Fault {
  if (typeof refusal.data['limit_cents'] === 'number') {
    const left_cents = Math.max(0, limit - used);
    return fault(refusal.fault, refusal.message, { ...refusal.data, used_cents: used, left_cents });
  }
  const figures = limit > 0 ? { limit, ...refusal.data, used } : refusal.data;
  return fault(refusal.fault, refusal.message, figures);
}
