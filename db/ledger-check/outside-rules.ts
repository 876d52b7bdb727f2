// Rules for money from and to the outside: sends between wallets, payouts, chargebacks and their debts, plans, fees of the processor.
// With the fundings (business-rules.ts) these are all that may touch the accounts of the outside, so that each of those accounts
// is the sum of its rows.
import type { Rule } from './rules.ts';
import { figure, within } from './snapshot.ts';

/** The row of a send, and the one transfer of its journal. Each transfer is looked up by its send; were a send without any, there
 * would be more of them than transfers, and only then they are gone through. */
const SENDS: Rule = {
  sql: () => `
    SELECT t.journal AS id, coalesce(s.amount_cents, 0) AS said, t.amount_cents AS booked
    FROM transfers t LEFT JOIN sends s ON s.id = substr(t.journal, 6)
    WHERE ${within('t.journal', 'send')} AND (s.id IS NULL OR s.amount_cents <> t.amount_cents
      OR t.debit <> 'wallet:' || s.from_id OR t.credit <> 'wallet:' || s.to_id)
    UNION ALL
    SELECT 'send:' || s.id, s.amount_cents, 0 FROM sends s
    WHERE (SELECT count(*) FROM sends) <> (SELECT count(*) FROM transfers WHERE ${within('journal', 'send')})
      AND (SELECT count(*) FROM transfers t WHERE t.journal = 'send:' || s.id) <> 1`,
  about: (row) => String(row['id']),
  problem: (row) =>
    `its send says ${figure(row['said'])} cents, and ${figure(row['booked'])} are booked, or between others`,
};

/** How a payout's journals begin, with the place where its id does. */
const PAYOUT_KINDS = ['payout', 'payout_sent', 'payout_reversed'] as const;
const OUTSIDE = "CASE p.rail WHEN 'bank' THEN 'processor' ELSE 'chain' END";

/** The amounts of payout journals of one kind: taken from the wallet, given back, in transit, paid out. */
const payoutMoves = (kind: string): string => `
  SELECT substr(t.journal, ${kind.length + 2}) AS id,
    CASE WHEN t.debit = 'wallet:' || p.agent_id THEN -t.amount_cents ELSE 0 END AS taken,
    CASE WHEN t.credit = 'wallet:' || p.agent_id THEN -t.amount_cents ELSE 0 END AS back,
    CASE 'payouts' WHEN t.credit THEN -t.amount_cents WHEN t.debit THEN t.amount_cents ELSE 0 END AS waiting,
    CASE ${OUTSIDE} WHEN t.credit THEN -t.amount_cents WHEN t.debit THEN t.amount_cents ELSE 0 END AS outside,
    CASE WHEN p.id IS NULL OR t.debit NOT IN ('wallet:' || p.agent_id, 'payouts', ${OUTSIDE})
      OR t.credit NOT IN ('wallet:' || p.agent_id, 'payouts', ${OUTSIDE}) THEN 1 ELSE 0 END AS strange
  FROM transfers t LEFT JOIN payouts p ON p.id = substr(t.journal, ${kind.length + 2})
  WHERE ${within('t.journal', kind)}`;
const IS_GONE = "(status = 'finalized' OR (status = 'failed' AND ended_at IS NOT NULL))";

/** A payout was taken from its wallet once. Then it is on its way, outside, or back in the wallet: in one of them, as its state says. */
const PAYOUTS: Rule = {
  sql: () => `
    SELECT id, max(status) AS status, sum(taken) AS taken, sum(back) AS back, sum(waiting) AS waiting, sum(outside) AS outside
    FROM (
      SELECT id, status, amount_cents AS taken, CASE WHEN status = 'reversed' THEN amount_cents ELSE 0 END AS back,
        CASE WHEN status = 'reversed' OR ${IS_GONE} THEN 0 ELSE amount_cents END AS waiting,
        CASE WHEN ${IS_GONE} THEN amount_cents ELSE 0 END AS outside, 0 AS strange
      FROM payouts
      UNION ALL SELECT id, '', taken, back, waiting, outside, strange FROM (${PAYOUT_KINDS.map(payoutMoves).join(' UNION ALL ')}) AS moves
    ) AS p GROUP BY id
    HAVING sum(taken) <> 0 OR sum(back) <> 0 OR sum(waiting) <> 0 OR sum(outside) <> 0 OR sum(strange) <> 0`,
  about: (row) => `payout:${String(row['id'])}`,
  problem: (row) =>
    `it is ${String(row['status']) || 'not there'}, and its journals lack ${figure(row['taken'])} cents out of the wallet, ${figure(row['waiting'])} on the way, ${figure(row['outside'])} outside and ${figure(row['back'])} back`,
};

