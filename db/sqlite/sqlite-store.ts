// The embedded adapter of the store port: SQLite in one process. Each turn runs its SQL at once in a savepoint of its
// own, inside the transaction that it shares with its neighbours; its reply waits for their common COMMIT.
import type { Database, Statement } from 'bun:sqlite';
import { AfterCommit } from '../after-commit.ts';
import type { EmbedEffect } from '../effects.ts';
import { EXPIRING, EXPIRING_WITH } from '../expiring.ts';
import { migrateSqlite } from '../migrations/migrate.ts';
import { hasWrites, isOutdated, noticeOf, outcomeOf, type ReadSet, remember } from '../outcome.ts';
import { headOf } from '../queries/inbox.ts';
import { dueReminders, dueSends } from '../queries/reminder.ts';
import { Readiness, STOPPING } from '../readiness.ts';
import type { RowProblem } from '../row-check/check.ts';
import { CONFLICT, EffectRunner, mayStopMidway, TurnRecord } from '../run-effects.ts';
import type { Row } from '../schema/tables.ts';
import type { Claimed, Decision, Outcome, Read, Sealer, Store, Turn } from '../store.ts';
import { StoreWatch, type StoreWork } from '../store-work.ts';
import { VectorIndex } from '../vectors/vector-index.ts';
import { checkThreadsOf } from './check-threads.ts';
import { Checkpointer, isUnsynced } from './checkpoint.ts';
import { type Connections, connect, limitPatience, sizesOf } from './connection.ts';
import { freePages, giveBackPages } from './free-pages.ts';
import { type Group, GroupCommit } from './group.ts';
import { Heads } from './heads.ts';
import { asUnavailable, Hold, isHeld } from './hold.ts';
import type { LogIndex } from './log-index.ts';
import { Mark } from './mark.ts';
import { mendRows } from './mend.ts';
import { QueryReader } from './reader.ts';
import { SqliteRows } from './rows.ts';
import { VectorFill } from './vector-fill.ts';
import { createVectorIndex, type StoredVector, VectorRows } from './vector-rows.ts';

class Snapshot {
  readonly #begin: Statement;
  readonly #end: Statement;
  #held = false;

  constructor(db: Database) {
    this.#begin = db.prepare('BEGIN');
    this.#end = db.prepare('COMMIT');
  }

