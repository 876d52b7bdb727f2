// Group commit: turns that come while a batch is on its way make up the next one. There is no timer: a lone turn leaves
// when the event loop comes round. A batch that fails for a passing reason is decided again, turn by turn; one that fails
// for good is tried turn by turn, so that the turn at fault fails alone.
import type { TurnRecord } from '../run-effects.ts';
import type { Tally } from '../store.ts';
import { isFull, StoreUnavailable } from '../unavailable.ts';
import { Batch, type BatchContext, type Committed, recordsOf, Unanswered } from './batch.ts';
import { DB_NOW_MS, isTransient } from './connection.ts';
import { jitter, LOST_MS_MAX } from './jitter.ts';
import type { Pending } from './pending.ts';
import type { Pool, Reserved } from './pool.ts';
import type { Silence, Waiting } from './silence.ts';

/** Turns in one batch: more would hold their locks for too long. */
const BATCH_MAX = 256;
/** The node name of the row that blocks a batch; no node has it. */
const NOBODY = '';
/** The multiple of a call's patience for finding a batch's outcome: half a minute. Its turns have been refused long before, but
 * listeners still need to be told. */
const ASKED_TIMES = 6;

export interface CommitterOptions {
  readonly context: BatchContext;
  /** Batches on their way at once, each on a connection of its own. */
  readonly lanes: number;
  /** One transaction per turn, for benchmarks. */
  readonly single: boolean;
  /** Called with what was committed, and the notice for other nodes. */
  readonly committed: (records: readonly TurnRecord[], notice: string | null) => void;
  /** Called with a batch whose outcome is unknown. */
  readonly doubtful: (commit_id: string) => void;
  readonly silence: Silence;
}

export class Committer {
  readonly #pool: Pool;
  readonly #options: CommitterOptions;
  #queue: Pending[] = [];
  #busy = 0;
  #scheduled = false;
  readonly #free: Reserved[] = [];
  #closing = false;
  readonly #tally = { batches: 0, turns: 0, conflicts: 0, retries: 0 };

  constructor(pool: Pool, options: CommitterOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  submit(pending: Pending): void {
    this.#queue.push(pending);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  get tally(): Tally {
    return this.#tally;
  }

  get idle(): boolean {
    return this.#busy === 0 && this.#queue.length === 0;
  }

  /** From now on the end of a batch is only asked after while the database answers. */
  beginClosing(): void {
    this.#closing = true;
  }

  close(): void {
    for (const connection of this.#free.splice(0)) connection.release();
  }

  #pump(): void {
    while (this.#busy < this.#options.lanes && this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#options.single ? 1 : BATCH_MAX);
      this.#busy += 1;
      this.#inTime(batch)
        // An unexpected error here is a bug; the turns must get it all the same.
        .catch((error: unknown) => {
          for (const pending of batch) pending.reject(error);
        })
        .finally(() => {
          this.#busy -= 1;
          this.#pump();
        });
    }
  }

  /** Runs a batch. When it takes too long, its turns are refused, and so are those that have waited as long: a retry with the same
   * key learns the outcome. */
  async #inTime(batch: readonly Pending[]): Promise<void> {
    const { silence } = this.#options;
    const { wait_ms } = silence.patience;
    let waiting: Waiting;
    const refuse = (): void => {
      const late = (pending: Pending): boolean => silence.now_ms - pending.since_ms >= wait_ms;
      const refused = [...batch, ...this.#queue.filter(late)];
      this.#queue = this.#queue.filter((pending) => !late(pending));
      for (const pending of refused) pending.reject(new StoreUnavailable('the database does not answer'));
      waiting = silence.expect(0, refuse);
    };
    waiting = silence.expect(wait_ms, refuse);
    try {
      await this.#run(batch);
    } finally {
      silence.stopWaiting(waiting);
    }
  }

  /** Batches in a row that failed for a passing reason. */
  #failures = 0;

  async #run(batch: readonly Pending[]): Promise<void> {
    this.#tally.batches += 1;
    this.#tally.turns += batch.length;
    let committed: Committed;
    try {
      committed = await this.#commit(batch);
    } catch (error) {
      await this.#fail(batch, error);
      return;
    }
    this.#failures = 0;
    // Outside of the try: a failure after a commit must not cause another one.
    this.#settle(batch, committed);
  }

