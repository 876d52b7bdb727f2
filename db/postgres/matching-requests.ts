// Requests to the nodes that hold the index of matching, as rows with an answer. A node that asks writes a row and is told when
// its answer is there; of the nodes that answer, one claims the row. A node that dies leaves its claims to the others.
import type { MatchingRequests } from '../store.ts';
import { claimReminder } from './claims.ts';
import { DB_NOW_MS } from './connection.ts';
import type { Pool } from './pool.ts';
import { literal } from './shapes.ts';

/** A node that answers says so in its row, and looks for requests that it was not told of. */
const BEAT_MS = 1_000;
/** Without a beat for this time it answers no more: its claims are free. */
const ALIVE_MS = 3_000;
/** Longer than that and a beat, so that an answer outlives the death of the node that claimed it. */
const WAIT_MS = 4_800;
/** Nobody waits for a row after this time. */
const KEPT_MS = 5_000;
/** An answer that takes longer is given up, and its place is free. */
const ANSWER_MS = WAIT_MS + 1_000;
/** Requests under way at once, of a node that answers and of one that asks. */
const ANSWERED_MAX = 64;
const ASKED_MAX = 1_000;
/** The answers of a request that failed, and of one that a node cannot answer now. Neither is JSON. */
const FAILED = '';
const NONE = '-';

const BEAT = `UPDATE nodes SET answers_until = ${DB_NOW_MS} + ${ALIVE_MS} WHERE id = $1`;
const ANSWERS = `SELECT FROM nodes WHERE answers_until > ${DB_NOW_MS}`;
const ENDS = 'UPDATE nodes SET answers_until = 0 WHERE id = $1';
/** Returns the row also when it is repeated after a lost connection. */
const ASK = `INSERT INTO matching_requests (id, node, caller, request, expires_at)
  SELECT $1::text, $2::text, $3::text, $4::text, ${DB_NOW_MS} + ${KEPT_MS}
  WHERE EXISTS (${ANSWERS})
  ON CONFLICT (id) DO UPDATE SET node = excluded.node RETURNING id`;
/** Claimed by no node that is alive. A node's own claims are under way, or were given up. */
const IS_FREE = `answer IS NULL AND expires_at > ${DB_NOW_MS} AND (claimed_by IS NULL OR (claimed_by <> $1
    AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = claimed_by AND answers_until > ${DB_NOW_MS})))`;
/** Callers take turns: the oldest request of each, then the second ones. */
const CLAIM = `WITH free AS
  (SELECT id, expires_at, row_number() OVER (PARTITION BY caller ORDER BY expires_at) AS place
   FROM matching_requests WHERE ${IS_FREE})
  UPDATE matching_requests SET claimed_by = $1 WHERE id IN
  (SELECT r.id FROM matching_requests AS r JOIN free ON free.id = r.id
   WHERE ${IS_FREE.replaceAll(/\b(answer|expires_at|claimed_by)\b/g, 'r.$1')}
   ORDER BY free.place, free.expires_at LIMIT $2::bigint FOR UPDATE OF r SKIP LOCKED) RETURNING id, node, request`;
const ANSWER = 'UPDATE matching_requests SET answer = $2 WHERE id = $1 AND claimed_by = $3 AND answer IS NULL';
const TAKE = `DELETE FROM matching_requests WHERE id = ANY($1::text[]) AND answer IS NOT NULL RETURNING id, answer`;
const FORGET = 'DELETE FROM matching_requests WHERE id = $1';
const FORGET_ALL = 'DELETE FROM matching_requests WHERE node = $1';
/** They hold texts of listings, so a request that its node left behind is deleted soon. */
const EXPIRE = `DELETE FROM matching_requests WHERE expires_at <= ${DB_NOW_MS}`;

/** What nodes tell each other: that a request waits, or with a node's name that an answer waits for it. */
const ASKED = 'matching asked';
const answered = (node: string): string => `matching ${node}`;

/** Runs a step, one at a time, and once more if it was called meanwhile; resolves when none runs. A failed step is repeated at the
 * next call. */
function oneAtATime(step: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let again = false;
  const run = async (): Promise<void> => {
    while (again) {
      again = false;
      await step().catch(() => {});
    }
    running = null;
  };
  return () => {
    again = true;
    running ??= run();
    return running;
  };
}

/** What some work resolves to; null when that takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, ms, null);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Answer = (request: string) => Promise<string | null>;

interface Nodes {
  readonly pool: Pool;
  /** This node's name. */
  readonly node: string;
  /** Sends a notice to the other nodes. */
  readonly tell: (notice: string) => void;
  /** Resolves when this node has followed the commits that it has heard of. */
  readonly caughtUp: () => Promise<void>;
}

