// The work after a commit: listeners are called, indexes are updated, the log is checkpointed. None of it can undo, repeat or
// delay what is on disk: failures are reported and counted, and the rest continues.
import type { CommitNotice, Trouble } from './store.ts';

export class AfterCommit {
  readonly #listeners: ((notice: CommitNotice) => unknown)[] = [];
  readonly #told: ((trouble: Trouble, error: unknown) => void)[] = [];
  readonly #counts: Record<Trouble, number> = { listener: 0, index: 0, checkpoint: 0, sync: 0, mark: 0 };

  /** How often each thing went wrong. */
  get troubles(): Readonly<Record<Trouble, number>> {
    return this.#counts;
  }

  onCommit(listener: (notice: CommitNotice) => unknown): void {
    this.#listeners.push(listener);
  }

  onTrouble(listener: (trouble: Trouble, error: unknown) => void): void {
    this.#told.push(listener);
  }

  /** Calls every listener, even if others throw. */
  tell(notice: CommitNotice): void {
    for (const listener of this.#listeners) this.attempt('listener', () => listener(notice));
  }

  /** Runs work whose failure must not affect the commit. */
  attempt(trouble: Trouble, work: () => unknown): void {
    try {
      const working = work();
      if (working instanceof Promise) working.catch((error: unknown) => this.reportTrouble(trouble, error));
    } catch (error) {
      this.reportTrouble(trouble, error);
    }
  }

  /** Counts and reports a failure. Never throws. */
  reportTrouble(trouble: Trouble, error: unknown): void {
    this.#counts[trouble] += 1;
    try {
      for (const told of this.#told) told(trouble, error);
    } catch {
      // A failing log is ignored; the counter shows the failure.
    }
  }
}
