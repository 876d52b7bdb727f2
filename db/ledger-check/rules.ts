// Rules for accounts: each is a SELECT of the rows that violate it, in SQL for both engines. Literals in it are the service's own, not
// user input.
import { PLATFORM_ACCOUNTS } from '../../src/domain/money/ledger.ts';
import { figure, type Stored } from './snapshot.ts';

export interface Rule {
  sql(now_ms: number): string;
  about(row: Stored): string;
  problem(row: Stored): string;
}

const PLATFORM = PLATFORM_ACCOUNTS.map((name) => `'${name}'`).join(', ');
/** How long after its expiry a hold may still be there. */
const EXPIRED_MS = 60_000;

const account = (row: Stored): string => String(row['account']);

const BELOW_ZERO: Rule = {
  sql: () => 'SELECT id AS account, balance_cents FROM ledger_accounts WHERE balance_cents < 0',
  about: account,
  problem: (row) => `it holds ${figure(row['balance_cents'])} cents`,
};

/** Exactly the platform's sides have no balance. */
const UNNUMBERED: Rule = {
  sql: () => `
    SELECT account, min(id) AS id, count(*) AS n FROM (
      SELECT debit AS account, id FROM transfers WHERE debit_after_cents IS NULL AND debit NOT IN (${PLATFORM})
      UNION ALL SELECT credit, id FROM transfers WHERE credit_after_cents IS NULL AND credit NOT IN (${PLATFORM})
      UNION ALL SELECT debit, id FROM transfers WHERE (debit_after_cents IS NULL) <> (debit_n IS NULL)
      UNION ALL SELECT credit, id FROM transfers WHERE (credit_after_cents IS NULL) <> (credit_n IS NULL)
    ) AS wrong GROUP BY account`,
  about: account,
  problem: (row) =>
    `${figure(row['n'])} of its postings have no number or no balance, the first is ${String(row['id'])}`,
};

const HELD: Rule = {
  sql: () => `
    SELECT account, sum(held) AS held, sum(pending) AS pending FROM (
      SELECT id AS account, balance_cents AS held, 0 AS pending FROM ledger_accounts WHERE id >= 'held:' AND id < 'held;'
      UNION ALL SELECT 'held:' || agent_id, 0, amount_cents FROM holds WHERE ended_at IS NULL
    ) AS h GROUP BY account HAVING sum(held) <> sum(pending)`,
  about: account,
  problem: (row) => `it holds ${figure(row['held'])} cents, and its pending holds come to ${figure(row['pending'])}`,
};

const EXPIRED: Rule = {
  sql: (now_ms) => `
    SELECT id, agent_id, amount_cents, status, ended_at, expires_at FROM holds
    WHERE (ended_at IS NULL AND (status <> 'pending' OR expires_at < ${now_ms - EXPIRED_MS}))
      OR (ended_at IS NOT NULL AND status = 'pending')`,
  about: (row) => `held:${String(row['agent_id'])}`,
  problem: (row) =>
    `hold ${String(row['id'])} of ${figure(row['amount_cents'])} cents is ${String(row['status'])}, ended ${row['ended_at'] === null ? 'never' : figure(row['ended_at'])}, and expired at ${figure(row['expires_at'])}`,
};

const ESCROWED: Rule = {
  sql: () => `
    SELECT account, sum(held) AS held, sum(unreleased) AS unreleased, max(status) AS status FROM (
      SELECT id AS account, balance_cents AS held, 0 AS unreleased, '' AS status
      FROM ledger_accounts WHERE id >= 'escrow:' AND id < 'escrow;'
      UNION ALL SELECT 'escrow:' || id, 0, total_cents - released_cents - refunded_cents, status FROM escrows
    ) AS e GROUP BY account
    HAVING sum(held) <> sum(unreleased) OR (max(status) IN ('completed', 'refunded') AND sum(held) <> 0)`,
  about: account,
  problem: (row) =>
    `it holds ${figure(row['held'])} cents, and ${figure(row['unreleased'])} of an escrow that is ${String(row['status']) || 'not there'} are unreleased`,
};

/** The rules of accounts, besides those of their postings. */
export const ACCOUNT_RULES: readonly Rule[] = [BELOW_ZERO, UNNUMBERED, HELD, EXPIRED, ESCROWED];

/** Looked at first: where all three figures are one, no transfer lacks its journal, and no journal its transfers. */
export const TOGETHER = `
  SELECT count(*) AS moved, count(j.id) AS known, (SELECT count(*) FROM journals) AS journals
  FROM (SELECT DISTINCT journal FROM transfers) AS t LEFT JOIN journals j ON j.id = t.journal`;

const ORPHANS: Rule = {
  sql: () => `
    SELECT id, journal, amount_cents FROM transfers t
    WHERE NOT EXISTS (SELECT 1 FROM journals j WHERE j.id = t.journal)`,
  about: (row) => String(row['id']),
  problem: (row) => `this transfer of ${figure(row['amount_cents'])} cents has no journal ${String(row['journal'])}`,
};

const EMPTY: Rule = {
  sql: () => 'SELECT id FROM journals j WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.journal = j.id)',
  about: (row) => String(row['id']),
  problem: () => 'this journal has no transfers',
};

/** The rules of journals: a journal and its transfers exist together or not at all. */
export const JOURNAL_RULES: readonly Rule[] = [ORPHANS, EMPTY];
