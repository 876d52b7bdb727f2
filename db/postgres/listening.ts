// LISTENs for the nodes' notices. A connection that only listens sends nothing, and so never notices that the server is gone: it
// notifies itself now and then, and is reopened when that notice does not arrive.
import type { SQL } from 'bun';
import { openPool, type Server } from './connection.ts';
import type { Pool } from './pool.ts';
import type { Silence } from './silence.ts';

/** Calls in a row that may go unheard: one may just be on its way. */
const UNHEARD_MAX = 2;

/** The listening connection, and the handlers. */
export interface ListeningOptions {
  /** Null where nothing can be heard: a pooler takes the connection back that would listen. */
  readonly listens_at: Server | null;
  readonly channel: string;
  /** This node's name, by which it knows its own voice. */
  readonly node: string;
  readonly silence: Silence;
  readonly heard: (payload: string) => void;
  /** Called whenever it has begun to listen: what was said before was missed. */
  readonly listens: () => void;
}

export class Listening {
  readonly #options: ListeningOptions;
  readonly #speaker: Pool;
  readonly #voice: string;
  #sql: SQL | null = null;
  #unheard = 0;
  #closed = false;

  /** `speaker` is what it calls itself through. */
  constructor(speaker: Pool, options: ListeningOptions) {
    this.#speaker = speaker;
    this.#options = options;
    this.#voice = `${options.node} voice`;
  }

  /** Begins to listen, in place of what listened before; without effect where the server knows no LISTEN. */
  async open(): Promise<void> {
    const { listens_at, channel, silence, heard, listens } = this.#options;
    this.#hangUp();
    if (!listens_at) return;
    const sql = openPool(listens_at, 1);
    this.#sql = sql;
    this.#unheard = 0;
    const waiting = silence.expect(silence.patience.silence_ms, () => this.#hangUp());
    const hear = (payload: string): void => {
      if (payload === this.#voice) this.#unheard = 0;
      else heard(payload);
    };
    await sql.listen(channel, hear, listens).catch(() => {});
    silence.stopWaiting(waiting);
    if (this.#closed) this.#hangUp();
  }

  /** Notifies itself, and reopens the connection when earlier notices did not arrive. */
  async check(): Promise<void> {
    if (this.#closed || !this.#options.listens_at) return;
    if (this.#unheard >= UNHEARD_MAX) await this.open();
    this.#unheard += 1;
    await this.#speaker.unsafe('SELECT pg_notify($1, $2)', [this.#options.channel, this.#voice]);
  }

  #hangUp(): void {
    void this.#sql?.close({ timeout: 0 }).catch(() => {});
    this.#sql = null;
  }

  close(): void {
    this.#closed = true;
    this.#hangUp();
  }
}