const OWN_SIDES = "('wallet:' || f.agent_id, 'receivables')";
const IS_WON = "t.journal LIKE '%:won'";

/** The net amount taken back of a funding is in its row, and is at most the payment. */
const TAKEN_BACK: Rule = {
  sql: () => `
    SELECT id, sum(said) AS said, sum(booked) AS booked FROM (
      SELECT 'fund:' || id AS id, taken_back_cents AS said, 0 AS booked,
        CASE WHEN taken_back_cents > amount_cents THEN 1 ELSE 0 END AS strange
      FROM fundings WHERE taken_back_cents <> 0
      UNION ALL SELECT coalesce('fund:' || f.id, t.journal), 0,
        CASE WHEN t.debit = 'processor' THEN -t.amount_cents ELSE t.amount_cents END,
        CASE WHEN NOT ${IS_WON} AND t.credit = 'processor' AND t.debit IN ${OWN_SIDES} THEN 0
          WHEN ${IS_WON} AND t.debit = 'processor' AND t.credit IN ${OWN_SIDES} THEN 0 ELSE 1 END
      FROM transfers t JOIN journals j ON j.id = t.journal
        LEFT JOIN fundings f ON f.id = j.subject_id AND f.status = 'paid'
      WHERE ${within('t.journal', 'chargeback')}
    ) AS b GROUP BY id HAVING sum(said) <> sum(booked) OR sum(strange) <> 0`,
  about: (row) => String(row['id']),
  problem: (row) =>
    `its funding says that ${figure(row['said'])} cents were taken back, and its chargebacks come to ${figure(row['booked'])}`,
};

const sumOf = (of: string): string => `(SELECT coalesce(sum(t.amount_cents), 0) FROM transfers t WHERE ${of})`;

/** A debt was advanced once, and repaid as its journals say. */
const DEBTS: Rule = {
  sql: () => `
    SELECT id, status, amount_cents, repaid_cents, owed, repaid FROM (
      SELECT r.id, r.status, r.amount_cents, r.repaid_cents,
        ${sumOf("t.journal = 'chargeback:' || r.id AND t.debit = 'receivables'")} AS owed,
        ${sumOf("t.journal = 'chargeback:' || r.id || ':won' AND t.credit = 'receivables'")}
        + ${sumOf("t.journal >= 'receivable:' || r.id || ':' AND t.journal < 'receivable:' || r.id || ';' AND t.credit = 'receivables'")} AS repaid
      FROM receivables r
    ) AS r WHERE amount_cents <> owed OR repaid_cents <> repaid OR (status = 'open') <> (repaid_cents < amount_cents)`,
  about: (row) => `receivable:${String(row['id'])}`,
  problem: (row) =>
    `it is ${String(row['status'])} with ${figure(row['repaid_cents'])} of ${figure(row['amount_cents'])} cents repaid, and its journals say ${figure(row['repaid'])} of ${figure(row['owed'])}`,
};

const RECEIVABLES: Rule = {
  sql: () => `
    SELECT held, owed FROM (
      SELECT ${sumOf("t.debit = 'receivables' AND t.debit_after_cents IS NULL")}
        - ${sumOf("t.credit = 'receivables' AND t.credit_after_cents IS NULL")} AS held,
        (SELECT coalesce(sum(amount_cents - repaid_cents), 0) FROM receivables WHERE status = 'open') AS owed
    ) AS r WHERE held <> owed`,
  about: () => 'receivables',
  problem: (row) => `${figure(row['held'])} cents are laid out, and ${figure(row['owed'])} are owed`,
};

