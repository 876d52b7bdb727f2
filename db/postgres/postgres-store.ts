// The clustered adapter of the store port: any number of nodes on one PostgreSQL. Nodes know nothing of each other; what
// keeps them right is in the commit: row locks, version checks, unique keys.
import { randomBytes } from 'node:crypto';
import release from '../../package.json' with { type: 'json' };
import { isFault } from '../../src/domain/fault.ts';
import type { RateState } from '../../src/domain/identity/rate.ts';
import { AfterCommit } from '../after-commit.ts';
import { EXPIRING, EXPIRING_WITH } from '../expiring.ts';
import type { LedgerChecked } from '../ledger-check/problems.ts';
import { hasWrites, noticeOf, outcomeOf, type ReadSet } from '../outcome.ts';
import { Readiness, type Ready, STOPPING } from '../readiness.ts';
import type { RowProblem, RowsChecked } from '../row-check/check.ts';
import { HEAD_MENDED, headsUp } from '../row-check/mend.ts';
import { TurnRecord } from '../run-effects.ts';
import type { Row } from '../schema/tables.ts';
import {
  type Claimed,
  type Decision,
  type Outcome,
  type RateCount,
  type Read,
  type Role,
  type Sealer,
  type SharedRates,
  STRETCH_SECONDS,
  type Store,
  type Tally,
  type Turn,
} from '../store.ts';
import { StoreUnavailable, storeCodeOf } from '../unavailable.ts';
import { VectorIndex } from '../vectors/vector-index.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { type PostgresThreads, postgresThreadsOf } from './check-threads.ts';
import { claimDelivery, claimReminders, claimSends } from './claims.ts';
import { CommitFollower } from './commit-follower.ts';
import { Committer } from './committer.ts';
import { type Connection, DB_NOW_MS, type Kept, type Server } from './connection.ts';
import type { Safeguard } from './decide-batch.ts';
import { findServer } from './find-server.ts';
import { CONFLICT_MS_MAX, jitter } from './jitter.ts';
import { PostgresMatchingRequests } from './matching-requests.ts';
import { NodeRow } from './node-row.ts';
import type { Pending, Settled } from './pending.ts';
import { Pool } from './pool.ts';
import { onSnapshot, QueryReader } from './reader.ts';
import { literal } from './shapes.ts';
import { divide, findShards, type Shards } from './shards.ts';
import { type Patience, Silence, Silent } from './silence.ts';
import { IndexedVectors } from './vector-rows.ts';

/** A row counts for the minute after its stretch. */
const KEPT_MS = (60 + STRETCH_SECONDS) * 1000;

/** The rows are written even though nothing reads them here: a statement that only others see is still run. */
const EXCHANGE = `WITH own AS
  (INSERT INTO rates (caller, at, node, n, expires_at)
   SELECT caller, at, $4, n, (at * 1000) + ${KEPT_MS} FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS new(caller, at, n)
   ON CONFLICT (caller, at, node) DO UPDATE SET n = greatest(rates.n, excluded.n))
SELECT caller, at, sum(n) AS n FROM rates
WHERE caller = ANY($1::text[]) AND node <> $4 AND at > $5::bigint GROUP BY caller, at ORDER BY at`;

function ratesOf(pool: Pool, node: string): SharedRates {
  return {
    exchange: async (own, now_ms) => {
      // Rate limits must not delay requests when the database does not answer.
      if (pool.silent) throw new Silent();
      // In one order, so that two exchanges of this node do not wait for each other.
      const counts = [...own].sort((a, b) => (a.caller < b.caller ? -1 : a.caller > b.caller ? 1 : a.at - b.at));
      const column = (of: (count: RateCount) => string | number): string => literal(counts.map(of));
      const since = Math.floor(now_ms / 1000) - 60 - STRETCH_SECONDS;
      const columns = [column(({ caller }) => caller), column(({ at }) => at), column(({ n }) => n)];
      const rows = await pool.unsafe(EXCHANGE, [...columns, node, since]);
      const elsewhere = new Map<string, RateState>();
      for (const { caller, at, n } of rows) {
        const name = String(caller);
        // When in its stretch a request came is unknown, so all count until the end of the stretch.
        const slot = { second: Number(at) + STRETCH_SECONDS - 1, count: Number(n) };
        elsewhere.set(name, [...(elsewhere.get(name) ?? []), slot]);
      }
      return elsewhere;
    },
  };
}

const SLICE = 500;

/** Rows of rates have no id of their own. */
const rates = (until: string): string => `DELETE FROM rates WHERE (caller, at, node) IN
  (SELECT caller, at, node FROM rates WHERE expires_at <= ${until} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED) RETURNING caller`;

