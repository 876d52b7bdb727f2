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

/** Values that only the commit knows, for replies. */
export interface Committed {
  seq(event: EventEffect): number;
  n(counter: CountEffect): number;
  /** Whether the journal was already booked, so that nothing moved. */
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
  /** Called once the effects are applied and only the disk is awaited, so that the mailbox can continue. Must not throw. */
  readonly applied?: () => void;
  /** Rows that must still have this version at commit (the principal's key or session). */
  readonly guards?: readonly { readonly table: TableName; readonly id: string; readonly version: number }[];
  /** The idempotency row of the same commit; `keep` returns null for outcomes that are never stored (402, 429, 5xx). */
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

/** The notice of a durable group commit, for the listeners, before the replies leave. */
export interface CommitNotice {
  /** How many turns shared the commit. */
  readonly turns: number;
  readonly events: readonly InboxEvent[];
  readonly reminders: readonly RemindEffect[];
  readonly sends: readonly string[];
  readonly replies: readonly Replied[];
  /** The changed rows of announced tables (schema/told.ts), which caches drop and streams read again. */
  readonly changed: readonly Told[];
  /** Agents whose inboxes got events from another node, or all; their followers read again. For another node's commit only
   * `changed` and this are filled. */
  readonly woken: readonly string[] | '*';
}

/** The failures after a commit: a listener, an index in memory, the checkpoint of the log, a sync of the file, the
 * high-water mark. */
export type Trouble = 'listener' | 'index' | 'checkpoint' | 'sync' | 'mark';

/** The counters of a store with a shared database since it was opened. */
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
  /** Commits announced by NOTIFY, and those found by polling. */
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

/** The length of the stretches in which nodes exchange their request counts. */
export const STRETCH_SECONDS = 10;

/** The exchange of admitted requests between nodes with a shared database. */
export interface SharedRates {
  /** Reports this node's admitted requests, by whole stretches, and returns those of the others in the last minute, by caller.
   * Throws when the database cannot be reached. */
  exchange(own: readonly RateCount[], now_ms: number): Promise<ReadonlyMap<string, RateState>>;
}

/** Requests of nodes without the index of matching to those with it, as text. */
export interface MatchingRequests {
  /** The answer to a request of a caller, which take turns; null where no node answers, or none in time. Throws when the one that
   * answered failed. */
  ask(request: string, caller: string): Promise<string | null>;
  /** Answers the requests of other nodes from now on; null for what cannot be answered now. */
  answerWith(answer: (request: string) => Promise<string | null>): Promise<void>;
  /** Whether a node answers just now. */
  isAnswered(): Promise<boolean>;
  /** Claims a reminder, as `claimReminders` does, that a request asks for; false when another node has, or it is gone. */
  claimReminder(id: string, now_ms: number): Promise<boolean>;
  /** Takes on no more requests, and resolves when those under way are answered. */
  stop(): Promise<void>;
  /** Requests under way at this node. */
  readonly counts: { readonly asked: number; readonly answering: number };
}

/** What a node that shares its database does of matching; one that is alone does all. */
export type Role = 'all' | 'web' | 'matching';

export interface Store {
  readonly role: Role;
  /** Null on a single node. */
  readonly matching: MatchingRequests | null;
  /** Null on a single node. */
  readonly rates: SharedRates | null;
  /** Null when this is the only writer. */
  readonly tally: Tally | null;
  /** Null when no other process commits. */
  readonly following: (() => Following) | null;
  /** Reads committed state. */
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
  /** Claims due reminders of this node's role, the longest due first, without those that it runs already; their rows are deleted when
   * the work is done. Several nodes get different ones, and one that is not done within twenty seconds is due again: so a
   * caller claims no more than can begin at once. Those due before `from_ms` are left out. */
  claimReminders(
    now_ms: number,
    limit: number,
    running: ReadonlySet<string>,
    from_ms: number,
  ): Promise<Row<'reminders'>[]>;
  /** Claims due outbound rows in the same way; `next_at` is their new value. */
  claimSends(now_ms: number, limit: number, from_ms: number): Promise<{ id: string; next_at: number }[]>;
  /** Claims the delivery of an agent's inbox, and returns its position. With several nodes the lease lasts until `lease_until`;
   * passing the held one extends it. Null while another node has the lease, and for an empty inbox. */
  claimDelivery(now_ms: number, held: { readonly id: string; readonly lease_until: number }): Promise<Claimed | null>;
  /** Proves the ledger on one snapshot of it, in a thread of its own. Asked while that is under way, the same answer. */
  checkLedger(now_ms: number): Promise<LedgerChecked>;
  /** The same of numbers, heads, owners and the index of vectors, with what the service wrote down of itself. */
  checkRows(now_ms: number): Promise<RowsChecked>;
  /** Reads every page of the database file in such a thread; null where the file is the server's own matter. */
  readonly checkFile: ((now_ms: number) => Promise<FileChecked>) | null;
  /** Repairs found problems that can be derived from the rows: raises heads below their last row, and adds missing vectors to the
   * index or removes stale ones. Returns what it did. */
  mend(problems: readonly RowProblem[]): Promise<readonly string[]>;
  /** Deletes expired rows in slices; returns their number. With null only the nodes' own messages are deleted. */
  prune(believed_ms: number | null): Promise<number>;
  /** Returns some free pages to the disk, if there are many; returns their number. */
  giveBackSpace(): Promise<number>;
  /** The database's size on disk, in bytes; `log` is the write-ahead log's, `free_pages` the number of free ones: null for a
   * database server. */
  sizes(): Promise<{ readonly database: number; readonly log: number | null; readonly free_pages: number | null }>;
  /** Busy connections of the pools, and statements that wait for one; null without a pool. */
  readonly pools: (() => { readonly busy: number; readonly waiting: number }) | null;
  /** The time of the database's own clock; null when that is this machine's. */
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