/** Each checkout that was paid has its month, at its price as all later months of it, and no other month was booked. */
const PLAN_MONTHS: Rule = {
  sql: () => `
    SELECT id, sum(paid) AS paid, sum(booked) AS booked FROM (
      SELECT 'plan:' || id AS id, price_cents AS paid, 0 AS booked FROM plan_checkouts WHERE status = 'paid'
      UNION ALL SELECT j.id, c.price_cents, 0 FROM journals j JOIN plan_checkouts c ON c.id = j.subject_id
        WHERE ${within('j.id', 'plan')} AND c.status = 'paid' AND j.id LIKE 'plan:' || c.account_id || ':____-__'
      UNION ALL SELECT journal, 0,
        CASE WHEN debit = 'processor' AND credit = 'platform_fees' THEN amount_cents ELSE -amount_cents END
        FROM transfers WHERE ${within('journal', 'plan')}
    ) AS p GROUP BY id HAVING sum(paid) <> sum(booked)`,
  about: (row) => String(row['id']),
  problem: (row) => `a plan paid ${figure(row['paid'])} cents for it, and ${figure(row['booked'])} are booked`,
};

/** The processor's fees are the platform's costs, and belong to a payment. */
const PROCESSOR_FEES: Rule = {
  sql: () => `
    SELECT t.journal AS id, t.debit, t.credit, t.amount_cents FROM transfers t
      JOIN journals j ON j.id = t.journal
      LEFT JOIN fundings f ON f.id = j.subject_id
      LEFT JOIN plan_checkouts c ON c.id = j.subject_id
      LEFT JOIN plan_terms r ON r.id = j.subject_id
    WHERE ${within('t.journal', 'processor_fee')} AND (t.debit <> 'platform_fees' OR t.credit <> 'processor'
      OR (j.subject_id IS NOT NULL AND r.id IS NULL AND coalesce(f.status, c.status, '') <> 'paid'))`,
  about: (row) => String(row['id']),
  problem: (row) =>
    `a fee of ${figure(row['amount_cents'])} cents from ${String(row['debit'])} to ${String(row['credit'])} for nothing that was paid`,
};

/** By what journals each account of the platform moves. */
const MOVED_BY: Readonly<Record<string, readonly string[]>> = {
  processor: ['fund', 'plan', 'processor_fee', 'chargeback', 'payout_sent', 'payout_reversed'],
  payouts: PAYOUT_KINDS,
  chain: ['payout_sent', 'payout_reversed'],
  receivables: ['chargeback', 'receivable'],
  platform_fees: ['release', 'settle', 'charge', 'hold_settle', 'plan', 'processor_fee', 'forfeit'],
};
const allowed = Object.entries(MOVED_BY).map(
  ([account, kinds]) => `(account = '${account}' AND (${kinds.map((kind) => within('journal', kind)).join(' OR ')}))`,
);

const STRAYS: Rule = {
  sql: () => `
    SELECT account, journal, amount_cents FROM (
      SELECT debit AS account, journal, amount_cents FROM transfers WHERE debit_after_cents IS NULL
      UNION ALL SELECT credit, journal, amount_cents FROM transfers WHERE credit_after_cents IS NULL
    ) AS platform WHERE NOT (${allowed.join(' OR ')})`,
  about: (row) => String(row['account']),
  problem: (row) =>
    `${figure(row['amount_cents'])} cents move by ${String(row['journal'])}, which is no journal of that account`,
};

/** Those of money from outside and to there. */
export const OUTSIDE_RULES: readonly Rule[] = [
  SENDS,
  PAYOUTS,
  TAKEN_BACK,
  DEBTS,
  RECEIVABLES,
  PLAN_MONTHS,
  PROCESSOR_FEES,
  STRAYS,
];