/** The ids are in an array, not in a join: to join a partitioned table the planner reads all of it. */
export const slice = (table: string, until: string): string =>
  `DELETE FROM ${table} WHERE id = ANY (ARRAY
     (SELECT id FROM ${table} WHERE expires_at <= ${until} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED)) RETURNING id`;

/** Deletes at most a slice of a table in shards, in which Citus locks no rows: what two nodes find, one of them deletes. */
async function pruneShards(connection: Connection, table: string, now_ms: number, shards: Shards): Promise<number> {
  const found = await connection.unsafe(`SELECT id FROM ${table} WHERE expires_at <= $1 LIMIT ${SLICE}`, [now_ms]);
  let gone = 0;
  for (const rows of divide(shards, table, found, ({ id }) => String(id))) {
    const ids = literal(rows.map(({ id }) => String(id)));
    gone += (await connection.unsafe(`DELETE FROM ${table} WHERE id = ANY($1::text[]) RETURNING id`, [ids])).length;
  }
  return gone;
}

/** Deletes at most one slice of each table; returns the number of rows. The nodes' own messages do not count, because pruning commits
 * add to them. They are deleted also by a clock in doubt: those of the server's own clock. */
async function pruneExpired(connection: Connection, now_ms: number | null, shards: Shards | null): Promise<number> {
  for (const table of ['commits', 'matching_requests'])
    while ((await connection.unsafe(slice(table, DB_NOW_MS))).length === SLICE);
  while ((await connection.unsafe(rates(String(now_ms ?? DB_NOW_MS)))).length === SLICE);
  if (now_ms === null) return 0;
  let gone = 0;
  for (const table of EXPIRING) {
    if (shards?.has(table)) gone += await pruneShards(connection, table, now_ms, shards);
    else gone += (await connection.unsafe(slice(table, '$1'), [now_ms])).length;
  }
  for (const { table, of, parent } of EXPIRING_WITH) {
    const parts = `SELECT id, ${of} FROM ${table} WHERE ${of} IN
      (SELECT id FROM ${parent} WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${SLICE}) LIMIT ${SLICE} FOR UPDATE SKIP LOCKED`;
    const alone = `SELECT id FROM ${parent} WHERE expires_at <= $1
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${of} = ${parent}.id) ORDER BY expires_at LIMIT ${SLICE} FOR UPDATE SKIP LOCKED`;
    gone += (await connection.unsafe(`DELETE FROM ${table} WHERE (id, ${of}) IN (${parts}) RETURNING id`, [now_ms]))
      .length;
    gone += (await connection.unsafe(`DELETE FROM ${parent} WHERE id IN (${alone}) RETURNING id`, [now_ms])).length;
  }
  return gone;
}

/** A turn that loses this many races in a row is not unlucky but wrong. */
const ATTEMPTS_MAX = 50;

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** The server's address without the pooler of `url`, for LISTEN and migrations. */
  readonly direct_url?: string | undefined;
  readonly sealer: Sealer;
  readonly dimensions: number;
  /** The embedder's model: vectors of another are kept, and not compared. */
  readonly model: string;
  readonly now_ms: number;
  /** One transaction per turn, for benchmarks. */
  readonly single_commits?: boolean;
  /** Taken away by tests alone. */
  readonly without?: Safeguard;
  /** Where connections are kept for the next store, by tests alone. */
  readonly kept?: Kept;
  /** By default all. */
  readonly role?: Role;
  /** How long the database may keep silent, where a test does not want to wait as long. */
  readonly patience?: Patience;
}

/** Batches on their way at once. A second one would only wait for the locks of the first where agents are hot. */
const LANES = 1;
const SINGLE_LANES = 16;
/** Where a commit waits for several servers, and few rows of one batch are of the next. */
const SHARD_LANES = 2;
/** Connections for gathered look-ups and reads of tables in parts: their statements follow one another without waiting. With those
 * for other reads, for commits, for listening and for a check of the ledger a node has eight. */
const LOOKUPS = 2;

/** A write of no consequence, to a row that no other node writes: a caller of no name has let one request through. */
const PROBE = `INSERT INTO rates (caller, at, node, n, expires_at) VALUES ('', 0, $1, 1, ${DB_NOW_MS} + 60000)
  ON CONFLICT (caller, at, node) DO UPDATE SET n = rates.n + 1, expires_at = excluded.expires_at`;

