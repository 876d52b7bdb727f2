// What follows a commit that stands: listeners are told, indexes take over what was written, the log is copied. The rule
// kept here is that nothing of this can undo, repeat or keep back what is on disk: what fails is told and counted, and the
// rest goes on.
import type { CommitNotice, Trouble } from './store.ts';

export class AfterCommit {
  readonly #listeners: ((notice: CommitNotice) => unknown)[] = [];
  readonly #told: ((trouble: Trouble, error: unknown) => void)[] = [];
  readonly #counts: Record<Trouble, number> = { listener: 0, index: 0, checkpoint: 0, mark: 0 };

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

  /** Tells every listener, whatever the others do. */
  tell(notice: CommitNotice): void {
    for (const listener of this.#listeners) this.attempt('listener', () => listener(notice));
  }

  /** Does what may fail without harm to what is committed. */
  attempt(trouble: Trouble, work: () => unknown): void {
    try {
      const working = work();
      if (working instanceof Promise) working.catch((error: unknown) => this.reportTrouble(trouble, error));
    } catch (error) {
      this.reportTrouble(trouble, error);
    }
  }

  /** Counts and tells what went wrong. Never throws. */
  reportTrouble(trouble: Trouble, error: unknown): void {
    this.#counts[trouble] += 1;
    try {
      for (const told of this.#told) told(trouble, error);
    } catch {
      // A log that cannot be written is no reason either; the count tells.
    }
  }
}
