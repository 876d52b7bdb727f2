// Proves the ledger on one snapshot: what accounts hold, what money moved for, and the days that were sealed.
import { BUSINESS_RULES } from './business-rules.ts';
import { checkHistory } from './days.ts';
import { checkHeld } from './held-rules.ts';
import { OUTSIDE_RULES } from './outside-rules.ts';
import { type LedgerChecked, Problems } from './problems.ts';
import { ACCOUNT_RULES, JOURNAL_RULES, TOGETHER } from './rules.ts';
import { figure, type Snapshot, type Stored } from './snapshot.ts';

const TOTALS = `
  SELECT (SELECT count(*) FROM transfers) AS transfers, (SELECT count(*) FROM ledger_accounts) AS accounts,
    (SELECT coalesce(sum(balance_cents), 0) FROM ledger_accounts) AS guarded,
    (SELECT coalesce(sum(amount_cents), 0) FROM transfers WHERE credit_after_cents IS NULL) AS credited,
    (SELECT coalesce(sum(amount_cents), 0) FROM transfers WHERE debit_after_cents IS NULL) AS debited`;
const PLATFORM = `
  SELECT account FROM (
    SELECT DISTINCT debit AS account FROM transfers WHERE debit_after_cents IS NULL
    UNION SELECT DISTINCT credit FROM transfers WHERE credit_after_cents IS NULL
  ) AS platform`;

/** All that is wrong, as far as there is room for it. */
export async function checkLedger(snapshot: Snapshot, now_ms: number): Promise<LedgerChecked> {
  const problems = new Problems();
  const [totals = {} as Stored] = await snapshot.rows(TOTALS);
  const [transfers, sum_cents] = [
    figure(totals['transfers']),
    figure(totals['guarded']) + figure(totals['credited']) - figure(totals['debited']),
  ];
  if (sum_cents !== 0) problems.add('ledger', `all balances together come to ${sum_cents} cents`);
  const [{ moved, known, journals } = {} as Stored] = await snapshot.rows(TOGETHER);
  const together = figure(moved) === figure(known) && figure(known) === figure(journals);
  for (const rule of [...ACCOUNT_RULES, ...(together ? [] : JOURNAL_RULES), ...BUSINESS_RULES, ...OUTSIDE_RULES]) {
    const broken = await snapshot.rows(`SELECT * FROM (${rule.sql(now_ms)}) AS broken LIMIT ${problems.room + 1}`);
    for (const row of broken) problems.add(rule.about(row), rule.problem(row));
  }
  await checkHeld(snapshot, problems);
  await checkHistory(snapshot, problems);
  const platform = await snapshot.rows(PLATFORM);
  const accounts = figure(totals['accounts']) + platform.length;
  return { ok: problems.found.length === 0, accounts, transfers, sum_cents, problems: problems.found };
}
