// Asks a thread for a check of the ledger: no request waits for it. Whoever asks while one is under way gets its answer.
import type { LedgerChecked } from './problems.ts';

export interface CheckAsked {
  /** The file, or the database's URL. */
  readonly where: string;
  readonly now_ms: number;
}

export type CheckAnswered = { readonly checked: LedgerChecked } | { readonly failed: string };

export class LedgerThread {
  readonly #open: () => Worker;
  readonly #where: string;
  #worker: Worker | null = null;
  #running: Promise<LedgerChecked> | null = null;
  #stop: (() => void) | null = null;

  /** `open` makes the adapter's own thread. */
  constructor(where: string, open: () => Worker) {
    this.#where = where;
    this.#open = open;
  }

  check(now_ms: number): Promise<LedgerChecked> {
    this.#running ??= this.#ask(now_ms).finally(() => this.#end());
    return this.#running;
  }

  #ask(now_ms: number): Promise<LedgerChecked> {
    const { promise, resolve, reject } = Promise.withResolvers<LedgerChecked>();
    const worker = this.#open();
    this.#worker = worker;
    this.#stop = () => reject(new Error('the store was closed while the ledger was checked'));
    worker.onmessage = ({ data }: MessageEvent<CheckAnswered>) => {
      if ('checked' in data) resolve(data.checked);
      else reject(new Error(`the ledger could not be checked: ${data.failed}`));
    };
    worker.onerror = ({ message }) => reject(new Error(`the ledger could not be checked: ${message}`));
    const asked: CheckAsked = { where: this.#where, now_ms };
    worker.postMessage(asked);
    return promise;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = null;
    this.#stop = null;
  }

  close(): void {
    this.#stop?.();
  }
}
