// How a broken invariant is told: with the seed, the step and what was done last, so that anybody can run it again.

export class SimFailure extends Error {
  constructor(what: string, detail?: unknown) {
    super(detail === undefined ? what : `${what}: ${JSON.stringify(detail, null, 1)}`);
    this.name = 'SimFailure';
  }
}

/** Throws unless a condition holds. */
export function must(holds: boolean, what: string, detail?: unknown): asserts holds {
  if (!holds) throw new SimFailure(what, detail);
}

/** Throws when a list of offenders is not empty, showing the first few. */
export function none(offenders: readonly unknown[], what: string): void {
  if (offenders.length > 0) throw new SimFailure(`${what} (${offenders.length})`, offenders.slice(0, 3));
}
