// What a planted fault is: one place in the service, made wrong by hand in a way that somebody might by accident, and the
// test files that have to notice. The lists beside this file are sorted by what the faults are about.

/** One fault. `find` stands exactly once in `file`. */
export interface Fault {
  /** What goes wrong, in a few words; also what `--only` takes. */
  readonly name: string;
  /** From the root of the checkout. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Test files that keep what the fault breaks; the smallest that do. */
  readonly tests: readonly string[];
  /** Set where only the clustered store shows it. */
  readonly on?: 'postgres';
}

/** How often a text stands in another. */
export function occurrences(text: string, wanted: string): number {
  return text.split(wanted).length - 1;
}
