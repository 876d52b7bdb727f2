// Rules for card money that is not free yet: each account has it in the order of its days and not more than its balance, and all
// accounts together have no more for a day than the fundings that become free on it.

import type { HeldMoney } from '../../src/domain/money/held-money.ts';
import { dayOf } from '../../src/domain/text/day.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import type { Problems } from './problems.ts';
import { figure, type Snapshot, type Stored, within } from './snapshot.ts';

const HOLDING = 'SELECT id, balance_cents, held FROM ledger_accounts WHERE held IS NOT NULL';
/** The fundings by the day on which they become free, with won disputes. */
const BROUGHT = `
  SELECT withdrawable_at / ${DAY_MS} AS day, sum(cents) AS cents FROM (
    SELECT withdrawable_at, amount_cents AS cents FROM fundings WHERE status = 'paid' AND withdrawable_at > created_at
    UNION ALL SELECT f.withdrawable_at, t.amount_cents FROM transfers t
      JOIN journals j ON j.id = t.journal JOIN fundings f ON f.id = j.subject_id
    WHERE ${within('t.journal', 'chargeback')} AND t.debit = 'processor' AND t.credit = 'wallet:' || f.agent_id
  ) AS b GROUP BY withdrawable_at / ${DAY_MS}`;

/** The held money of an account, or null when invalid. */
function heldOf(row: Stored): HeldMoney | null {
  const held = JSON.parse(String(row['held'])) as HeldMoney;
  let [day, sum] = [-1, 0];
  for (const [free_at, cents] of held) {
    if (Math.floor(free_at / DAY_MS) <= day || cents <= 0) return null;
    day = Math.floor(free_at / DAY_MS);
    sum += cents;
  }
  return held.length > 0 && sum <= figure(row['balance_cents']) ? held : null;
}

/** Looks at each account that has any. */
export async function checkHeld(snapshot: Snapshot, problems: Problems): Promise<void> {
  const days = new Map<number, number>();
  for await (const rows of snapshot.bites(HOLDING)) {
    for (const row of rows) {
      const held = heldOf(row);
      if (!held) {
        const told = `it holds ${figure(row['balance_cents'])} cents, and keeps ${String(row['held'])} as not free`;
        problems.add(String(row['id']), told);
      }
      for (const [free_at, cents] of held ?? []) {
        const day = Math.floor(free_at / DAY_MS);
        days.set(day, (days.get(day) ?? 0) + cents);
      }
    }
  }
  if (days.size === 0) return;
  const brought = new Map((await snapshot.rows(BROUGHT)).map((row) => [figure(row['day']), figure(row['cents'])]));
  for (const [day, cents] of days) {
    const most = brought.get(day) ?? 0;
    const about = `held until ${dayOf(day * DAY_MS)}`;
    if (cents > most) problems.add(about, `accounts keep ${cents} cents, and fundings brought ${most}`);
  }
}
