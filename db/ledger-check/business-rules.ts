// Rules between journals and the rows for which they moved money: fundings, payouts, fees. Journals are found by the prefix of their
// ids, which is a range of their key.
import { RATE_NOTE } from '../../src/domain/identity/plan.ts';
import type { Rule } from './rules.ts';
import { figure, within } from './snapshot.ts';

/** Journals of one kind with their amounts: in all, to the platform as a fee, and back to the payer. */
const feesOf = (kind: string): string => `
  SELECT j.id, j.kind, j.subject_id, sum(t.amount_cents) AS cents,
    sum(CASE WHEN t.credit = 'platform_fees' THEN t.amount_cents ELSE 0 END) AS fee,
    sum(CASE WHEN t.credit = 'wallet:' || coalesce(e.buyer_id, h.agent_id) THEN t.amount_cents ELSE 0 END) AS back
  FROM journals j JOIN transfers t ON t.journal = j.id
    LEFT JOIN escrows e ON e.id = j.subject_id LEFT JOIN holds h ON h.id = j.subject_id
  WHERE ${within('j.id', kind)}
  GROUP BY j.id, j.kind, j.subject_id`;
const ESCROW_FEES_OF = `${feesOf('release')} UNION ALL ${feesOf('settle')}`;
const CHARGE_FEES_OF = feesOf('charge');
const FEES = `${ESCROW_FEES_OF} UNION ALL ${CHARGE_FEES_OF} UNION ALL ${feesOf('hold_settle')}`;

/** The rates of the interface's plans, and those that this service has had besides (`service_notes`). */
const RATES = `SELECT 500 AS bps UNION ALL SELECT 300
  UNION ALL SELECT CAST(substr(id, ${RATE_NOTE.length + 1}) AS BIGINT) FROM service_notes WHERE id LIKE '${RATE_NOTE}%'`;

/** By the seller's plan of that moment, rounded down. */
const FLOORED: Rule = {
  sql: () => `
    SELECT id, fee, cents - back AS paid FROM (${FEES}) AS f
    WHERE NOT EXISTS (SELECT 1 FROM (${RATES}) AS r WHERE fee = CAST(cents - back AS BIGINT) * r.bps / 10000)`,
  about: (row) => String(row['id']),
  problem: (row) => `its fee is ${figure(row['fee'])} cents of ${figure(row['paid'])}, which is no plan's`,
};

const ESCROW_FEES: Rule = {
  sql: () => `
    SELECT e.id, e.fee_cents, e.released_cents, coalesce(f.fee, 0) AS fee, coalesce(f.paid, 0) AS paid
    FROM escrows e LEFT JOIN (
      SELECT subject_id, sum(fee) AS fee, sum(cents - back) AS paid FROM (${ESCROW_FEES_OF}) AS journals GROUP BY subject_id
    ) AS f ON f.subject_id = e.id
    WHERE e.fee_cents <> coalesce(f.fee, 0) OR e.released_cents <> coalesce(f.paid, 0)`,
  about: (row) => `escrow:${String(row['id'])}`,
  problem: (row) =>
    `it says ${figure(row['released_cents'])} cents released with ${figure(row['fee_cents'])} of fees, and its journals ${figure(row['paid'])} with ${figure(row['fee'])}`,
};

/** A charge that succeeded has its journal, and a journal its charge. */
const CHARGES: Rule = {
  sql: () => `
    SELECT id, sum(amount) AS amount, sum(fee) AS fee, sum(cents) AS cents, sum(taken) AS taken FROM (
      SELECT 'charge:' || subscription_id || ':' || CAST(period AS TEXT) AS id,
        amount_cents AS amount, fee_cents AS fee, 0 AS cents, 0 AS taken
      FROM subscription_charges WHERE status = 'succeeded'
      UNION ALL SELECT id, 0, 0, cents, fee FROM (${CHARGE_FEES_OF}) AS journals
    ) AS c GROUP BY id HAVING sum(amount) <> sum(cents) OR sum(fee) <> sum(taken)`,
  about: (row) => String(row['id']),
  problem: (row) =>
    `its row says ${figure(row['amount'])} cents with ${figure(row['fee'])} of fees, its journal ${figure(row['cents'])} with ${figure(row['taken'])}`,
};

