// The store port: one write path (`turn`) and one read path, the same in the embedded and the clustered mode. Every
// call is awaited, and no SQL dialect shows through.
import type { Code, Fault } from '../src/domain/fault.ts';
import type { RateState } from '../src/domain/identity/rate.ts';
import type { Post } from '../src/domain/money/ledger.ts';
import type { Notes, Success } from '../src/domain/notes.ts';
import type { FileChecked } from './check-thread.ts';
import type { CountEffect, Effect, EventEffect, RemindEffect } from './effects.ts';
import type { LedgerChecked } from './ledger-check/problems.ts';
import type { Query } from './query.ts';
import type { Ready } from './readiness.ts';
import type { RowProblem, RowsChecked } from './row-check/check.ts';
import type { AnsweredColumn } from './schema/conversation.ts';
import type { Row, TableName } from './schema/tables.ts';
import type { Told } from './schema/told.ts';
import type { WorkListener } from './store-work.ts';
import type { VectorIndex } from './vectors/vector-index.ts';

/** Reads by a query of db/queries. Inside a load each row that carries a version is checked again at commit. */
export interface Read {
  <A extends Record<string, unknown>, R>(query: Query<A, R>, args: A): Promise<R>;
  /** The same without the later check, for rows on which the decision does not hang. */
  peek<A extends Record<string, unknown>, R>(query: Query<A, R>, args: A): Promise<R>;
}

/** What only the commit knows, for replies that need it. */
export interface Committed {
  seq(event: EventEffect): number;
  n(counter: CountEffect): number;
  /** Whether the journal stood there already, so that nothing moved. */
  exists(post: Post): boolean;
}

/** What `decide` returns: a reply with effects, or a refusal, which may carry effects too (a wrong code burns a try). */
export type Decision<O, C extends Code = Code> =
  | {
      readonly reply: O | ((committed: Committed) => O);
      readonly notes?: Notes;
      readonly effects?: readonly Effect<C>[];
    }
  | (Fault<C> & { readonly effects?: readonly Effect<C>[] });

/** A turn's end, on disk. */
export type Outcome<O> = { readonly reply: O; readonly notes?: Notes } | Fault;

/** How a call ended, as it is kept for a repeated Idempotency-Key. */
export interface KeptReply {
  readonly status: Success | 'refused';
  /** The reply or the refusal as JSON, sealed when it holds a secret. */
  readonly value: string;
  readonly notes: Notes;
  readonly sealed: boolean;
}

export interface Turn<O> {
  /** Loads and decides; called again after a conflict. */
  attempt(read: Read): Promise<Decision<O>>;
  /** Called once the effects are applied and only the disk is awaited: the mailbox may go on. Must not throw. */
  readonly applied?: () => void;
  /** Rows that must still have this version at commit (the principal's key or session). */
  readonly guards?: readonly { readonly table: TableName; readonly id: string; readonly version: number }[];
  /** The idempotency row to commit along; `keep` answers null for what is never kept (402, 429, 5xx). */
  readonly idempotency?: {
    readonly id: string;
    readonly request_hash: string;
    readonly now_ms: number;
    readonly expires_at: number;
    readonly keep: (outcome: Outcome<O>) => KeptReply | null;
  };
}

/** A stored event as streams and wake-ups see it. */
export interface InboxEvent {
  readonly id: string;
  readonly agent_id: string;
  readonly seq: number;
  readonly kind: string;
  readonly handle: string;
  readonly data: Record<string, unknown>;
  readonly subject_id: string | null;
  readonly respond_by: number | null;
  readonly awaiting: number;
  readonly answered: AnsweredColumn | null;
  readonly created_at: number;
  readonly trace: string | null;
}

/** How long an agent took to reply; presence gathers it. */
export interface Replied {
  readonly agent_id: string;
  readonly seconds: number;
}

/** What a group commit made durable, told to the listeners before the replies leave. */
export interface CommitNotice {
  /** How many turns shared the commit. */
  readonly turns: number;
  readonly events: readonly InboxEvent[];
  readonly reminders: readonly RemindEffect[];
  readonly sends: readonly string[];
  readonly replies: readonly Replied[];
  /** The rows that changed in the tables that are told (schema/told.ts): what caches forget and streams look at again. */
  readonly changed: readonly Told[];
  /** Agents to whose inboxes another node committed something, or all of them: who follows one reads it again. Only
   * `changed` and this are filled when the commit was another node's. */
  readonly woken: readonly string[] | '*';
}

/** What may go wrong behind a commit that stands: a listener, an index in memory, the copying of the log, the high-water mark. */
export type Trouble = 'listener' | 'index' | 'checkpoint' | 'mark';

/** What a store that shares its database with others has counted since it was opened. */
export interface Tally {
  /** Transactions that were tried, and turns in them. */
  readonly batches: number;
  readonly turns: number;
  /** Turns that had to decide again, because rows that they had read were changed or their key was taken. */
  readonly conflicts: number;
  /** Turns that had to decide again because their transaction failed for a passing reason (a lost connection, a server
   * that turned read-only, a deadlock). */
  readonly retries: number;
}

