// The read transaction of a connection that only reads: begun by the first read after a commit and held until the next
// one, since opening one costs more than most reads do, and every reading in between sees the same pages anyway.
import type { Database, Statement } from 'bun:sqlite';

export class Snapshot {
  readonly #begin: Statement;
  readonly #end: Statement;
  #held = false;

  constructor(db: Database) {
    this.#begin = db.prepare('BEGIN');
    this.#end = db.prepare('COMMIT');
  }

  /** Called before each read. */
  hold(): void {
    if (this.#held) return;
    this.#begin.run();
    this.#held = true;
  }

  /** Called before each write: what is read afterwards is the new state, and the log may start over. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#end.run();
  }
}
