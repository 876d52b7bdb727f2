// Follows each guarded account through history: its postings are numbered from 1 without a gap, each says the balance before it and
// what was posted, and the last one is what the account now holds. So each balance is the sum of its transfers.
import type { Movement } from './day-book.ts';
import type { Problems } from './problems.ts';
import { figure, type Snapshot } from './snapshot.ts';

interface Posting {
  readonly delta: number;
  readonly after_cents: number;
}

/** Where an account stands. History is told by time, and two nodes commit in another order than they decide; what is not sealed is told
 * as it lies in its table. So a posting may come before those that its number follows. */
interface Standing {
  n: number;
  cents: number;
  waiting: Map<number, Posting> | null;
}

export class Postings {
  readonly #problems: Problems;
  readonly #standings = new Map<string, Standing>();

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** The next transfers of history. */
  follow(transfers: readonly Movement[]): void {
    for (const transfer of transfers) {
      const { debit, debit_n, debit_after_cents, credit, credit_n, credit_after_cents, amount_cents } = transfer;
      if (debit_n !== null) this.#post(debit, debit_n, -amount_cents, debit_after_cents ?? 0);
      if (credit_n !== null) this.#post(credit, credit_n, amount_cents, credit_after_cents ?? 0);
    }
  }

  #post(account: string, n: number, delta: number, after_cents: number): void {
    let standing = this.#standings.get(account);
    if (!standing) {
      standing = { n: 0, cents: 0, waiting: null };
      this.#standings.set(account, standing);
    }
    if (n === standing.n + 1) {
      this.#take(account, standing, delta, after_cents);
      if (standing.waiting) this.#takeWaiting(account, standing, standing.waiting);
    } else if (n > standing.n && !standing.waiting?.has(n)) {
      standing.waiting ??= new Map();
      standing.waiting.set(n, { delta, after_cents });
    } else {
      this.#problems.add(account, `two postings have the number ${n}`);
    }
  }

  #take(account: string, standing: Standing, delta: number, after_cents: number): void {
    standing.n += 1;
    if (standing.cents + delta !== after_cents) {
      const said = `posting ${standing.n} of ${delta} to ${standing.cents} cents`;
      this.#problems.add(account, `${said} says that ${after_cents} stood there after it`);
    }
    standing.cents = after_cents;
  }

  #takeWaiting(account: string, standing: Standing, waiting: Map<number, Posting>): void {
    for (let next = waiting.get(standing.n + 1); next; next = waiting.get(standing.n + 1)) {
      waiting.delete(standing.n + 1);
      this.#take(account, standing, next.delta, next.after_cents);
    }
    if (waiting.size === 0) standing.waiting = null;
  }

  /** Holds what accounts say of themselves to where history led them. */
  async close(snapshot: Snapshot): Promise<void> {
    for (const [account, { n, waiting }] of this.#standings) {
      if (waiting?.size) this.#problems.add(account, `posting ${Math.min(...waiting.keys())} follows posting ${n}`);
    }
    for await (const rows of snapshot.bites('SELECT id, balance_cents, postings FROM ledger_accounts')) {
      for (const { id, balance_cents, postings } of rows)
        this.#compare(String(id), figure(balance_cents), figure(postings));
    }
    for (const [account, { cents }] of this.#standings) {
      this.#problems.add(account, `its transfers come to ${cents} cents, and it has no balance`);
    }
  }

  #compare(account: string, cents: number, postings: number): void {
    const { n, cents: sum } = this.#standings.get(account) ?? { n: 0, cents: 0 };
    this.#standings.delete(account);
    if (sum === cents && n === postings) return;
    this.#problems.add(
      account,
      `it holds ${cents} cents in ${postings} postings, and its transfers come to ${sum} in ${n}`,
    );
  }
}