/** Opens the clustered store: migrates, loads the vectors, listens, and is ready when this resolves. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, direct_url, kept, now_ms } = options;
  const server = await findServer(url, kept);
  const direct = direct_url === undefined ? null : { url: direct_url, pooled: false };
  await bringUpToDate(direct ?? server, now_ms);
  const silence = new Silence(options.patience);
  const pool = new Pool(server, { silence });
  const node = randomBytes(8).toString('hex');
  const row = new NodeRow(pool, node, release.version);
  try {
    await row.open();
    // None distributes the tables while the row is there.
    const store = new PostgresStore(options, {
      server,
      direct,
      node,
      row,
      pool,
      silence,
      shards: await findShards(pool),
    });
    await store.open();
    return store;
  } catch (error) {
    await row.close();
    await pool.close();
    throw error;
  }
}

/** What a store is opened with. */
interface Ground {
  readonly server: Server;
  readonly direct: Server | null;
  readonly node: string;
  readonly row: NodeRow;
  readonly pool: Pool;
  readonly silence: Silence;
  readonly shards: Shards | null;
}

/** Null for a failure of the decision itself; throws those of the database. */
function repeatable(error: unknown): null {
  if (error instanceof StoreUnavailable || error instanceof Silent || storeCodeOf(error) !== '') throw error;
  return null;
}

class PostgresStore implements Store {
  readonly #after = new AfterCommit();
  readonly troubles = this.#after.troubles;
  readonly onCommit: Store['onCommit'] = (listener) => this.#after.onCommit(listener);
  readonly onTrouble: Store['onTrouble'] = (listener) => this.#after.onTrouble(listener);
  readonly onWork: Store['onWork'] = () => {};
  readonly following: Store['following'] = () => this.#follower.following;
  readonly read: Read;
  readonly shared = true;
  readonly checkFile = null;
  readonly vectors: VectorIndex;
  readonly rates: SharedRates;
  readonly #shards: Shards | null;
  readonly matching: PostgresMatchingRequests;
  readonly time = async (): Promise<number> => {
    const [row] = await this.#pool.again(() => this.#pool.unsafe(`SELECT ${DB_NOW_MS} AS now_ms`));
    return Number(row?.now_ms);
  };
  readonly #silence: Silence;
  readonly #checks: PostgresThreads;
  readonly #pool: Pool;
  readonly #commits: Pool;
  readonly #keys: Pool;
  readonly #reader: QueryReader;
  readonly #committer: Committer;
  readonly #indexed: IndexedVectors | null;
  readonly #follower: CommitFollower;
  readonly role: Role;
  readonly #row: NodeRow;
  readonly #readiness: Readiness;
  #running = 0;
  #closing = false;

