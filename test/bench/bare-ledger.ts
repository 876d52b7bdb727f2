// What booking is compared with: a bare program that writes the rows of a payment between two wallets, prepared once, many in one
// transaction. It reads what the rows hang on and checks nothing else.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';

/** One payment, from account to account. */
export interface Payment {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount_cents: number;
}

/** As long as a digest is. */
const DIGEST = 'x'.repeat(43);

export class BareLedger {
  readonly #db: Database;
  readonly #account;
  readonly #move;
  readonly #journal;
  readonly #transfer;

  /** On a database that was migrated, with the pragmas of the store. */
  constructor(data_dir: string) {
    const db = new Database(join(data_dir, DATABASE_FILE));
    for (const pragma of [
      'busy_timeout = 5000',
      'synchronous = FULL',
      'wal_autocheckpoint = 0',
      'cache_size = -65536',
    ]) {
      db.run(`PRAGMA ${pragma}`);
    }
    this.#db = db;
    this.#account = db.prepare<{ balance_cents: number; postings: number }, [string]>(
      'SELECT balance_cents, postings FROM ledger_accounts WHERE id = ?',
    );
    this.#move = db.prepare(
      `INSERT INTO ledger_accounts (id, balance_cents, postings) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET balance_cents = excluded.balance_cents, postings = excluded.postings`,
    );
    this.#journal = db.prepare(
      'INSERT INTO journals (id, kind, subject_id, digest, created_at) VALUES (?, ?, ?, ?, ?)',
    );
    this.#transfer = db.prepare(
      `INSERT INTO transfers (id, journal, debit, credit, amount_cents, debit_after_cents, credit_after_cents, debit_n,
       credit_n, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  #posted(account: string, cents: number): { balance_cents: number; postings: number } | null {
    if (!account.includes(':')) return null;
    const row = this.#account.get(account);
    const after = { balance_cents: (row?.balance_cents ?? 0) + cents, postings: (row?.postings ?? 0) + 1 };
    this.#move.run(account, after.balance_cents, after.postings);
    return after;
  }

  /** Books a group in one transaction. */
  book(payments: readonly Payment[], now_ms: number): void {
    this.#db.run('BEGIN IMMEDIATE');
    for (const { id, from, to, amount_cents } of payments) {
      const [debit, credit] = [this.#posted(from, -amount_cents), this.#posted(to, amount_cents)];
      this.#journal.run(id, 'send', id, DIGEST, now_ms);
      const after = [debit?.balance_cents ?? null, credit?.balance_cents ?? null];
      const numbers = [debit?.postings ?? null, credit?.postings ?? null];
      this.#transfer.run(`${id}.001`, id, from, to, amount_cents, ...after, ...numbers, now_ms);
    }
    this.#db.run('COMMIT');
  }

  /** Writes the sends and the fundings whose journals it booked, without which a check finds money that moved for nothing. */
  addRows(): void {
    this.#db.run('BEGIN IMMEDIATE');
    this.#db.run(
      `INSERT INTO sends (id, from_id, to_id, amount_cents, created_at, version)
       SELECT substr(t.journal, 6), substr(t.debit, 8), substr(t.credit, 8), t.amount_cents, t.created_at, 1 FROM transfers t
       WHERE t.journal >= 'send:' AND t.journal < 'send;' AND NOT EXISTS (SELECT 1 FROM sends s WHERE s.id = substr(t.journal, 6))`,
    );
    this.#db.run(
      `INSERT INTO fundings (id, agent_id, account_id, amount_cents, processor, status, paid_at, ended_at, created_at, version)
       SELECT substr(t.journal, 6), substr(t.credit, 8), substr(t.credit, 8), t.amount_cents, 'sandbox', 'paid', t.created_at,
         t.created_at, t.created_at, 1 FROM transfers t
       WHERE t.journal >= 'fund:' AND t.journal < 'fund;' AND NOT EXISTS (SELECT 1 FROM fundings f WHERE f.id = substr(t.journal, 6))`,
    );
    this.#db.run('COMMIT');
  }

  /** Copies the log into the file, as the store does between its groups. */
  checkpoint(): void {
    this.#db.run('PRAGMA wal_checkpoint(PASSIVE)');
  }

  close(): void {
    this.#db.close();
  }
}
