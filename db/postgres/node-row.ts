// Keeps a row while this node runs, with its release.

import { type Connection, DB_NOW_MS } from './connection.ts';
import type { Pool } from './pool.ts';

const EVERY_MS = 20_000;
/** A node without an update for this time is gone. */
const LIFE_MS = 60_000;
const SAY = `INSERT INTO nodes (id, version, expires_at) VALUES ($1, $2, ${DB_NOW_MS} + ${LIFE_MS})
  ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`;

/** Whether a node serves the database; one that was killed counts for a minute. */
export async function isServed(connection: Connection): Promise<boolean> {
  const [nodes] = await connection.unsafe(`SELECT count(*) AS n FROM nodes WHERE expires_at > ${DB_NOW_MS}`);
  return Number(nodes?.n) > 0;
}

export class NodeRow {
  readonly #pool: Pool;
  readonly #node: string;
  readonly #version: string;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(pool: Pool, node: string, version: string) {
    this.#pool = pool;
    this.#node = node;
    this.#version = version;
  }

  async open(): Promise<void> {
    await this.#pool.unsafe(SAY, [this.#node, this.#version]);
    await this.#pool.unsafe(`DELETE FROM nodes WHERE expires_at <= ${DB_NOW_MS}`);
    // A failed update is repeated by the next.
    const say = (): void => void this.#pool.unsafe(SAY, [this.#node, this.#version]).catch(() => {});
    this.#timer = setInterval(say, EVERY_MS).unref();
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#pool.unsafe('DELETE FROM nodes WHERE id = $1', [this.#node]).catch(() => {});
  }
}
