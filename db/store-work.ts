// Tells the event loop's watch which synchronous work of the store runs on it, and how long each took. A watch that fails does not
// affect the work.

/** `checkpoint` is the end of a checkpoint, by the writer; `checkpoint_thread` the thread's part before, outside the event loop. */
export type StoreWork = 'commit' | 'checkpoint' | 'checkpoint_thread' | 'prune' | 'give_back_space';

export interface WorkListener {
  /** It begins on the event loop. */
  readonly began: (work: StoreWork) => void;
  readonly ended: (work: StoreWork, ms: number) => void;
}

export class StoreWatch {
  readonly #listeners: WorkListener[] = [];

  listen(listener: WorkListener): void {
    this.#listeners.push(listener);
  }

  /** Signals the start of work; returns the function that signals its end. */
  begin(work: StoreWork): () => void {
    this.#tell(({ began }) => began(work));
    const began_ms = performance.now();
    return () => this.noteEnd(work, performance.now() - began_ms);
  }

  noteEnd(work: StoreWork, ms: number): void {
    this.#tell(({ ended }) => ended(work, ms));
  }

  /** Does work that runs in one piece. */
  run<R>(work: StoreWork, run: () => R): R {
    const end = this.begin(work);
    try {
      return run();
    } finally {
      end();
    }
  }

  #tell(tell: (listener: WorkListener) => void): void {
    try {
      for (const listener of this.#listeners) tell(listener);
    } catch {
      // A log that cannot be written must not fail a commit.
    }
  }
}
