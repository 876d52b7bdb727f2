// The result of a check of the ledger: total figures, and problems up to a maximum.

/** As many as are worth reading: where more is wrong, the first of them lead to the rest. */
const PROBLEMS_MAX = 100;

export interface Problem {
  /** The account, day, hold, escrow or journal that it is about. */
  readonly about: string;
  /** The problem, with its figures. */
  readonly problem: string;
}

export interface LedgerChecked {
  readonly ok: boolean;
  readonly accounts: number;
  readonly transfers: number;
  /** All balances together: nothing, unless money was made or lost. */
  readonly sum_cents: number;
  readonly problems: readonly Problem[];
}

/** Collects problems up to the maximum. */
export class Problems {
  readonly found: Problem[] = [];

  get room(): number {
    return PROBLEMS_MAX - this.found.length;
  }

  add(about: string, problem: string): void {
    if (this.room > 0) this.found.push({ about, problem });
  }
}