  async #fail(batch: readonly Pending[], error: unknown): Promise<void> {
    if (error instanceof StoreUnavailable) {
      // Repeating it could do it twice; a retry with the same key learns the outcome.
      for (const pending of batch) pending.reject(error);
    } else if (isFull(error)) {
      const full = new StoreUnavailable('the disk of the database is full', { cause: error });
      for (const pending of batch) pending.reject(full);
    } else if (isTransient(error)) {
      this.#failures += 1;
      this.#tally.retries += batch.length;
      await jitter(this.#failures, LOST_MS_MAX);
      for (const pending of batch) pending.resolve('away');
    } else if (batch.length === 1) {
      batch[0]?.reject(error);
    } else {
      for (const pending of batch) await this.#run([pending]);
    }
  }

  async #commit(batch: readonly Pending[]): Promise<Committed> {
    const connection = await this.#connection();
    let [whole, lost] = [false, false];
    try {
      const committed = await new Batch(batch, this.#options.context).commit(connection);
      whole = true;
      return committed;
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      lost = true;
      if (await this.#stands(error.commit_id)) return error.committed;
      return { ends: batch.map(() => 'again'), notice: null };
    } finally {
      // After an error the state of the connection is unknown; the pool knows whether it is open.
      if (whole) this.#free.push(connection);
      // Closing a lost connection may take long, and a batch that was committed has replies to send.
      else if (lost) close(connection).catch(() => {});
      else await close(connection);
    }
  }

  async #connection(): Promise<Reserved> {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      if (free.live()) return free;
      free.release();
    }
    return this.#pool.reserve();
  }

  /** Whether a batch whose COMMIT was not answered is committed. Inserts its row again with the node NOBODY: that waits for
   * a server process that may still be committing, and if it succeeds the batch can never be committed. This answer may be
   * lost too, so the row's node decides, not whether this statement inserted it. */
  async #stands(commit_id: string): Promise<boolean> {
    const began = Date.now();
    const most_ms = ASKED_TIMES * this.#options.silence.patience.wait_ms;
    for (let asked = 1; ; asked++) {
      try {
        const [row] = await this.#pool.unsafe(
          `INSERT INTO commits (id, node, agents, changed, vectors, created_at, expires_at)
           VALUES ($1, $2, '[]', '[]', '[]', ${DB_NOW_MS}, ${DB_NOW_MS} + 600000)
           ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING node`,
          [commit_id, NOBODY],
        );
        return row?.node !== NOBODY;
      } catch (error) {
        // The batch may be committed: it is neither repeated nor dropped.
        if (!isTransient(error) || this.#closing || Date.now() - began >= most_ms) {
          this.#options.doubtful(commit_id);
          throw new StoreUnavailable('nobody can tell whether a batch stands', { cause: error });
        }
        await jitter(asked, LOST_MS_MAX);
      }
    }
  }

  #settle(batch: readonly Pending[], { ends, notice }: Committed): void {
    // The replies first, so that nothing else can delay them. Their callers continue when this function has returned.
    for (const [i, pending] of batch.entries()) {
      const end = ends[i] ?? 'again';
      if (end === 'again') {
        this.#tally.conflicts += 1;
        pending.resolve('again');
      } else if ('error' in end) pending.reject(end.error);
      else pending.resolve({ outcome: end.outcome });
    }
    const records = recordsOf(ends);
    if (records.length > 0) this.#options.committed(records, notice);
  }
}

/** Returns a connection to the pool in a known state. */
async function close(connection: Reserved): Promise<void> {
  await connection.unsafe('ROLLBACK').catch(() => {});
  connection.release();
}
