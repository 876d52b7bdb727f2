// Checks all of history in order: follows each account, and compares each sealed day with its seal. Journals are ordered by time, then
// id, so a day is a range of them.
import { beginOf, dayAfter, dayOf } from '../../src/domain/text/day.ts';
import {
  ApprovalsHash,
  DayBook,
  type DaySeal,
  type DaySum,
  type Movement,
  type SealedApproval,
  type SealedTransfer,
  sealHash,
  sumsHash,
} from './day-book.ts';
import type { Problems } from './problems.ts';
import { figure, type Snapshot, type Stored } from './snapshot.ts';

interface Posting {
  readonly delta: number;
  readonly after_cents: number;
}

/** The state of an account. Sealed history is read by time, and two nodes may commit in another order than they decide; unsealed history
 * is read in table order. So a posting may come before its predecessors by number. */
interface Standing {
  n: number;
  cents: number;
  waiting: Map<number, Posting> | null;
}

class Postings {
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

/** The journals before a time, in order. */
const sealedHistory = (until_ms: number): string => `
  SELECT j.id AS journal, j.kind, j.subject_id, j.created_at, t.id, t.debit, t.credit, t.amount_cents,
    t.debit_after_cents, t.credit_after_cents, t.debit_n, t.credit_n
  FROM journals j JOIN transfers t ON t.journal = j.id
  WHERE j.created_at < ${until_ms}
  ORDER BY j.created_at, j.id, t.id`;
/** The journals since, in table order: only the accounts are checked, which needs a third of the columns. */
const openHistory = (since_ms: number): string => `
  SELECT debit, credit, amount_cents, debit_after_cents, credit_after_cents, debit_n, credit_n
  FROM transfers WHERE created_at >= ${since_ms}`;

const orNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** SQLite gives numbers as they are, PostgreSQL as text. */
const isPlain = (row: Stored): boolean => typeof row['amount_cents'] === 'number';

function movementOf(row: Stored): Movement {
  if (isPlain(row)) return row as unknown as Movement;
  return {
    debit: String(row['debit']),
    credit: String(row['credit']),
    amount_cents: figure(row['amount_cents']),
    debit_after_cents: orNull(row['debit_after_cents']),
    credit_after_cents: orNull(row['credit_after_cents']),
    debit_n: orNull(row['debit_n']),
    credit_n: orNull(row['credit_n']),
  };
}

function transferOf(row: Stored): SealedTransfer {
  if (isPlain(row)) return row as unknown as SealedTransfer;
  return {
    ...movementOf(row),
    journal: String(row['journal']),
    kind: String(row['kind']),
    subject_id: row['subject_id'] === null ? null : String(row['subject_id']),
    created_at: figure(row['created_at']),
    id: String(row['id']),
  };
}

function sealOf(row: Stored): DaySeal {
  return {
    id: String(row['id']),
    journals: figure(row['journals']),
    transfers: figure(row['transfers']),
    amount_cents: figure(row['amount_cents']),
    journals_hash: String(row['journals_hash']),
    sums_hash: String(row['sums_hash']),
    approvals_hash: row['approvals_hash'] === null ? null : String(row['approvals_hash']),
    previous: String(row['previous']),
    hash: String(row['hash']),
  };
}

const APPROVALS_BITE = 1_000;

function approvalOf(row: Stored): SealedApproval {
  const text = (name: string): string => String(row[name]);
  return {
    id: text('id'),
    agent_id: text('agent_id'),
    subject: text('subject'),
    subject_id: text('subject_id'),
    decision: text('decision'),
    amount_cents: figure(row['amount_cents']),
    by: text('by'),
    credential_id: row['credential_id'] === null ? null : text('credential_id'),
    bounds: text('bounds'),
    created_at: figure(row['created_at']),
  };
}

/** Holds the days to their seals, one after the other. */
class Days {
  readonly #snapshot: Snapshot;
  readonly #problems: Problems;
  /** Sealed days that are still to come, in order. */
  readonly #seals: DaySeal[];
  /** The balances of accounts at the end of the last checked day. */
  readonly #balances = new Map<string, number>();
  #last: DaySeal | null = null;
  /** The first day has no predecessor. */
  #book = new DayBook('');

  constructor(snapshot: Snapshot, problems: Problems, seals: readonly DaySeal[]) {
    this.#snapshot = snapshot;
    this.#problems = problems;
    this.#seals = [...seals];
  }

  async #storedSums(day: string): Promise<DaySum[]> {
    const sql = `SELECT account, balance_cents FROM ledger_sums WHERE id >= '${day}:' AND id < '${day};' ORDER BY id`;
    const rows = await this.#snapshot.rows(sql);
    return rows.map((row) => ({ account: String(row['account']), balance_cents: figure(row['balance_cents']) }));
  }

