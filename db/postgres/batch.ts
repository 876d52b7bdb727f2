// One commit batch: lock → decide in memory → write → COMMIT, all turns in one transaction. After a duplicate key the transaction
// is restarted with that knowledge, so that a dropped turn leaves nothing behind, not even a lock.
import { randomUUID } from 'node:crypto';
import type { Effect } from '../effects.ts';
import type { TurnRecord } from '../run-effects.ts';
import { allOf, type Connection, DB_NOW_MS, isLost, isTaken, type Session, send } from './connection.ts';
import { type Deciding, decideBatch, type End, type Known, NOTHING_KNOWN } from './decide-batch.ts';
import { lockFor } from './footprint.ts';
import type { Pending } from './pending.ts';
import type { Shards } from './shards.ts';
import { type WakeUp, wakeUp } from './wake-up.ts';
import type { WorkingRow } from './workspace.ts';
import { writeChanges } from './write-batch.ts';

/** Rounds of one batch; turns with another duplicate key then go into the next batch. */
const ROUNDS_MAX = 4;
/** How long a batch's row stays for other nodes to follow. */
const LOGGED_MS = 600_000;

/** A batch that is through: the outcome of each turn, and the notice for other nodes, if any. */
export interface Committed {
  readonly ends: readonly End[];
  readonly notice: string | null;
}

/** The connection was lost after COMMIT was sent: only the batch's own row shows whether it is committed. */
export class Unanswered extends Error {
  readonly commit_id: string;
  /** What is true if it is. */
  readonly committed: Committed;

  constructor(commit_id: string, committed: Committed) {
    super('the connection was lost in COMMIT');
    this.commit_id = commit_id;
    this.committed = committed;
  }
}

export interface BatchContext extends Deciding {
  readonly node: string;
  readonly shards: Shards | null;
}

const recordOf = (end: End | undefined): TurnRecord | null =>
  end !== undefined && end !== 'again' && 'record' in end ? end.record : null;

export function recordsOf(ends: readonly End[]): TurnRecord[] {
  return ends.map(recordOf).filter((record) => record !== null);
}

/** Learns from refused rows: which turns' inserts had a taken key, and which must wait because that is not clear yet. */
function learn(known: Known, lost: readonly WorkingRow[], put: ReadonlySet<WorkingRow>): Known {
  const effects = new Set<Effect>(known.lost);
  const later = new Set(known.later);
  const losers = new Set(lost.flatMap(({ effect, turns }) => (effect ? [...turns].slice(0, 1) : [])));
  for (const { table, effect, turns } of lost) {
    const [owner] = turns;
    if (effect === null || owner === undefined) {
      // A row that the turns share (a counter, a head): another node made it meanwhile, and they look again.
      for (const turn of turns) later.add(turn);
      continue;
    }
    // An earlier turn that is dropped itself may have held the key: its claim goes with it, and this one asks again.
    const doubtful = [...put].some((entry) => {
      const [other] = entry.turns;
      return entry.table === table && other !== undefined && other < owner && losers.has(other);
    });
    if (doubtful) later.add(owner);
    else effects.add(effect);
  }
  return { lost: effects, later };
}

/** A turn that no longer succeeds may have taken a key from others: those decide again. */
function doubtLosers(
  before: readonly End[],
  now: readonly End[],
  known: Known,
  losers: ReadonlySet<number>,
): Known | null {
  const fallen = before.some((end, i) => {
    return recordOf(end) !== null && recordOf(now[i]) === null && !losers.has(i) && !known.later.has(i);
  });
  return fallen ? { lost: new Set(), later: new Set([...known.later, ...losers]) } : null;
}

async function logBatch(connection: Connection, id: string, node: string, said: WakeUp): Promise<void> {
  const values = [id, node, JSON.stringify(said.agents), JSON.stringify(said.changed), JSON.stringify(said.vectors)];
  await send(
    connection,
    `INSERT INTO commits (id, node, agents, changed, vectors, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, ${DB_NOW_MS}, ${DB_NOW_MS} + ${LOGGED_MS})`,
    values,
  );
}

