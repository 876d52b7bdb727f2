// Connections that answer or are given up. When one of a pool falls silent, all of them are closed, since they lead to the
// same place: what waited on them learns at once that they are lost, and tries again on fresh ones.
import type { SQL } from 'bun';
import { isFull, StoreUnavailable } from '../unavailable.ts';
import {
  BEGIN_POOLED,
  type Connection,
  isLost,
  isReadOnly,
  isTransient,
  openPool,
  POOL,
  type Server,
  type Session,
  type Use,
} from './connection.ts';
import { jitter, LOST_MS_MAX } from './jitter.ts';
import { Silence, Silent, type Suspect, type Waiting } from './silence.ts';

/** The wait for running statements when a pool closes; mostly no caller waits for them. */
const CLOSING_SECONDS = 1;

type Rows = Record<string, unknown>[];

/** A connection whose rows may also come as lists of values. */
export interface Source extends Connection {
  values(text: string, values: readonly unknown[]): Promise<unknown[][]>;
}

/** A connection that one batch has to itself. */
export interface Reserved extends Session {
  /** Whether its pool has not been given up since. */
  live(): boolean;
  release(): void;
}

interface PoolOptions {
  readonly max?: number;
  readonly use?: Use;
  readonly silence?: Silence;
}

export class Pool implements Source, Suspect {
  readonly #server: Server;
  readonly #use: Use;
  readonly #open: () => SQL;
  readonly #silence: Silence;
  readonly #max: number;
  #sql: SQL;
  /** Whether these connections have answered, as far as they had to; the first ones are believed to. */
  #heard = true;
  /** Whether a call was refused for their silence since they answered last. */
  #refused = false;
  #closed = false;
  /** Statements on their way. */
  #asking = 0;

  constructor(server: Server, { max, use = 'reads', silence = new Silence() }: PoolOptions = {}) {
    this.#server = server;
    this.#use = use;
    this.#open = () => openPool(server, max, use);
    this.#silence = silence;
    this.#max = max ?? POOL;
    this.#sql = this.#open();
    silence.join(this);
  }

  /** Whether the last word here was none: what can do without the database need not ask it now. */
  get silent(): boolean {
    return !this.#heard;
  }

  /** Connections that are at work, and statements that wait for one, as far as there are more than connections. */
  get load(): { busy: number; waiting: number } {
    const busy = Math.min(this.#asking, this.#max);
    return { busy, waiting: this.#asking - busy };
  }

  unsafe(text: string, values?: readonly unknown[]): Promise<Rows> {
    const sql = this.#sql;
    return this.#awaitAnswer(sql, sql.unsafe(text, bindable(values)));
  }

  values(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    const sql = this.#sql;
    return this.#awaitAnswer(sql, sql.unsafe(text, bindable(values)).values());
  }

  /** Runs statements as one transaction; `how` follows BEGIN. */
  async begin<T>(work: (transaction: Source) => Promise<T>, how = ''): Promise<T> {
    const sql = this.#sql;
    const expect = (): Waiting => this.#silence.expect(this.#most_ms, () => this.#giveUp(sql));
    let waiting = expect();
    try {
      return await sql.begin(how, async (transaction) => {
        this.#silence.stopWaiting(waiting);
        const done = await work({
          unsafe: (text, values) => this.#awaitAnswer(sql, transaction.unsafe(text, bindable(values))),
          values: (text, values) => this.#awaitAnswer(sql, transaction.unsafe(text, bindable(values)).values()),
        });
        waiting = expect();
        return done;
      });
    } catch (error) {
      throw this.#knownError(sql, error);
    } finally {
      this.#silence.stopWaiting(waiting);
    }
  }

  /** A connection of the caller's own, until it is released. */
  async reserve(): Promise<Reserved> {
    const sql = this.#sql;
    const own = await this.#awaitAnswer(sql, sql.reserve());
    const tagged = (text: TemplateStringsArray): Promise<unknown> => this.#awaitAnswer(sql, own(text));
    return Object.assign(tagged, {
      unsafe: (text: string, values?: readonly unknown[]): Promise<Rows> =>
        this.#awaitAnswer(sql, own.unsafe(text, bindable(values))),
      begin: () =>
        this.#server.pooled
          ? this.#awaitAnswer(sql, own.unsafe(BEGIN_POOLED))
          : tagged`BEGIN ISOLATION LEVEL READ COMMITTED`,
      live: () => this.#sql === sql,
      release: () => own.release(),
    });
  }

  /** Repeats what failed for a passing reason and changed nothing, for some seconds. */
  async again<T>(attempt: () => Promise<T>): Promise<T> {
    const began = Date.now();
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (isFull(error)) throw new StoreUnavailable('the disk of the database is full', { cause: error });
        if (!isTransient(error)) throw error;
        const silent = error instanceof Silent;
        // After a refusal for silence each caller has one attempt: otherwise queued callers would wait one after the other.
        if (this.#closed || (silent && this.#refused) || Date.now() - began >= this.#silence.patience.wait_ms) {
          this.#refused ||= silent;
          throw new StoreUnavailable('the database cannot be reached', { cause: error });
        }
        await jitter(tries, LOST_MS_MAX);
      }
    }
  }

  /** How long an answer may take. Connections that came in the place of silent ones must prove themselves in the rest of the
   * time that a call has. */
  get #most_ms(): number {
    const { silence_ms, wait_ms } = this.#silence.patience;
    return this.#heard ? silence_ms : Math.min(silence_ms, Math.max(wait_ms - silence_ms, wait_ms / 4));
  }

  async #awaitAnswer<T>(sql: SQL, answer: PromiseLike<T>): Promise<T> {
    const waiting = this.#silence.expect(this.#most_ms, () => this.#giveUp(sql));
    this.#asking += 1;
    try {
      const given = await answer;
      if (sql === this.#sql) {
        this.#heard = true;
        this.#refused = false;
      }
      return given;
    } catch (error) {
      throw this.#knownError(sql, error);
    } finally {
      this.#asking -= 1;
      this.#silence.stopWaiting(waiting);
    }
  }

  /** Marks the errors of statements whose connection was given up. Connections to a standby would stay there: they are given up. */
  #knownError(sql: SQL, error: unknown): unknown {
    if (isReadOnly(error) && this.#silence.mayMislead()) this.#giveUp(sql, true);
    return sql !== this.#sql && isLost(error) ? new Silent() : error;
  }

  #giveUp(sql: SQL, misled = false): void {
    if (sql !== this.#sql || this.#closed) {
      void sql.close({ timeout: 0 }).catch(() => {});
      return;
    }
    this.#renew();
    this.#silence.markDead(this, misled);
  }

  #renew(): void {
    void this.#sql.close({ timeout: 0 }).catch(() => {});
    this.#sql = this.#open();
    this.#heard = false;
  }

  /** Idle connections are not asked whether they live; those that are at work have less time to show it. */
  suspect(misled: boolean): void {
    if (this.#closed) return;
    if (misled || this.#asking === 0) this.#renew();
    else this.#heard = false;
  }

  /** Waits a moment for running statements. */
  async close(): Promise<void> {
    this.#closed = true;
    const { kept } = this.#server;
    if (kept && this.#heard && this.#asking === 0) kept.put(this.#sql, this.#max, this.#use);
    else await this.#sql.close({ timeout: CLOSING_SECONDS });
  }
}

/** Bun's types want a list that it might change. */
function bindable(values: readonly unknown[] | undefined): unknown[] | undefined {
  return values as unknown[] | undefined;
}