/** How a node follows the commits of the others. */
export interface Following {
  /** Commits that it was told of by NOTIFY, and those that it found when it looked. */
  readonly heard: number;
  readonly found: number;
  /** Since the beginning of its last look that ended well: a commit that it did not hear of goes unseen for no longer. */
  readonly lag_ms: number;
}

/** A place in an inbox: delivered up to `seq`, while `head` was given last. */
export interface Claimed {
  readonly seq: number;
  readonly head: number;
  readonly lease_until: number;
}

/** How many requests of a caller one node let through in the ten seconds that begin at `at` (epoch seconds). */
export interface RateCount {
  readonly caller: string;
  readonly at: number;
  readonly n: number;
}

/** How long the stretches are by which nodes tell each other of requests. */
export const STRETCH_SECONDS = 10;

/** What nodes that share a database tell each other of the requests that they let through. */
export interface SharedRates {
  /** Says what this node let through, each stretch as a whole, and answers what the others did in the last minute, by
   * caller. Throws when the database cannot be reached. */
  exchange(own: readonly RateCount[], now_ms: number): Promise<ReadonlyMap<string, RateState>>;
}

export interface Store {
  /** Null on a single node. */
  readonly rates: SharedRates | null;
  /** Null when this is the only writer. */
  readonly tally: Tally | null;
  /** Null when no other process commits. */
  readonly following: (() => Following) | null;
  /** Reads what is committed. */
  readonly read: Read;
  /** Whether other processes commit too: cached reads then live only as long as a change notice may take. */
  readonly shared: boolean;
  /** Runs a turn to its end; resolves once its effects are on disk. Refusals resolve too. */
  turn<O>(turn: Turn<O>): Promise<Outcome<O>>;
  /** Calls the listener with every commit before its replies leave. A listener that throws is reported as trouble and affects no turn. */
  onCommit(listener: (notice: CommitNotice) => unknown): void;
  /** Failures of the work after commits since the store was opened. */
  readonly troubles: Readonly<Record<Trouble, number>>;
  onTrouble(listener: (trouble: Trouble, error: unknown) => void): void;
  /** Reports the synchronous work in this process; none when the database is a server. */
  onWork(listener: WorkListener): void;
  readonly vectors: VectorIndex;
  /** Whether the database takes writes and has every migration, and why not; never while closing. */
  ready(): Promise<Ready>;
  /** Due reminders that are this caller's to run, the longest due first, without those that it runs already: their rows go
   * when their work is done. Where several nodes run, each gets others, and one whose work is not done within twenty
   * seconds is due again: so a caller claims no more than can begin at once. What was due before `from_ms` is left alone. */
  claimReminders(
    now_ms: number,
    limit: number,
    running: ReadonlySet<string>,
    from_ms: number,
  ): Promise<Row<'reminders'>[]>;
  /** What waits to be sent and may be tried now, claimed in the same way; `next_at` is what its row then says. */
  claimSends(now_ms: number, limit: number, from_ms: number): Promise<{ id: string; next_at: number }[]>;
  /** How far the delivery ladder has come in an agent's inbox, if it is this caller's to go on with it. Where several nodes
   * run, it stays so until `lease_until`; giving the one that was held prolongs it. Null while it is another node's, and
   * for an empty inbox. */
  claimDelivery(now_ms: number, held: { readonly id: string; readonly lease_until: number }): Promise<Claimed | null>;
  /** Proves the ledger on one snapshot of it, in a thread of its own. Asked while that is under way, the same answer. */
  checkLedger(now_ms: number): Promise<LedgerChecked>;
  /** The same of numbers, heads, owners and the index of vectors, with what the service wrote down of itself. */
  checkRows(now_ms: number): Promise<RowsChecked>;
  /** Reads every page of the database file in such a thread; null where the file is the server's own matter. */
  readonly checkFile: ((now_ms: number) => Promise<FileChecked>) | null;
  /** Mends of what a check found what follows from the rows alone: heads below their last row go up, the index of vectors gets
   * what it lacks and loses what has no vector. Answers what it did. */
  mend(problems: readonly RowProblem[]): Promise<readonly string[]>;
  /** Deletes rows in slices that have expired by a time; answers how many went. With null only what nodes tell each other goes. */
  prune(believed_ms: number | null): Promise<number>;
  /** Gives some of the pages that hold nothing back to the disk, where there are many; answers how many. */
  giveBackSpace(): Promise<number>;
  /** What the database takes on disk, in bytes; `log` is the write-ahead log's, `free_pages` are those that hold nothing: null where
   * that is the server's own matter. */
  sizes(): Promise<{ readonly database: number; readonly log: number | null; readonly free_pages: number | null }>;
  /** Connections of the pools at work, and statements that wait for one; null where there is no pool. */
  readonly pools: (() => { readonly busy: number; readonly waiting: number }) | null;
  /** The time of the database's own clock; null where that is this machine's. */
  readonly time: (() => Promise<number>) | null;
  /** Finishes the turns in progress, checkpoints and closes. */
  close(): Promise<void>;
}

/** Seals what rests in the outbound table, bound to its row; handed in by main. */
export interface Sealer {
  seal(plain: string, row_id: string): string;
}

/** Thrown by `turn` when a guard's row changed since the principal was resolved: resolve it again and retry. */
export class StalePrincipal extends Error {
  constructor() {
    super('the credential changed while it was used');
  }
}
