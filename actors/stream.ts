// One reader's way through an inbox, or through the updates of one row: what is stored is replayed in pages, then committed events are passed on as they
// come. The rule kept here is that it gets each seq once and in order. Nothing is queued aside while it replays: a
// commit that comes meanwhile only raises the head, and the store is read again up to it, because the truth is there.
import type { Told } from '../db/schema/told.ts';
import type { AgentActor, Subscriber } from './agent-actor.ts';
import type { RowWatch } from './row-watch.ts';

/** An event in the form that goes to the reader. */
export interface Encoded {
  readonly seq: number;
  readonly encoded: string;
}

/** Where it goes: an event's encoded form and its seq. `write` answers false once the reader is gone; `waitForDrain` resolves when it has taken what it was sent. */
export interface StreamReader {
  write(encoded: string, seq: number): boolean;
  waitForDrain(): Promise<void>;
  close(): void;
  onClose(listener: () => void): void;
}

/** The stored events after a seq, in order, as many as `limit`. */
export type Replay = (after: number, limit: number) => Promise<readonly Encoded[]>;

/** Events read from the store at a time: one page of the largest stays well below what may be queued for a reader. */
const PAGE = 20;

class Follower implements Subscriber {
  readonly #reader: StreamReader;
  readonly #replay: Replay;
  /** The last seq that went to the reader. */
  #last: number;
  /** The highest seq that is known to be committed. */
  #head = 0;
  #live = false;
  /** Woken while it replays: what it reads may be older than that. */
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
    // Something between was committed where this process did not see it: the store has it.
    this.catchUp();
  }

  wake(): void {
    if (this.#live) this.catchUp();
    else this.#woken = true;
  }

  catchUp(): void {
    this.#live = false;
    // A store that cannot be read ends the stream; the reader comes back by seq.
    this.#pages().catch(() => this.#reader.close());
  }

  async #pages(): Promise<void> {
    for (;;) {
      this.#woken = false;
      const head = this.#head;
      const page = await this.#replay(this.#last, PAGE);
      if (this.#closed) return;
      for (const { seq, encoded } of page) {
        if (!this.#reader.write(encoded, seq)) return;
        this.#last = seq;
      }
      const told = page.length < PAGE && this.#head <= this.#last;
      // What was committed while an empty page was read may not be in it.
      const nothing = page.length === 0 && this.#head === head;
      if (!this.#woken && (told || nothing)) {
        this.#live = true;
        return;
      }
      // A long replay goes at the reader's pace; it is not cut for having much to read.
      await this.#reader.waitForDrain();
    }
  }
}

/** Lets a reader follow an agent's inbox from the event after `after` until it closes. */
export function follow(actor: AgentActor, reader: StreamReader, replay: Replay, after: number): void {
  const follower = new Follower(reader, replay, after);
  begin(follower, reader, actor.subscribe(follower));
}

/** The same for a reader who takes events in another form: each is read from the store, in the form that `replay` gives
 * it, and the agent is not present by it. */
export function watch(actor: AgentActor, reader: StreamReader, replay: Replay, after: number): void {
  const follower = new Follower(reader, replay, after);
  const leave = actor.watch(() => follower.wake());
  begin(follower, reader, leave);
}

/** Lets a reader follow what one row heads, from what comes after `after`: each is read from the store when a commit changed
 * the row. Nobody is present by it. */
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
