// An error that ends a demo: one line that says what is wrong and what to do about it.

/** A problem with the exit status that it ends with: 2 when the caller has to change something first, else 1. */
export class DemoProblem extends Error {
  readonly status: 1 | 2;

  constructor(status: 1 | 2, message: string) {
    super(message);
    this.status = status;
  }
}