/** Each payment at the processor equals its funding. */
const FUNDED: Rule = {
  sql: () => `
    SELECT id, sum(paid) AS paid, sum(booked) AS booked FROM (
      SELECT 'fund:' || id AS id, amount_cents AS paid, 0 AS booked FROM fundings WHERE status = 'paid'
      UNION ALL SELECT journal, 0, amount_cents FROM transfers WHERE debit = 'processor' AND debit_after_cents IS NULL
        AND ${within('journal', 'fund')}
    ) AS f GROUP BY id HAVING sum(paid) <> sum(booked)`,
  about: (row) => String(row['id']),
  problem: (row) =>
    `its funding was paid with ${figure(row['paid'])} cents, and ${figure(row['booked'])} are booked from the processor`,
};

/** The rest of a wallet goes to the platform only when the account of its agent was deleted. */
const FORFEITED: Rule = {
  sql: () => `
    SELECT t.journal, t.debit, t.credit, t.amount_cents FROM transfers t
      LEFT JOIN agents a ON t.debit = 'wallet:' || a.id AND t.journal = 'forfeit:' || a.id
      LEFT JOIN accounts c ON c.id = a.account_id
    WHERE ${within('t.journal', 'forfeit')} AND (c.deleted_at IS NULL OR t.credit <> 'platform_fees')`,
  about: (row) => String(row['journal']),
  problem: (row) =>
    `it takes ${figure(row['amount_cents'])} cents from ${String(row['debit'])} for ${String(row['credit'])}, and no account was deleted for it`,
};

/** Exactly the proceeds of sales are marked as earned. */
const EARNED: Rule = {
  sql: () => `
    SELECT t.id, t.credit, t.earned FROM transfers t LEFT JOIN escrows e ON e.id =
      (SELECT j.subject_id FROM journals j WHERE j.id = t.journal)
    WHERE (${['release', 'settle', 'charge'].map((kind) => within('t.journal', kind)).join(' OR ')} OR t.earned = 1)
      AND t.earned <> CASE WHEN t.credit = 'wallet:' || e.seller_id
        OR (${within('t.journal', 'charge')} AND t.credit LIKE 'wallet:%') THEN 1 ELSE 0 END`,
  about: (row) => String(row['id']),
  problem: (row) =>
    `it ${figure(row['earned']) === 1 ? 'counts' : 'does not count'} to the earnings of ${String(row['credit'])}`,
};

const EARNED_DAYS: Rule = {
  sql: () => `
    SELECT id, sum(said) AS said, sum(booked) AS booked FROM (
      SELECT id, cents AS said, 0 AS booked FROM earned_days
      UNION ALL SELECT substr(credit, 8) || ':' || CAST(created_at / 86400000 AS TEXT), 0, amount_cents
      FROM transfers WHERE earned = 1
    ) AS e GROUP BY id HAVING sum(said) <> sum(booked)`,
  about: (row) => `earned:${String(row['id'])}`,
  problem: (row) => `its sum is ${figure(row['said'])} cents, and its transfers come to ${figure(row['booked'])}`,
};

/** Unresolved differences from the processor's books. */
const DIFFERENCES: Rule = {
  sql: () =>
    'SELECT day, object_id, problem, ours_cents, theirs_cents FROM processor_differences WHERE resolved_at IS NULL',
  about: (row) => `processor ${String(row['day'])}`,
  problem: (row) =>
    `${String(row['object_id'])}: ${String(row['problem'])}: ${figure(row['ours_cents'])} cents here, ${figure(row['theirs_cents'])} there`,
};

/** Those of what money moved for. */
export const BUSINESS_RULES: readonly Rule[] = [
  FLOORED,
  ESCROW_FEES,
  CHARGES,
  FUNDED,
  FORFEITED,
  EARNED,
  EARNED_DAYS,
  DIFFERENCES,
];
