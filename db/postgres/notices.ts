// Tells the other nodes of this one's commits by NOTIFY, in transactions of their own: one that commits rows and notifies holds the
// server's one lock of the queue while it waits for the disk, and all nodes' commits would wait for each other. What is lost here,
// other nodes find when they look.
import type { Pool } from './pool.ts';
import { literal } from './shapes.ts';

/** The least time between two sendings. */
const EVERY_MS = 10;
/** Notices of one statement, of some 8 KB at most. */
const AT_ONCE = 100;
/** The most notices that wait: more gather only while the database does not answer. */
const WAITING_MAX = 1_000;

export class Notices {
  readonly #pool: Pool;
  readonly #channel: string;
  #waiting: string[] = [];
  #sending: Promise<void> | null = null;

  constructor(pool: Pool, channel: string) {
    this.#pool = pool;
    this.#channel = channel;
  }

  /** Sends a notice at once, or with others that follow soon after the last sending. */
  add(notice: string): void {
    if (this.#waiting.length < WAITING_MAX) this.#waiting.push(notice);
    this.#sending ??= this.#send();
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const notices = literal(this.#waiting.splice(0, AT_ONCE));
      const sent = this.#pool.unsafe('SELECT pg_notify($1, notice) FROM unnest($2::text[]) AS notice', [
        this.#channel,
        notices,
      ]);
      await Promise.all([sent.catch(() => {}), new Promise((resolve) => setTimeout(resolve, EVERY_MS))]);
    }
    this.#sending = null;
  }

  async close(): Promise<void> {
    await this.#sending;
  }
}
