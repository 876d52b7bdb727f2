// How PostgreSQL is reached, and which of its errors mean only that the same must be tried again.
import { SQL } from 'bun';
import { Silent } from './silence.ts';

/** The used part of Bun's client, for its pool and for one reserved connection. */
export interface Connection {
  unsafe(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

/** A connection of one's own, for transactions. */
export interface Session extends Connection {
  /** A statement without arguments that is prepared, as those with arguments are: only so it leaves without waiting for
   * those before it, and lets those after it leave at once. */
  (text: TemplateStringsArray): Promise<unknown>;
  /** Begins a transaction that the server ends when this node stalls in it. */
  begin(): Promise<unknown>;
}

/** `probe` finds out whether a pooler stands in front of the server. */
export type Use = 'reads' | 'keys' | 'probe';

/** Keeps the connections of a store for the next one on the same database. */
export interface Kept {
  take(max: number, use: Use): SQL | undefined;
  put(sql: SQL, max: number, use: Use): void;
}

/** Where the database is, and how it is reached. */
export interface Server {
  readonly url: string;
  /** Whether there is a pooler with transaction pooling, such as PgBouncer: settings and prepared statements of a connection end with
   * the transaction. */
  readonly pooled: boolean;
  /** Whether Citus distributes its tables, and then finds the shards of a statement by its values. */
  readonly distributed?: boolean;
  /** Where connections are kept, as tests do: opening them costs a server more than most tests. */
  readonly kept?: Kept | undefined;
}

/** Concurrent reads; commits and reads by key have connections of their own. */
export const POOL = 2;
/** A node that stalls within a transaction loses it, and its row locks, after this time, for which other batches wait for
 * those rows. */
const IDLE_IN_TRANSACTION = '3s';
/** The beginning of a transaction when settings cannot be made per connection. */
export const BEGIN_POOLED = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '${IDLE_IN_TRANSACTION}'`;

/** Commits, look-ups and reads of partitioned tables find every row by a key. Their generic plans are made while tables are small, and
 * would keep scanning them sequentially after they have grown. By default the planner plans each read of a partitioned table again,
 * which takes ten times as long as the read. */
const BY_KEYS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};
const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan' };

/** A setting of the probe, which only a server itself takes from whoever connects. */
export const PROBED = 'meshwork.probed';

/** Opens a pool; nothing is sent before the first query. */
export function openPool({ url, pooled, distributed, kept }: Server, max: number = POOL, use: Use = 'reads'): SQL {
  const waiting = kept?.take(max, use);
  if (waiting) return waiting;
  const common = { url, max, idleTimeout: 0, connectionTimeout: 10 };
  // Each statement is planned here with the current table sizes.
  if (pooled) return new SQL({ ...common, prepare: false, connection: { application_name: 'meshwork' } });
  if (use === 'probe') return new SQL({ ...common, connection: { application_name: 'meshwork', [PROBED]: 'on' } });
  const settings = { application_name: 'meshwork', idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION };
  const by_keys = distributed ? BY_KEYS : { ...BY_KEYS, ...PLANNED_ONCE };
  const connection = use === 'keys' ? { ...settings, ...by_keys } : settings;
  return new SQL({ ...common, connection });
}

/** The connection is to a standby: a primary that was demoted, or an address that has not followed yet. */
const READ_ONLY = '25006';
/** The server ended the connection: it goes down or comes up, or its own time limits ran out. */
const ENDED = /^(57P0[1235]|08...|25P0[34])$/;
/** serialization_failure, deadlock_detected, lock_not_available, query_canceled (by a limit that the operator has set), the
 * lack of a connection slot, and in_failed_sql_transaction, which Citus answers first where a worker was lost. */
const AGAIN = /^(25006|25P02|40001|40P01|55P03|57014|53300)$/;

function stateOf(error: unknown): { state: string; code: string } {
  if (!(error instanceof Error)) return { state: '', code: '' };
  const state = 'errno' in error ? String(error.errno) : '';
  return { state, code: 'code' in error ? String(error.code) : '' };
}

/** Whether the connection was lost, so that the outcome of its last statement is unknown. */
export function isLost(error: unknown): boolean {
  if (error instanceof Silent) return true;
  const { state, code } = stateOf(error);
  return ENDED.test(state) || /^(ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|ECONN|EPIPE)/.test(code);
}

/** Whether the same transaction may succeed when it is retried. */
export function isTransient(error: unknown): boolean {
  return isLost(error) || AGAIN.test(stateOf(error).state);
}

/** Whether the connection leads to a server that takes no writes. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error).state === READ_ONLY;
}

/** Whether a row could not be put in because its key is taken (unique_violation). */
export function isTaken(error: unknown): boolean {
  return stateOf(error).state === '23505';
}

/** Sends a statement now. Bun sends its queries only when they are awaited, and of several the order counts. */
export async function send(
  connection: Connection,
  text: string,
  values?: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  return await connection.unsafe(text, values);
}

/** Waits for pipelined statements. Of several errors the first statement's counts: in an aborted transaction the later ones only
 * say that it is aborted. */
export async function allOf<T>(sent: readonly Promise<T>[]): Promise<T[]> {
  const done: T[] = [];
  const ends = await Promise.allSettled(sent);
  for (const end of ends) {
    if (end.status === 'rejected') throw end.reason;
    done.push(end.value);
  }
  return done;
}

/** Names of tables, columns and channels are the service's own, so they need no quoting; values are always bound. */
export const DB_NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
