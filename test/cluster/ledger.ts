// What the clients of the fault test wrote and were answered, for the checks afterwards; and how far they have come,
// which is what the faults wait for instead of the clock.

/** One write with its Idempotency-Key, as it was finally answered. */
export interface Write {
  readonly key: string;
  readonly client: number;
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
  readonly reply: string;
  readonly tries: number;
}

export class Ledger {
  readonly writes: Write[] = [];
  /** Sentences on what must not happen, such as an answer 500. */
  readonly problems: string[] = [];
  readonly #waiting: { readonly at: number; readonly resolve: () => void }[] = [];

  add(write: Write): void {
    this.writes.push(write);
    for (const { at, resolve } of this.#waiting) if (this.writes.length >= at) resolve();
  }

  /** Resolves once so many more writes were answered. */
  more(count: number): Promise<void> {
    const at = this.writes.length + count;
    return new Promise((resolve) => this.#waiting.push({ at, resolve }));
  }
}
