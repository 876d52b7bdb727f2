// Group commit: the turns that arrive together share one BEGIN IMMEDIATE … COMMIT, and with it one wait for the disk.
// There is no timer: the group closes at the next round of the event loop, so a single turn does not wait.
import type { Database, Statement } from 'bun:sqlite';
import type { TurnRecord } from '../run-effects.ts';
import { Hold, isHeld } from './hold.ts';

/** One open transaction and the turns in it. */
export interface Group {
  readonly records: TurnRecord[];
  /** The writes of each turn in it, which `rebuild` repeats. */
  readonly redo: (() => void)[];
  /** Resolves when the group is on disk, rejects when its commit failed. */
  readonly waitForSettled: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/** The store's callbacks of a group. */
export interface GroupHooks {
  /** Runs before the transaction begins: while a reader holds an old snapshot, the log cannot restart. */
  opening(): void;
  /** Runs inside the transaction, last. */
  flush(): void;
  /** The group is on disk; its replies leave once this returns or throws. */
  committed(records: readonly TurnRecord[]): void;
  /** The transaction was rolled back. */
  undone(): void;
  failed(): void;
}

export class GroupCommit {
  readonly #db: Database;
  readonly #hooks: GroupHooks;
  readonly #hold: Hold;
  readonly #single: boolean;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #group: Group | null = null;
  #between: { readonly work: () => void; readonly done: PromiseWithResolvers<void> } | null = null;

  /** `single` commits every turn on its own, for benchmarks of group commit. */
  constructor(db: Database, hooks: GroupHooks, single: boolean, hold = new Hold()) {
    this.#db = db;
    this.#hold = hold;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#hooks = hooks;
    this.#single = single;
  }

  /** The open group, opened if there is none; null while another process holds the file: wait for `free` then. */
  join(): Group | null {
    if (this.#group) return this.#group;
    if (this.#hold.waitForFree) return null;
    this.#hooks.opening();
    try {
      this.#begin.run();
    } catch (error) {
      if (!isHeld(error)) throw error;
      return null;
    }
    return this.#openGroup();
  }

  /** Waits while another process holds the file; throws when it does so for too long. */
  async free(): Promise<void> {
    await this.#hold.wait(() => {
      if (this.#group) return;
      this.#hooks.opening();
      this.#begin.run();
      this.#openGroup();
    });
  }

  #openGroup(): Group {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Every turn awaits `settled`; a group that no turn joined must not raise an unhandled rejection.
    promise.catch(() => {});
    const group: Group = { records: [], redo: [], waitForSettled: promise, resolve, reject };
    this.#group = group;
    if (!this.#single) setImmediate(() => this.commit());
    return group;
  }

  /** Resolves when the group that is open now, if any, is on disk. */
  settled(): Promise<void> {
    return this.#group?.waitForSettled ?? Promise.resolve();
  }

  /** Closes the open group, if any. */
  commit(): void {
    const group = this.#group;
    if (!group) return;
    try {
      this.#hooks.flush();
      this.#commit.run();
      this.#group = null;
    } catch (error) {
      this.#fail(group, error);
      return;
    }
    // First, so that nothing else can delay the replies. Their callers continue when this function has returned.
    group.resolve();
    this.#hooks.committed(group.records);
    this.#pass();
  }

  /** Resolves when the work between two groups is done; null without such work. New turns wait for it, so that there is a gap
   * even under steady load. */
  get pause(): Promise<void> | null {
    return this.#between?.done.promise ?? null;
  }

  /** Runs work while no group is open, after the replies of the last one have left. */
  between(work: () => void): void {
    // A second request before then runs once; earlier waiters keep their promise.
    this.#between = { work, done: this.#between?.done ?? Promise.withResolvers<void>() };
    this.#pass();
  }

  #pass(): void {
    if (!this.#between) return;
    setImmediate(() => {
      const between = this.#between;
      // An open group calls this again at its end.
      if (!between || this.#group) return;
      this.#between = null;
      try {
        between.work();
      } finally {
        between.done.resolve();
      }
    });
  }

  #fail(group: Group, error: unknown): void {
    this.#group = null;
    // First, as in `commit`: the turns must get the error whatever the database does next.
    group.reject(error);
    try {
      if (this.#db.inTransaction) this.#db.run('ROLLBACK');
    } catch {
      // A connection that cannot roll back fails every later turn.
    }
    this.#hooks.failed();
    this.#pass();
  }

  /** Restarts the transaction and repeats the writes of its turns, after a turn that failed without a savepoint. */
  rebuild(): void {
    const group = this.#group;
    if (!group) return;
    try {
      if (this.#db.inTransaction) this.#db.run('ROLLBACK');
      this.#hooks.undone();
      this.#begin.run();
      for (const redo of group.redo) redo();
    } catch (error) {
      this.#fail(group, error);
    }
  }

  /** Resolves when nothing is open. */
  async idle(): Promise<void> {
    while (this.#group) {
      try {
        await this.#group.waitForSettled;
      } catch {
        // The turns of that group got the error; closing continues.
      }
    }
  }
}
