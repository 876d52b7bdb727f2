// The nearest vectors out of the database, where the operator has put pgvector into it: so a scan of many vectors does not
// stand in the way of a node's requests. What it looks through is a column that the database itself derives from the
// int8 row, and the answers are those of the index in memory, as far as an approximate index finds them.
import type { Near, Side } from '../vectors/vector-index.ts';
import type { Connection } from './connection.ts';

/** Runs statements as one transaction. */
export type Transact = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** How far the graph is searched: at least as far as answers are asked for, and twice that for what a filter drops. */
const SEARCHED_MIN = 200;
const SEARCHED_MAX = 1_000;

/** An int8 is a byte of two's complement; half precision holds it exactly. */
const AS_HALFVEC = `CREATE OR REPLACE FUNCTION int8_halfvec(bytes bytea) RETURNS halfvec
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg((CASE WHEN byte > 127 THEN byte - 256 ELSE byte END)::real ORDER BY i)::halfvec
    FROM (SELECT i, get_byte(bytes, i) AS byte FROM generate_series(0, length(bytes) - 1) AS i) AS read $$`;

/** Whether the database has the extension, in a version that goes on searching where a filter drops what it found. */
async function hasPgvector(connection: Connection): Promise<boolean> {
  const [row] = await connection.unsafe("SELECT extversion FROM pg_extension WHERE extname = 'vector'");
  const [major = 0, minor = 0] = String(row?.extversion ?? '')
    .split('.')
    .map(Number);
  return major > 0 || minor >= 8;
}

/** Makes what the search needs, where nobody has; one graph a side, since offers are matched with seeks only. */
async function prepare(connection: Connection, dimensions: number): Promise<void> {
  await connection.unsafe("SELECT name FROM migrations WHERE name = 'lock' FOR UPDATE");
  const [made] = await connection.unsafe(
    "SELECT 1 AS made FROM pg_attribute WHERE attrelid = 'listing_vectors'::regclass AND attname = 'near'",
  );
  if (made) return;
  await connection.unsafe(AS_HALFVEC);
  await connection.unsafe(
    `ALTER TABLE listing_vectors ADD COLUMN near halfvec(${dimensions}) GENERATED ALWAYS AS (int8_halfvec(vector)) STORED`,
  );
  for (const side of ['offer', 'seek']) {
    await connection.unsafe(
      `CREATE INDEX listing_vectors_near_${side} ON listing_vectors USING hnsw (near halfvec_cosine_ops) WHERE side = '${side}'`,
    );
  }
}

export class Pgvector {
  readonly #transact: Transact;
  readonly #model: string;

  constructor(transact: Transact, model: string) {
    this.#transact = transact;
    this.#model = model;
  }

  /** The k nearest of one side by cosine, best first; `exceptAgent` leaves out one agent's own. Only vectors of the
   * embedder's own model are compared. */
  nearest(query: Int8Array, side: Side, k: number, exceptAgent: string): Promise<Near[]> {
    const searched = Math.min(Math.max(2 * k, SEARCHED_MIN), SEARCHED_MAX);
    return this.#transact(async (connection) => {
      await connection.unsafe(
        "SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true)",
        [String(searched)],
      );
      const rows = await connection.unsafe(
        `SELECT id, 1 - (near <=> $1::halfvec) AS score FROM listing_vectors
         WHERE side = '${side}' AND model = $2 AND agent_id <> $3 ORDER BY near <=> $1::halfvec LIMIT $4::bigint`,
        [`[${query.join(',')}]`, this.#model, exceptAgent, k],
      );
      // A vector of nothing but zeros is near to nothing.
      return rows.map(({ id, score }) => ({ id: String(id), score: Number(score) || 0 }));
    });
  }
}

/** The search by pgvector, made ready; null where the extension is not in the database. Nobody is asked for the right to
 * put it there. `patiently` runs what may take minutes. */
export async function openPgvector(
  patiently: Transact,
  transact: Transact,
  dimensions: number,
  model: string,
): Promise<Pgvector | null> {
  return patiently(async (connection) => {
    if (!(await hasPgvector(connection))) return null;
    await prepare(connection, dimensions);
    return new Pgvector(transact, model);
  });
}
