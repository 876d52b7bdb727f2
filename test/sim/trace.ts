// What happened in a run, step by step: the last steps as text for a failure, and a hash of all of them, by which two
// runs of one seed are compared.

/** Steps told with a failure. */
const TOLD = 12;
/** Cut in the text; the hash takes all of it. */
const LINE_MAX = 700;

/** What differs between two runs of one seed: ids that the door draws, and how long a computation took. */
const VOLATILE = /"(?:request_id|took_ms|latency_ms|typical_latency_ms)":(?:"[^"]*"|[\d.]+)/g;

export class Trace {
  readonly #hasher = new Bun.CryptoHasher('sha256');
  readonly #lines: string[] = [];
  readonly #whole: boolean;

  /** `whole` keeps every line for printing, else only the last ones. */
  constructor(whole = false) {
    this.#whole = whole;
  }

  note(line: string): void {
    const stable = line.replaceAll(VOLATILE, '');
    this.#hasher.update(stable);
    this.#lines.push(stable.length > LINE_MAX ? `${stable.slice(0, LINE_MAX)}…` : stable);
    if (!this.#whole && this.#lines.length > TOLD) this.#lines.shift();
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  hash(): string {
    return this.#hasher.copy().digest('hex');
  }
}