  async #approvals(day: string): Promise<string> {
    const hash = new ApprovalsHash();
    const to = beginOf(dayAfter(day));
    let after = { at: beginOf(day), id: '' };
    for (;;) {
      const sql = `SELECT id, agent_id, subject, subject_id, decision, amount_cents, "by", credential_id, bounds, created_at
        FROM approvals WHERE created_at < ${to} AND (created_at > ${after.at} OR (created_at = ${after.at} AND id > '${after.id}'))
        ORDER BY created_at, id LIMIT ${APPROVALS_BITE}`;
      const rows = (await this.#snapshot.rows(sql)).map(approvalOf);
      hash.add(rows);
      const last = rows.at(-1);
      if (!last || rows.length < APPROVALS_BITE) return hash.end();
      after = { at: last.created_at, id: last.id };
    }
  }

  #sums(book: DayBook): DaySum[] {
    return book
      .net()
      .map(([account, cents]) => ({ account, balance_cents: (this.#balances.get(account) ?? 0) + cents }));
  }

  #links(seal: DaySeal): void {
    const last = this.#last;
    if (seal.hash !== sealHash(seal)) this.#problems.add(seal.id, 'the seal of this day was altered');
    if (seal.previous !== (last?.hash ?? ''))
      this.#problems.add(seal.id, 'the seal of this day does not follow the one before it');
    if (last && seal.id !== dayAfter(last.id))
      this.#problems.add(seal.id, `between this day and ${last.id} no day is sealed`);
    this.#last = seal;
  }

  async #check(seal: DaySeal, book: DayBook): Promise<void> {
    this.#links(seal);
    const stored = await this.#storedSums(seal.id);
    const found = book.seal(this.#sums(book), seal.approvals_hash, seal.previous);
    if (found.journals_hash !== seal.journals_hash) {
      const said = ({ journals, transfers, amount_cents }: DaySeal): string =>
        `${journals} journals with ${transfers} transfers of ${amount_cents} cents`;
      this.#problems.add(
        seal.id,
        `the history of this day was altered: there are ${said(found)}, sealed were ${said(seal)}`,
      );
    } else if (found.sums_hash !== seal.sums_hash) {
      this.#problems.add(seal.id, 'the journals of this day do not lead to the balances that were sealed');
    }
    if (seal.approvals_hash !== null && (await this.#approvals(seal.id)) !== seal.approvals_hash)
      this.#problems.add(seal.id, 'the approvals of this day are not those that were sealed');
    if (sumsHash(stored) !== seal.sums_hash)
      this.#problems.add(seal.id, 'the balances that are kept of this day are not those that were sealed');
    // A problem of this day is not reported again for each later day.
    for (const { account, balance_cents } of stored) this.#balances.set(account, balance_cents);
  }

  /** The next transfers of history, of one day. */
  async take(day: string, transfers: readonly SealedTransfer[]): Promise<void> {
    if (this.#book.day !== day) {
      await this.#end();
      this.#book = new DayBook(day);
    }
    this.#book.add(transfers);
  }

  /** A day has been gone through; those before it that had no journals are over too. */
  async #end(): Promise<void> {
    for (let seal = this.#seals[0]; seal && seal.id <= this.#book.day; seal = this.#seals[0]) {
      this.#seals.shift();
      await this.#check(seal, seal.id === this.#book.day ? this.#book : new DayBook(seal.id));
    }
  }

  /** Nothing is left of history. */
  async close(): Promise<void> {
    await this.#end();
    for (const seal of this.#seals) await this.#check(seal, new DayBook(seal.id));
  }
}

/** The transfers of one bite by their days, in order. */
function* byDay(transfers: readonly SealedTransfer[]): Generator<readonly [day: string, readonly SealedTransfer[]]> {
  let from = 0;
  while (from < transfers.length) {
    const day = dayOf(transfers[from]?.created_at ?? 0);
    const ends = beginOf(dayAfter(day));
    let to = from + 1;
    while (to < transfers.length && (transfers[to]?.created_at ?? 0) < ends) to += 1;
    yield [day, transfers.slice(from, to)];
    from = to;
  }
}

/**
 * Reads history once: each account over all of it, and each sealed day in its own range. The unsealed rest, often most of a busy day, is
 * read without its journals.
 */
export async function checkHistory(snapshot: Snapshot, problems: Problems): Promise<void> {
  const seals = (await snapshot.rows('SELECT * FROM ledger_days ORDER BY id')).map(sealOf);
  const days = new Days(snapshot, problems, seals);
  const postings = new Postings(problems);
  const last = seals.at(-1);
  const open_ms = last ? beginOf(dayAfter(last.id)) : 0;
  if (last) {
    for await (const rows of snapshot.bites(sealedHistory(open_ms))) {
      const transfers = rows.map(transferOf);
      postings.follow(transfers);
      for (const [day, ofDay] of byDay(transfers)) await days.take(day, ofDay);
    }
  }
  for await (const rows of snapshot.bites(openHistory(open_ms))) postings.follow(rows.map(movementOf));
  await postings.close(snapshot);
  await days.close();
}
