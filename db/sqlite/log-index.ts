// SQLite's index of the write-ahead log, as far as it tells how long the log is (sqlite.org/walformat.html, 2.1). To read it
// costs a call, and takes no lock.
import { closeSync, openSync, readSync } from 'node:fs';

/** The index begins with a header of 48 bytes, twice: where both are the same, no process is writing it. */
const HEADER_BYTES = 48;
const MAX_FRAME_OFFSET = 16;
const SALT_OFFSET = 32;
const SALT_BYTES = 8;

/** How far a log goes. */
export interface LogEnd {
  /** The salt of the log, which is another one each time that it starts over. */
  readonly salt: string;
  /** The last committed frame. */
  readonly frame: number;
}

export class LogIndex {
  /** To close any descriptor of this file ends the locks that the process has on it. */
  readonly #file: number;
  readonly #words = new Uint32Array((2 * HEADER_BYTES) / 4);
  readonly #bytes = Buffer.from(this.#words.buffer);

  /** The database must have been read: SQLite makes the index then. */
  constructor(database: string) {
    this.#file = openSync(`${database}-shm`, 'r');
  }

  /** How many frames the log has. */
  frames(): number {
    readSync(this.#file, this.#words, 0, 4, MAX_FRAME_OFFSET);
    return this.#words[0] ?? 0;
  }

  /** Null while another process writes the index. */
  end(): LogEnd | null {
    readSync(this.#file, this.#bytes, 0, 2 * HEADER_BYTES, 0);
    const [first, second] = [this.#bytes.subarray(0, HEADER_BYTES), this.#bytes.subarray(HEADER_BYTES)];
    if (!first.equals(second)) return null;
    const salt = first.toString('hex', SALT_OFFSET, SALT_OFFSET + SALT_BYTES);
    return { salt, frame: this.#words[MAX_FRAME_OFFSET / 4] ?? 0 };
  }

  /** After the connections of the process. */
  close(): void {
    closeSync(this.#file);
  }
}