  /** Called before each read. */
  hold(): void {
    if (this.#held) return;
    this.#begin.run();
    this.#held = true;
  }

  /** Called before each write, so that later reads see the new state, and the log can restart. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#end.run();
  }
}

/** Rows deleted per statement: about a millisecond of the writer's time. */
const SLICE = 500;

/** Deletes at most one slice of each table; returns the number of rows. */
function pruneExpired(db: Database, now_ms: number): number {
  let gone = 0;
  for (const table of EXPIRING) {
    const sql = `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE expires_at <= ? LIMIT ${SLICE})`;
    gone += db.query(sql).run(now_ms).changes;
  }
  for (const { table, of, parent } of EXPIRING_WITH) {
    const parts = `SELECT id, ${of} FROM ${table} WHERE ${of} IN
      (SELECT id FROM ${parent} WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ${SLICE}) LIMIT ${SLICE}`;
    const alone = `SELECT id FROM ${parent} WHERE expires_at <= ?1
      AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${of} = ${parent}.id) ORDER BY expires_at LIMIT ${SLICE}`;
    gone += db.query(`DELETE FROM ${table} WHERE (id, ${of}) IN (${parts})`).run(now_ms).changes;
    gone += db.query(`DELETE FROM ${parent} WHERE id IN (${alone})`).run(now_ms).changes;
  }
  return gone;
}

const TORN_MARK =
  'the high-water mark cannot be read and is written anew: this start could not see whether the database is complete';

/** While one is open, SQLite does not copy the log where another is closed, which the driver does when its statements are collected. */
const keptOpen = new Set<Database>();

/** A turn that loses this many races in a row is not unlucky but wrong. */
const ATTEMPTS_MAX = 50;

export interface SqliteOptions {
  readonly data_dir: string;
  readonly sealer: Sealer;
  readonly dimensions: number;
  /** The embedder's model: vectors of another are kept, and not compared. */
  readonly model: string;
  readonly now_ms: number;
  /** One commit per turn, for benchmarks. */
  readonly single_commits?: boolean;
  /** Another program copies the log: this one never does, not when it closes either. */
  readonly external_checkpoints?: boolean;
  /** How long the log may grow, in frames; tests shorten it. */
  readonly log_frames?: number;
  /** Told of a high-water mark that cannot be read. */
  readonly warn?: (sentence: string) => void;
  /** How long a call waits for a file that another process holds, where a test does not want to wait as long. */
  readonly patience?: { readonly wait_ms: number };
}

/** Opens the embedded store: migrates, loads the vectors, and is ready when this returns. */
export function openSqliteStore(options: SqliteOptions): Store {
  const connections = connect(options.data_dir);
  try {
    return new SqliteStore(options, connections);
  } catch (error) {
    connections.giveUp();
    throw error;
  }
}

/** A turn's read set, and whether other turns were applied since its load began. */
type Loaded = { readonly set: ReadSet; readonly moved: boolean };
type Done<O> = { readonly outcome: Outcome<O> } | typeof CONFLICT;

class SqliteStore implements Store {
  readonly tally = null;
  readonly following = null;
  readonly time = null;
  readonly pools = null;
  readonly ready: Store['ready'] = async () => (this.#closing ? STOPPING : this.#readiness.ask());
  readonly claimSends: Store['claimSends'] = (now_ms, limit, from_ms) =>
    this.read(dueSends, { now_ms, from_ms, limit });
  readonly sizes: Store['sizes'] = async () => ({
    ...sizesOf(this.#options.data_dir),
    free_pages: freePages(this.#writer),
  });
  readonly rates = null;
  readonly role = 'all';
  readonly matching = null;
  readonly #after = new AfterCommit();
  readonly troubles = this.#after.troubles;
  readonly onCommit: Store['onCommit'] = (listener) => this.#after.onCommit(listener);
  readonly onTrouble: Store['onTrouble'] = (listener) => this.#after.onTrouble(listener);
  readonly #watch = new StoreWatch();
  readonly onWork: Store['onWork'] = (listener) => this.#watch.listen(listener);
  readonly checkLedger: Store['checkLedger'] = (now_ms) => this.#checks.ledger.check(now_ms);
  readonly checkRows: Store['checkRows'] = (now_ms) => this.#checks.rows.check(now_ms);
  readonly checkFile: NonNullable<Store['checkFile']> = (now_ms) => this.#checks.file.check(now_ms);
  readonly read: Read;
  readonly shared = false;
  readonly vectors: VectorIndex;
  readonly #unlock: () => void;
  readonly #log: LogIndex;
  readonly #mark: Mark;
  readonly #writer;
  readonly #inside: QueryReader;
  readonly #outside;
  readonly #snapshot: Snapshot;
  readonly #heads: Heads;
  readonly #rows: SqliteRows;
  readonly #runner: EffectRunner;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #rollback: Statement;
  readonly #readiness = new Readiness(() => this.#write());
  readonly #groups: GroupCommit;
  readonly #checkpoints: Checkpointer;
  readonly #checks;
  readonly #options: SqliteOptions;
  /** Raised with every applied turn: a load without a change of it saw nothing stale. */
  #epoch = 0;
  /** Signals that the running commit is on disk. */
  #committed = (): void => {};
  #running = 0;
  #closing: Promise<void> | null = null;

  constructor(options: SqliteOptions, { unlock, writer, openReader, log, torn_mark }: Connections) {
    this.#unlock = unlock;
    this.#writer = writer;
    this.#log = log;
    if (torn_mark) options.warn?.(TORN_MARK);
    this.#mark = new Mark(options.data_dir, writer, log, {
      failed: (error) => this.#after.reportTrouble('mark', error),
    });
    // What a process left that could not sync the log is in the memory of the system, and may be on no disk.
    if (!options.external_checkpoints) writer.run('PRAGMA wal_checkpoint(PASSIVE)');
    migrateSqlite(writer, options.now_ms);
    createVectorIndex(writer, options.dimensions);
    this.#savepoint = writer.prepare('SAVEPOINT turn');
    this.#release = writer.prepare('RELEASE turn');
    this.#rollback = writer.prepare('ROLLBACK TO turn');
    this.#heads = new Heads(writer);
    this.#rows = new SqliteRows(writer, this.#heads, new VectorRows(writer));
    this.#runner = new EffectRunner(this.#rows, options.sealer);
    const { patience } = options;
    this.#inside = new QueryReader(writer, new Hold(patience?.wait_ms));
    this.#outside = openReader();
    this.#snapshot = new Snapshot(this.#outside);
    this.read = new QueryReader(this.#outside, new Hold(patience?.wait_ms), () => this.#snapshot.hold()).as(null);
    this.#options = options;
    this.vectors = new VectorIndex(options.dimensions);
    const stored = new VectorFill(this.#outside, () => this.#snapshot.hold());
    this.vectors.fillFrom(() => stored.next((row) => this.#index(row.id, row)));
    this.#groups = new GroupCommit(
      writer,
      {
        opening: () => this.#snapshot.release(),
        flush: () => {
          this.#committed = this.#watch.begin('commit');
          this.#heads.flush();
          this.#mark.flush();
          this.#snapshot.release();
        },
        committed: (records) => this.#afterCommit(records),
        undone: () => this.#undo(),
        failed: () => {
          this.#undo();
          // Loads that read the failed group's writes must read again.
          this.#epoch += 1;
        },
      },
      options.single_commits ?? false,
      new Hold(patience?.wait_ms),
    );
    this.#checkpoints = new Checkpointer(options.data_dir, { writer, log }, options.log_frames, {
      copied: () => this.#mark.copied(),
      between: (work) => this.#groups.between(work),
      failed: (error) => this.#after.reportTrouble('checkpoint', error),
      unsynced: (error) => this.#after.reportTrouble('sync', error),
      watch: this.#watch,
    });
    this.#checks = checkThreadsOf(options.data_dir);
    for (const connection of [this.#writer, this.#outside]) limitPatience(connection);
  }

  async turn<O>(turn: Turn<O>): Promise<Outcome<O>> {
    if (this.#closing) throw new Error('the store is closing');
    this.#running += 1;
    try {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        if (this.#groups.pause) await this.#groups.pause;
        const epoch = this.#epoch;
        const set: ReadSet = new Map();
        const decision = await this.#decide(turn, set, epoch);
        if (decision === CONFLICT) continue;
        if (!hasWrites(turn, decision)) {
          // It may have read what an open group has not yet made durable: its reply waits for that group.
          await this.#groups.settled();
          return outcomeOf(decision, null, new TurnRecord());
        }
        const group = this.#groups.join();
        if (group === null) {
          await this.#groups.free();
          continue;
        }
        const done = this.#apply(group, turn, decision, { set, moved: epoch !== this.#epoch });
        if (done === CONFLICT) continue;
        this.#after.attempt('listener', () => turn.applied?.());
        if (this.#options.single_commits) this.#groups.commit();
        await group.waitForSettled;
        return done.outcome;
      }
      throw new Error('a turn met a conflict at every attempt');
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      this.#running -= 1;
    }
  }

  /** A decision. Other turns may be applied between its reads, so a failure over rows that have changed since is a conflict. */
  async #decide<O>(turn: Turn<O>, set: ReadSet, epoch: number): Promise<Decision<O> | typeof CONFLICT> {
    try {
      return await turn.attempt(this.#inside.as(set));
    } catch (error) {
      if (epoch !== this.#epoch && isOutdated(turn, set.values(), this.#rows)) return CONFLICT;
      throw error;
    }
  }

  #apply<O>(group: Group, turn: Turn<O>, decision: Decision<O>, { set, moved }: Loaded): Done<O> {
    if (isOutdated(turn, moved ? set.values() : null, this.#rows)) return CONFLICT;
    const effects = decision.effects ?? [];
    // A savepoint keeps a copy of every page that its turn touches; most turns can do without.
    const apart = mayStopMidway(effects, set);
    if (apart) this.#savepoint.run();
    try {
      const record = new TurnRecord();
      const stopped = this.#runner.run(effects, record);
      // A refused turn changes nothing; only its idempotency row is kept.
      if (stopped !== null) this.#takeBack(apart);
      if (stopped === CONFLICT) return this.#endTurn(apart, CONFLICT);
      const outcome = outcomeOf(decision, stopped, record);
      if (!remember(turn, outcome, this.#rows)) {
        if (apart) this.#takeBack(apart);
        else this.#groups.rebuild();
        return this.#endTurn(apart, CONFLICT);
      }
      if (stopped === null) group.records.push(record);
      group.redo.push(() => {
        // The outcome was decided the first time; a different one now fails the whole group.
        const again = stopped === null ? this.#runner.run(effects, new TurnRecord()) : null;
        if (again !== null || !remember(turn, outcome, this.#rows))
          throw new Error('a turn that stood cannot be done again');
      });
      this.#epoch += 1;
      return this.#endTurn(apart, { outcome });
    } catch (error) {
      // A bug in one turn must not fail the other turns. A full disk ends the transaction by itself.
      if (apart && this.#writer.inTransaction) this.#endTurn(apart, this.#takeBack(apart));
      else this.#groups.rebuild();
      throw error;
    }
  }

  /** Takes back what a turn has done so far; without a savepoint it has written nothing. */
  #takeBack(apart: boolean): void {
    if (apart) this.#rollback.run();
    this.#heads.rollback();
  }

  #endTurn<D>(apart: boolean, done: D): D {
    if (apart) this.#release.run();
    this.#heads.keep();
    return done;
  }

  /** Drops the state of the rolled-back group. */
  #undo(): void {
    this.#heads.drop();
    this.#mark.undone();
  }

  #afterCommit(records: readonly TurnRecord[]): void {
    this.#committed();
    this.#mark.committed();
    for (const embed of records.flatMap((record) => record.embeds)) {
      this.#after.attempt('index', () => this.#index(embed.listing_id, embed));
    }
    this.#after.attempt('listener', () => this.#after.tell(noticeOf(records)));
    if (!this.#options.external_checkpoints) this.#checkpoints.countTurns(records.length);
  }

  /** A vector of another model matches nothing until it is made again; its listing is found by its labels. */
  #index(id: string, row: Omit<StoredVector, 'id' | 'vector'> & Pick<EmbedEffect, 'vector'>): void {
    const comparable = row.model === this.#options.model ? row.vector : new Int8Array(this.vectors.dimensions);
    if (row.vector && comparable) this.vectors.set(id, comparable, row);
    else this.vectors.delete(id);
  }

  /** A write of no consequence, in the group that is open anyway. */
  async #write(): Promise<void> {
    let group = this.#groups.join();
    while (group === null) {
      await this.#groups.free();
      group = this.#groups.join();
    }
    try {
      this.#mark.write();
    } catch (error) {
      // A full disk takes what others have done in the group along.
      this.#groups.rebuild();
      throw error;
    }
    if (this.#options.single_commits) this.#groups.commit();
    await group.waitForSettled;
  }

  async claimReminders(
    now_ms: number,
    limit: number,
    running: ReadonlySet<string>,
    from_ms: number,
  ): Promise<Row<'reminders'>[]> {
    const due = await this.read(dueReminders, { now_ms, from_ms, limit: limit + running.size });
    return due.filter(({ id }) => !running.has(id)).slice(0, limit);
  }

  async claimDelivery(_now_ms: number, { id }: { id: string }): Promise<Claimed | null> {
    const found = await this.read(headOf, { id });
    return found && { seq: found.delivered_seq, head: found.last_seq, lease_until: Number.MAX_SAFE_INTEGER };
  }

  async prune(believed_ms: number | null): Promise<number> {
    return believed_ms === null ? 0 : this.#alone('prune', () => pruneExpired(this.#writer, believed_ms));
  }

  async giveBackSpace(): Promise<number> {
    const pages = await this.#alone('give_back_space', () => giveBackPages(this.#writer));
    // They went into the log, as a turn does.
    if (pages > 0 && !this.#options.external_checkpoints) this.#checkpoints.countTurns(pages);
    return pages;
  }

  /** Does something in a transaction of its own, while no group is open. */
  async #alone<R>(name: StoreWork, work: () => R): Promise<R> {
    for (;;) {
      await this.#groups.idle();
      this.#snapshot.release();
      try {
        return this.#watch.run(name, work);
      } catch (error) {
        if (!isHeld(error)) throw asUnavailable(error);
        await this.#groups.free();
      }
    }
  }

  async mend(problems: readonly RowProblem[]): Promise<readonly string[]> {
    const steps = mendRows(this.#writer, problems);
    for (;;) {
      await this.#groups.idle();
      this.#snapshot.release();
      this.#heads.drop();
      try {
        const { done, value } = steps.next();
        if (done) return value;
      } catch (error) {
        throw asUnavailable(error);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#running > 0) await new Promise((resolve) => setImmediate(resolve));
    await this.#groups.idle();
    await this.#checkpoints.close();
    for (const check of Object.values(this.#checks)) check.close();
    this.vectors.stopFilling();
    this.#snapshot.release();
    this.#mark.close();
    if (this.#checkpoints.unsynced || !(this.#options.external_checkpoints || this.#fold())) {
      keptOpen.add(this.#outside);
      this.#writer.close();
    } else if (this.#options.external_checkpoints) {
      // SQLite copies the log when the last connection is closed, which one that only reads cannot do.
      this.#writer.close();
      this.#outside.close();
    } else {
      this.#outside.close();
      this.#writer.close();
    }
    this.#log.close();
    this.#unlock();
  }

  /** Copies the log into the file; false where the file could not be synced. */
  #fold(): boolean {
    try {
      this.#writer.run('PRAGMA wal_checkpoint(TRUNCATE)');
      return true;
    } catch (error) {
      // Where the file is held or its disk is full, the next start reads the log.
      return !isUnsynced(error);
    }
  }
}
