// Look-ups by key of many requests at once: those that come while a statement is on its way go out together as the next
// one. A lone look-up waits for nobody; of 64 in flight each took a statement of its own, which was two thirds of what the
// database did for a message.
import { StoreUnavailable } from '../unavailable.ts';
import type { Pool } from './pool.ts';
import type { Args, ManySelect } from './select.ts';

type Values = unknown[][];

interface Waiting {
  readonly args: Args;
  resolve(rows: Values): void;
  reject(error: unknown): void;
}

const MOST = 256;

export class Gathered {
  readonly #pool: Pool;
  readonly #select: ManySelect;
  readonly #waiting: Waiting[] = [];
  #busy = false;

  constructor(pool: Pool, select: ManySelect) {
    this.#pool = pool;
    this.#select = select;
  }

  /** What the read finds for one set of arguments. It is asked for after this is called, so it sees what was committed
   * before. */
  find(args: Args): Promise<Values> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ args, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#next());
    });
  }

  #next(): void {
    const batch = this.#waiting.splice(0, MOST);
    this.#busy = batch.length > 0;
    if (this.#busy) this.#run(batch).then(() => this.#next());
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    try {
      const found = await this.#pool.again(() => this.#ask(batch));
      for (const [i, waiting] of batch.entries()) waiting.resolve(found[i] ?? []);
    } catch (error) {
      // What came meanwhile has waited for the same database; one after the other each would wait as long again.
      const away = error instanceof StoreUnavailable ? this.#waiting.splice(0) : [];
      for (const waiting of away) waiting.reject(error);
      // What the database cannot take in one set of arguments must not take its neighbours along.
      if (batch.length === 1 || error instanceof StoreUnavailable) for (const waiting of batch) waiting.reject(error);
      else for (const waiting of batch) await this.#run([waiting]);
    }
  }

  async #ask(batch: readonly Waiting[]): Promise<Values[]> {
    const bound = this.#select.bind(batch.map(({ args }) => args));
    const rows: Values = await this.#pool.values(this.#select.text, bound);
    const found: Values[] = batch.map(() => []);
    for (const row of rows) found[Number(row.at(-1)) - 1]?.push(row);
    return found;
  }
}
