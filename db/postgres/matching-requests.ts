// Requests to the nodes that hold the index of matching, as rows with an answer. A node that asks writes a row and is told when
// its answer is there; of the nodes that answer, one claims the row. A node that dies leaves its claims to the others.
import type { MatchingRequests } from '../store.ts';
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
const KEPT_MS = 10_000;
/** Requests under way at once, of a node that answers and of one that asks. */
const ANSWERED_MAX = 64;
const ASKED_MAX = 1_000;
/** The answer of a request that failed, which is no JSON. */
const FAILED = '';

const BEAT = `UPDATE nodes SET answers_until = ${DB_NOW_MS} + ${ALIVE_MS} WHERE id = $1`;
const ENDS = 'UPDATE nodes SET answers_until = 0 WHERE id = $1';
const ASK = `INSERT INTO matching_requests (id, node, request, expires_at)
  SELECT $1::text, $2::text, $3::text, ${DB_NOW_MS} + ${KEPT_MS}
  WHERE EXISTS (SELECT FROM nodes WHERE answers_until > ${DB_NOW_MS}) ON CONFLICT DO NOTHING RETURNING id`;
const CLAIM = `UPDATE matching_requests SET claimed_by = $1 WHERE id IN
  (SELECT id FROM matching_requests AS r WHERE answer IS NULL AND expires_at > ${DB_NOW_MS}
   AND (claimed_by IS NULL OR NOT EXISTS (SELECT FROM nodes WHERE id = r.claimed_by AND answers_until > ${DB_NOW_MS}))
   ORDER BY expires_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED) RETURNING id, node, request`;
const ANSWER = 'UPDATE matching_requests SET answer = $2 WHERE id = $1';
const TAKE = `DELETE FROM matching_requests WHERE id = ANY($1::text[]) AND answer IS NOT NULL RETURNING id, answer`;
const FORGET = 'DELETE FROM matching_requests WHERE id = $1';

/** What nodes tell each other: that a request waits, or with a node's name that an answer waits for it. */
const ASKED = 'matching asked';
const answered = (node: string): string => `matching ${node}`;

/** Runs a step, one at a time, and once more if it was called meanwhile. A failed step is repeated at the next call. */
function oneAtATime(step: () => Promise<void>): () => void {
  let [is_running, again] = [false, false];
  const run = async (): Promise<void> => {
    is_running = true;
    while (again) {
      again = false;
      await step().catch(() => {});
    }
    is_running = false;
  };
  return () => {
    again = true;
    if (!is_running) void run();
  };
}

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
  readonly #asked = new Map<string, (answer: string | null) => void>();
  readonly #answering = new Set<Promise<void>>();
  #answer: ((request: string) => Promise<string>) | null = null;
  #beats: ReturnType<typeof setInterval> | null = null;
  #looks: ReturnType<typeof setInterval> | null = null;

  constructor(by: Nodes) {
    this.#by = by;
  }

  get counts(): MatchingRequests['counts'] {
    return { asked: this.#asked.size, answering: this.#answering.size };
  }

  async ask(request: string): Promise<string | null> {
    if (this.#asked.size >= ASKED_MAX) return null;
    const { pool, node, tell } = this.#by;
    const id = Bun.randomUUIDv7();
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#asked.set(id, resolve);
    const late = setTimeout(() => resolve(null), WAIT_MS);
    try {
      const rows = await pool.again(() => pool.unsafe(ASK, [id, node, request]));
      if (rows.length === 0) return null;
      tell(ASKED);
      this.#looks ??= setInterval(this.#take, BEAT_MS).unref();
      const answer = await promise;
      if (answer === null) void pool.unsafe(FORGET, [id]).catch(() => {});
      if (answer === FAILED) throw new Error('the node that matches could not answer; see its log');
      return answer;
    } finally {
      clearTimeout(late);
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

  async answerWith(answer: (request: string) => Promise<string>): Promise<void> {
    this.#answer = answer;
    await this.#beat();
    this.#beats = setInterval(() => void this.#beat().catch(() => {}), BEAT_MS).unref();
  }

  async #beat(): Promise<void> {
    await this.#by.pool.unsafe(BEAT, [this.#by.node]);
    this.#claim();
  }

  /** Takes on the requests that wait. The commits before them are followed first, so that no answer is older than its request. */
  readonly #claim = oneAtATime(async () => {
    const { pool, node, caughtUp } = this.#by;
    const answerTo = this.#answer;
    const room = ANSWERED_MAX - this.#answering.size;
    if (answerTo === null || room === 0) return;
    await caughtUp();
    for (const { id, node: asker, request } of await pool.unsafe(CLAIM, [node, room])) {
      const answering: Promise<void> = this.#answerOne(answerTo, String(id), String(request))
        .then(() => this.#by.tell(answered(String(asker))))
        .catch(() => {})
        .finally(() => {
          this.#answering.delete(answering);
          if (this.#answering.size === ANSWERED_MAX - 1) this.#claim();
        });
      this.#answering.add(answering);
    }
  });

  async #answerOne(answerTo: (request: string) => Promise<string>, id: string, request: string): Promise<void> {
    const answer = await answerTo(request).catch(() => FAILED);
    const { pool } = this.#by;
    await pool.again(() => pool.unsafe(ANSWER, [id, answer]));
  }

  /** Follows a notice of another node. */
  hear(notice: string): void {
    if (notice === ASKED) this.#claim();
    else if (notice === answered(this.#by.node)) this.#take();
  }

  /** Takes on nothing more, and ends what is under way, as long as somebody waits for it. */
  async close(): Promise<void> {
    const { pool, node } = this.#by;
    this.#answer = null;
    for (const giveUp of this.#asked.values()) giveUp(null);
    if (!this.#beats) return;
    clearInterval(this.#beats);
    await pool.unsafe(ENDS, [node]).catch(() => {});
    await Promise.race([Promise.all(this.#answering), Bun.sleep(this.#answering.size === 0 ? 0 : WAIT_MS)]);
  }
}