async function commit(connection: Session): Promise<void> {
  await connection`COMMIT`;
}

interface Round extends Committed {
  /** Null when everything that was decided is written. */
  readonly lost: readonly WorkingRow[] | null;
  readonly put: ReadonlySet<WorkingRow>;
}

/** Lets an effectless end (a conflict, an error) through without writing. */
const writesNothing = (ends: readonly End[]): boolean => ends.every((end) => end === 'again' || 'error' in end);

export class Batch {
  readonly #context: BatchContext;
  readonly #turns: readonly Pending[];
  /** Whether every insert is ON CONFLICT DO NOTHING: set after an unexpected duplicate key. */
  #offers = false;
  #known: Known = NOTHING_KNOWN;
  #losers: ReadonlySet<number> = new Set();
  #before: readonly End[] | null = null;

  constructor(turns: readonly Pending[], context: BatchContext) {
    this.#turns = turns;
    this.#context = context;
  }

  /** Commits the batch. Throws the database's error, after a rollback. */
  async commit(connection: Session): Promise<Committed> {
    for (let round = 1; ; round++) {
      const id = randomUUID().replaceAll('-', '');
      const written = await this.#round(connection, id).catch((error: unknown) => {
        if (this.#offers || !isTaken(error)) throw error;
        return null;
      });
      if (!written) {
        this.#offers = true;
        continue;
      }
      const { ends, lost, put } = written;
      if (lost === null) return written;
      this.#losers = new Set([...this.#losers, ...lost.flatMap(({ turns }) => [...turns].slice(0, 1))]);
      this.#before = ends;
      this.#known = learn(this.#known, lost, put);
      if (round === ROUNDS_MAX) this.#known = { lost: new Set(), later: new Set(this.#losers) };
      if (round > ROUNDS_MAX) return { ends: this.#turns.map(() => 'again'), notice: null };
    }
  }

  async #round(connection: Session, id: string): Promise<Round> {
    try {
      // The locks go out with it, not after it.
      const begun = connection.begin();
      const locked = lockFor(connection, this.#turns, this.#context.shards);
      await allOf<unknown>([begun, locked]);
      const rows = await locked;
      let ends = decideBatch(this.#turns, rows, this.#known, this.#context);
      const doubt = this.#before && doubtLosers(this.#before, ends, this.#known, this.#losers);
      if (doubt) {
        this.#known = doubt;
        ends = decideBatch(this.#turns, rows, doubt, this.#context);
      }
      if (writesNothing(ends)) {
        await connection.unsafe('ROLLBACK');
        return { ends, notice: null, lost: null, put: new Set() };
      }
      const said = wakeUp(this.#context.node, id, recordsOf(ends));
      const through = { ends, notice: said.payload };
      const { lost: losing, certain } = writeChanges(connection, rows, this.#offers, this.#context.shards);
      const sent = [losing, logBatch(connection, id, this.#context.node, said)] as const;
      if (certain) {
        await this.#end(connection, id, through, sent);
        return { ...through, lost: null, put: new Set() };
      }
      await allOf<unknown>(sent);
      const lost = await losing;
      if (lost.length > 0) {
        await connection.unsafe('ROLLBACK');
        const refused = new Set(lost);
        const put = [...rows.changes()].filter((entry) => entry.row && !entry.stored && !refused.has(entry));
        return { ...through, lost, put: new Set(put) };
      }
      await this.#end(connection, id, through, []);
      return { ...through, lost: null, put: new Set() };
    } catch (error) {
      if (!(error instanceof Unanswered)) await connection.unsafe('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  /** Commits; COMMIT is pipelined after the sent statements, and if one of them fails the server rolls back
   * instead. */
  async #end(connection: Session, id: string, through: Committed, sent: readonly Promise<unknown>[]): Promise<void> {
    const [wrote, done] = await Promise.allSettled([allOf(sent), commit(connection)]);
    if (wrote.status === 'rejected' && !isLost(wrote.reason)) throw wrote.reason;
    // The server can send an error even after the commit succeeded, so the row decides.
    if (wrote.status === 'rejected' || done.status === 'rejected') throw new Unanswered(id, through);
  }
}
