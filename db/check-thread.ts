// Runs checks of the stored data in a thread, so that no request is delayed. Concurrent callers share one check.
import type { LedgerChecked } from './ledger-check/problems.ts';
import type { RowsChecked } from './row-check/check.ts';

/** The result of a check of the database file. */
export interface FileChecked {
  readonly ok: boolean;
  /** SQLite's messages, up to a maximum. */
  readonly problems: readonly string[];
}

/** The checks, each with its answer. */
interface Checks {
  readonly ledger: LedgerChecked;
  readonly rows: RowsChecked;
  readonly file: FileChecked;
}

export interface CheckAsked {
  readonly check: keyof Checks;
  /** The file, or the database's URL. */
  readonly where: string;
  readonly now_ms: number;
}

export type CheckAnswered = { readonly checked: Checks[keyof Checks] } | { readonly failed: string };

export class CheckThread<C extends keyof Checks> {
  readonly #check: C;
  readonly #open: () => Worker;
  readonly #where: string;
  #worker: Worker | null = null;
  #running: Promise<Checks[C]> | null = null;
  #stop: (() => void) | null = null;

  /** `open` makes the adapter's own thread. */
  constructor(check: C, where: string, open: () => Worker) {
    this.#check = check;
    this.#where = where;
    this.#open = open;
  }

  check(now_ms: number): Promise<Checks[C]> {
    this.#running ??= this.#ask(now_ms).finally(() => this.#end());
    return this.#running;
  }

  #ask(now_ms: number): Promise<Checks[C]> {
    const { promise, resolve, reject } = Promise.withResolvers<Checks[C]>();
    const fail = (why: string): void => reject(new Error(`the check could not be finished: ${why}`));
    const worker = this.#open();
    this.#worker = worker;
    this.#stop = () => fail('the store was closed meanwhile');
    worker.onmessage = ({ data }: MessageEvent<CheckAnswered>) => {
      // The thread runs only this check.
      if ('checked' in data) resolve(data.checked as Checks[C]);
      else fail(data.failed);
    };
    worker.onerror = ({ message }) => fail(message);
    const asked: CheckAsked = { check: this.#check, where: this.#where, now_ms };
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