export class PostgresMatchingRequests implements MatchingRequests {
  readonly #by: Nodes;
  readonly #asked = new Map<string, (answer: string) => void>();
  readonly #answering = new Set<Promise<void>>();
  #answer: Answer | null = null;
  #has_asked = false;
  #beats: ReturnType<typeof setInterval> | null = null;
  #looks: ReturnType<typeof setInterval> | null = null;

  constructor(by: Nodes) {
    this.#by = by;
  }

  get counts(): MatchingRequests['counts'] {
    return { asked: this.#asked.size, answering: this.#answering.size };
  }

  async ask(request: string, caller: string): Promise<string | null> {
    if (this.#asked.size >= ASKED_MAX) return null;
    const { pool, node, tell } = this.#by;
    const id = Bun.randomUUIDv7();
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#asked.set(id, resolve);
    this.#has_asked = true;
    let answer: string | null = null;
    let may_stand = true;
    try {
      may_stand = (await pool.again(() => pool.unsafe(ASK, [id, node, caller, request]))).length > 0;
      if (!may_stand) return null;
      tell(ASKED);
      this.#looks ??= setInterval(() => void this.#take(), BEAT_MS).unref();
      answer = await within(WAIT_MS, promise);
      if (answer === FAILED) throw new Error('the node that matches could not answer; see its log');
      return answer === NONE ? null : answer;
    } finally {
      if (answer === null && may_stand) void pool.unsafe(FORGET, [id]).catch(() => {});
      this.#asked.delete(id);
      if (this.#looks && this.#asked.size === 0) {
        clearInterval(this.#looks);
        this.#looks = null;
      }
    }
  }

  /** Hands the answers that are there to those who wait for them. */
  readonly #take = oneAtATime(async () => {
    const ids = [...this.#asked.keys()];
    if (ids.length === 0) return;
    const rows = await this.#by.pool.unsafe(TAKE, [literal(ids)]);
    for (const { id, answer } of rows) this.#asked.get(String(id))?.(String(answer));
  });

  async answerWith(answer: Answer): Promise<void> {
    this.#answer = answer;
    await this.#beat();
    this.#beats = setInterval(() => void this.#beat(), BEAT_MS).unref();
  }

  readonly #beat = oneAtATime(async () => {
    const { pool, node } = this.#by;
    await pool.unsafe(BEAT, [node]);
    void this.#claim();
    await pool.unsafe(EXPIRE);
  });

  /** Takes on the requests that wait. The commits that this node has heard of are followed first, so that an answer is not older than
   * its request; where nodes only poll, it may be by the time between two looks. */
  readonly #claim = oneAtATime(async () => {
    const { pool, node, caughtUp } = this.#by;
    const room = ANSWERED_MAX - this.#answering.size;
    if (this.#answer === null || room === 0) return;
    await caughtUp();
    const answerTo = this.#answer;
    if (answerTo === null) return;
    for (const { id, node: asker, request } of await pool.unsafe(CLAIM, [node, room])) {
      const answering: Promise<void> = this.#answerOne(answerTo, String(id), String(request))
        .then(() => this.#by.tell(answered(String(asker))))
        .catch(() => {})
        .finally(() => {
          this.#answering.delete(answering);
          if (this.#answering.size === ANSWERED_MAX - 1) void this.#claim();
        });
      this.#answering.add(answering);
    }
  });

  async #answerOne(answerTo: Answer, id: string, request: string): Promise<void> {
    const answer = await within(ANSWER_MS, answerTo(request)).catch(() => FAILED);
    const { pool, node } = this.#by;
    await pool.again(() => pool.unsafe(ANSWER, [id, answer ?? NONE, node]));
  }

  async isAnswered(): Promise<boolean> {
    const { pool } = this.#by;
    return (await pool.again(() => pool.unsafe(ANSWERS))).length > 0;
  }

  claimReminder(id: string, now_ms: number): Promise<boolean> {
    const { pool } = this.#by;
    return pool.again(() => claimReminder(pool, id, now_ms));
  }

  /** Follows a notice of another node. */
  hear(notice: string): void {
    if (notice === ASKED) void this.#claim();
    else if (notice === answered(this.#by.node)) void this.#take();
  }

  /** Beats until the answers under way are there, as long as somebody waits for them: a node without a beat loses its claims. */
  async stop(): Promise<void> {
    this.#answer = null;
    if (!this.#beats) return;
    const { pool, node } = this.#by;
    await within(
      WAIT_MS,
      this.#claim().then(() => Promise.all(this.#answering)),
    );
    clearInterval(this.#beats);
    this.#beats = null;
    await this.#beat();
    await pool.unsafe(ENDS, [node]).catch(() => {});
  }

  async close(): Promise<void> {
    await this.stop();
    for (const giveUp of this.#asked.values()) giveUp(NONE);
    if (this.#has_asked) await this.#by.pool.unsafe(FORGET_ALL, [this.#by.node]).catch(() => {});
  }
}
