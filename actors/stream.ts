// One reader's stream of an inbox, or of the updates of one row: stored events are replayed in pages, then committed events
// are passed on live. The reader gets each seq once and in order. Nothing is queued during the replay: a commit in that time
// only raises the head, and the store, which is authoritative, is read again up to it.
import type { Told } from '../db/schema/told.ts';
import type { AgentActor, Subscriber } from './agent-actor.ts';
import type { RowWatch } from './row-watch.ts';

/** An event in the form that goes to the reader. */
export interface Encoded {
  readonly seq: number;
  readonly encoded: string;
}

/** Receives an event's encoding and its seq. `write` returns false once the reader is gone; `waitForDrain` resolves when it has consumed what was sent. */
export interface StreamReader {
  write(encoded: string, seq: number): boolean;
  waitForDrain(): Promise<void>;
  close(): void;
  onClose(listener: () => void): void;
}

/** The stored events after a seq, in order, as many as `limit`. */
export type Replay = (after: number, limit: number) => Promise<readonly Encoded[]>;

/** Events read at a time: one page of the largest stays well below what may be queued for a reader. */
const PAGE = 20;

/** Pages that all streams together read in one turn of the event loop, so that a hundred which open at once do not hold up
 * everything else. */
const PAGES_A_TURN = 16;

/** Lets so many callers go on in each turn of the event loop, in their order. */
class PerTurn {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #left: number;

  constructor(most: number) {
    this.#most = most;
    this.#left = most;
  }

  async go(): Promise<void> {
    if (this.#left === this.#most) setImmediate(() => this.#refill());
    if (this.#left === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#left -= 1;
  }

  #refill(): void {
    const next = this.#waiting.splice(0, this.#most);
    this.#left = this.#most - next.length;
    if (next.length > 0) setImmediate(() => this.#refill());
    for (const call of next) call();
  }
}

const pages = new PerTurn(PAGES_A_TURN);

class Follower implements Subscriber {
  readonly #reader: StreamReader;
  readonly #replay: Replay;
  /** The last seq that went to the reader. */
  #last: number;
  /** The highest seq known to be committed. */
  #head = 0;
  #live = false;
  /** Woken during the replay: the page being read may miss the commit. */
  #woken = false;
  #closed = false;

  constructor(reader: StreamReader, replay: Replay, after: number) {
    this.#reader = reader;
    this.#replay = replay;
    this.#last = after;
  }

  close(): void {
    this.#closed = true;
  }

  push(seq: number, encoded: string): void {
    this.#head = Math.max(this.#head, seq);
    if (!this.#live || seq <= this.#last) return;
    if (seq === this.#last + 1) {
      this.#last = seq;
      this.#reader.write(encoded, seq);
      return;
    }
    // Events in between were committed on another node: read them from the store.
    this.catchUp();
  }

  wake(): void {
    if (this.#live) this.catchUp();
    else this.#woken = true;
  }

  catchUp(): void {
    this.#live = false;
    // A failed read ends the stream; the reader reconnects by seq.
    this.#pages().catch(() => this.#reader.close());
  }

  async #pages(): Promise<void> {
    for (;;) {
      await pages.go();
      if (this.#closed) return;
      this.#woken = false;
      const head = this.#head;
      const page = await this.#replay(this.#last, PAGE);
      if (this.#closed) return;
      for (const { seq, encoded } of page) {
        if (!this.#reader.write(encoded, seq)) return;
        this.#last = seq;
      }
      const told = page.length < PAGE && this.#head <= this.#last;
      // An empty page may miss what was committed while it was read.
      const nothing = page.length === 0 && this.#head === head;
      if (!this.#woken && (told || nothing)) {
        this.#live = true;
        return;
      }
      // A long replay runs at the reader's pace and is not cut off as slow.
      await this.#reader.waitForDrain();
    }
  }
}

/** Lets a reader follow an agent's inbox from the event after `after` until it closes. */
export function follow(actor: AgentActor, reader: StreamReader, replay: Replay, after: number): void {
  const follower = new Follower(reader, replay, after);
  begin(follower, reader, actor.subscribe(follower));
}

/** The same for a reader with another encoding: each event is read from the store in the form that `replay` returns, and the
 * reader does not make the agent present. */
export function watch(actor: AgentActor, reader: StreamReader, replay: Replay, after: number): void {
  const follower = new Follower(reader, replay, after);
  const leave = actor.watch(() => follower.wake());
  begin(follower, reader, leave);
}

/** Lets a reader follow the numbered rows under one row, from the one after `after`: they are read from the store after each
 * commit that changed the row. It makes no agent present. */
export function watchRow(rows: RowWatch, row: Told, reader: StreamReader, replay: Replay, after: number): void {
  const follower = new Follower(reader, replay, after);
  const leave = rows.watch(row, () => follower.wake());
  begin(follower, reader, leave);
}

function begin(follower: Follower, reader: StreamReader, leave: () => void): void {
  reader.onClose(() => {
    leave();
    follower.close();
  });
  follower.catchUp();
}