  constructor(options: PostgresOptions, { direct, node, row, pool, silence, shards, ...ground }: Ground) {
    const server = { ...ground.server, distributed: shards !== null };
    const single = options.single_commits ?? false;
    const lanes = single ? SINGLE_LANES : shards ? SHARD_LANES : LANES;
    this.#shards = shards;
    this.#silence = silence;
    this.#checks = postgresThreadsOf(options.url);
    this.#pool = pool;
    this.#commits = new Pool(server, { max: lanes + 1, use: 'keys', silence });
    this.#keys = new Pool(server, { max: LOOKUPS, use: 'keys', silence });
    this.#reader = new QueryReader({ reads: this.#pool, keys: this.#keys, shards });
    this.read = this.#reader.as(null);
    this.vectors = new VectorIndex(options.dimensions);
    this.role = options.role ?? 'all';
    this.#indexed = this.role === 'web' ? null : new IndexedVectors(this.#pool, this.vectors, options.model);
    this.rates = ratesOf(this.#pool, node);
    this.#row = row;
    this.#readiness = new Readiness(() => this.#commits.unsafe(PROBE, [node]));
    const listens_at = server.pooled ? direct : server;
    const heard = (notice: string): void => this.matching.hear(notice);
    this.#follower = new CommitFollower(
      { listens_at, pool: this.#pool, node, silence, heard, distributed: shards !== null },
      this.#indexed,
      (notice) => this.#after.tell(notice),
    );
    this.matching = new PostgresMatchingRequests({
      pool: this.#pool,
      node,
      tell: (notice) => this.#follower.tell(notice),
      caughtUp: () => this.#follower.caughtUp(),
    });
    this.#committer = new Committer(this.#commits, {
      context: { node, sealer: options.sealer, shards, without: options.without },
      lanes,
      single,
      silence,
      committed: (records, notice) => this.#afterCommit(records, notice),
      doubtful: (commit_id) => this.#follower.doubt(commit_id),
    });
  }

  open(): Promise<void> {
    return this.#follower.open();
  }

  get tally(): Tally {
    return this.#committer.tally;
  }

  async turn<O>(turn: Turn<O>): Promise<Outcome<O>> {
    if (this.#closing) throw new Error('the store is closing');
    this.#running += 1;
    const began = Date.now();
    try {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        const reads: ReadSet = new Map();
        const first = attempt === 1;
        // The queries of a load are no snapshot. A failure or a refusal may rest on a state that never existed, so it is repeated;
        // effects are checked at commit.
        const decision = first
          ? await turn.attempt(this.#reader.as(reads)).catch(repeatable)
          : await onSnapshot(this.#pool, reads, (read) => turn.attempt(read));
        if (decision === null) continue;
        if (first && isFault(decision) && !decision.effects?.length) continue;
        if (!hasWrites(turn, decision)) return outcomeOf(decision, null, new TurnRecord());
        const settling = this.#submit(turn, decision, reads, first);
        // The mailbox may continue: the next turn is decided after this one, or decides again.
        this.#after.attempt('listener', () => turn.applied?.());
        const settled = await settling;
        // The batch hands back what this turn replied, whose type is O.
        if (typeof settled === 'object') return settled.outcome as Outcome<O>;
        const away = settled === 'away' && Date.now() - began >= this.#silence.patience.wait_ms;
        if (away) throw new StoreUnavailable('the database cannot be reached');
        await jitter(attempt, CONFLICT_MS_MAX);
      }
      throw new StoreUnavailable('a turn could not be committed at any attempt');
    } finally {
      this.#running -= 1;
    }
  }

  #submit<O>(turn: Turn<O>, decision: Decision<O>, reads: ReadSet, first: boolean): Promise<Settled> {
    return new Promise((resolve, reject) => {
      // A batch holds turns of all reply types; it only hands a reply from `decision` to `keep`, which are of one turn.
      const erased = {
        turn,
        decision,
        reads,
        first,
        since_ms: this.#silence.now_ms,
        resolve,
        reject,
      } as unknown as Pending;
      this.#committer.submit(erased);
    });
  }

  #afterCommit(records: readonly TurnRecord[], notice: string | null): void {
    if (notice !== null) this.#follower.tell(notice);
    const embeds = records.flatMap((r) => r.embeds);
    for (const embed of embeds) this.#after.attempt('index', () => this.#indexed?.own(embed));
    if (embeds.length > 0) this.#follower.readVectors();
    this.#after.attempt('listener', () => this.#after.tell(noticeOf(records)));
  }

  async ready(): Promise<Ready> {
    return this.#closing ? STOPPING : this.#readiness.ask();
  }

  claimReminders(
    now_ms: number,
    limit: number,
    running: ReadonlySet<string>,
    from_ms: number,
  ): Promise<Row<'reminders'>[]> {
    return this.#pool.again(() => claimReminders(this.#pool, now_ms, limit, running, from_ms, this.role));
  }

  claimSends(now_ms: number, limit: number, from_ms: number): Promise<{ id: string; next_at: number }[]> {
    return this.#pool.again(() => claimSends(this.#pool, now_ms, limit, from_ms));
  }

  claimDelivery(now_ms: number, held: { id: string; lease_until: number }): Promise<Claimed | null> {
    return this.#pool.again(() => claimDelivery(this.#pool, now_ms, held));
  }

  checkLedger(now_ms: number): Promise<LedgerChecked> {
    return this.#checks.ledger.check(now_ms);
  }

  checkRows(now_ms: number): Promise<RowsChecked> {
    return this.#checks.rows.check(now_ms);
  }

  async mend(problems: readonly RowProblem[]): Promise<readonly string[]> {
    const mended: string[] = [];
    for (const { sql, id, about } of headsUp(problems, '$1')) {
      const rows = await this.#pool.again(() => this.#pool.unsafe(`${sql} RETURNING id`, [id]));
      if (rows.length > 0) mended.push(`${about}: ${HEAD_MENDED}`);
    }
    return mended;
  }

  prune(believed_ms: number | null): Promise<number> {
    return this.#pool.again(() => pruneExpired(this.#pool, believed_ms, this.#shards));
  }

  /** The server's own matter. */
  async giveBackSpace(): Promise<number> {
    return 0;
  }

  async sizes(): Promise<{ database: number; log: null; free_pages: null }> {
    const [row] = await this.#pool.unsafe('SELECT pg_database_size(current_database()) AS bytes');
    return { database: Number(row?.bytes), log: null, free_pages: null };
  }

  readonly pools = (): { busy: number; waiting: number } => {
    const loads = [this.#pool, this.#commits, this.#keys].map((pool) => pool.load);
    return {
      busy: loads.reduce((sum, { busy }) => sum + busy, 0),
      waiting: loads.reduce((sum, { waiting }) => sum + waiting, 0),
    };
  };

  async close(): Promise<void> {
    await this.matching.close();
    this.#closing = true;
    this.#committer.beginClosing();
    while (this.#running > 0 || !this.#committer.idle) await new Promise((resolve) => setTimeout(resolve, 1));
    for (const check of Object.values(this.#checks)) check.close();
    await this.#follower.close();
    await this.#row.close();
    this.#committer.close();
    await this.#commits.close();
    await this.#keys.close();
    await this.#pool.close();
  }
}
