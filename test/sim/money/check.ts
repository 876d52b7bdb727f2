// What holds of money after every step: all that the ledger's check proves, every end once, counters equal to what they count, and
// no payout whose money is both outside and back in the wallet.

import { checkLedger } from '../../../db/ledger-check/check.ts';
import type { Stored } from '../../../db/ledger-check/snapshot.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { must, none } from '../failure.ts';
import type { MoneyWorld } from './world.ts';

/** Rows that must not be, with what is wrong with them. */
const OFFENDERS: Readonly<Record<string, string>> = {
  'obligations that are not what is open': `SELECT a.id, coalesce(c.n, 0) AS counted, o.n AS open FROM agents a
    LEFT JOIN counters c ON c.id = 'obligations:' || a.id
    JOIN (SELECT g.id,
      (SELECT count(*) FROM payouts p WHERE p.agent_id = g.id AND p.status NOT IN ('finalized', 'reversed'))
      + (SELECT count(*) FROM escrows e WHERE g.id IN (e.buyer_id, e.seller_id) AND e.status IN ('active', 'disputed'))
      + (SELECT count(*) FROM subscriptions s WHERE g.id IN (s.buyer_id, s.seller_id) AND s.ended_at IS NULL)
      + (SELECT count(*) FROM receivables r WHERE r.agent_id = g.id AND r.status = 'open') AS n
      FROM agents g) o ON o.id = a.id
    WHERE coalesce(c.n, 0) <> o.n`,
  // It may withdraw, what it was paid by may be taken back, and its bank may send back what had arrived.
  'a deactivated agent with anything else open': `SELECT a.id FROM agents a JOIN counters c ON c.id = 'obligations:' || a.id
    WHERE a.deactivated_at IS NOT NULL AND c.n > 0
      AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.agent_id = a.id AND p.created_at >= a.deactivated_at)
      AND NOT EXISTS (SELECT 1 FROM receivables r WHERE r.agent_id = a.id AND r.created_at >= a.deactivated_at)
      AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.agent_id = a.id AND p.status = 'failed' AND p.ended_at IS NOT NULL)`,
  'open pages that are not those that are counted': `SELECT a.id, coalesce(c.n, 0) AS counted, o.n AS open FROM agents a
    LEFT JOIN counters c ON c.id = 'fundings_open:' || a.id
    JOIN (SELECT g.id, (SELECT count(*) FROM fundings f WHERE f.agent_id = g.id AND f.status = 'pending') AS n
      FROM agents g) o ON o.id = a.id
    WHERE coalesce(c.n, 0) <> o.n`,
  'payouts in doubt that are not those that need somebody': `SELECT p.account_id, count(*) AS n FROM payouts p
    WHERE p.needs_action = 1 GROUP BY p.account_id
    HAVING n <> coalesce((SELECT c.n FROM counters c WHERE c.id = 'payouts_in_doubt:' || p.account_id), 0)`,
  'a doubt that nobody has': `SELECT c.id, c.n FROM counters c WHERE c.id LIKE 'payouts_in_doubt:%' AND c.n <>
    (SELECT count(*) FROM payouts p WHERE 'payouts_in_doubt:' || p.account_id = c.id AND p.needs_action = 1)`,
  'a payout whose journals are not its state': `SELECT p.id, p.status, p.ended_at FROM payouts p WHERE
    NOT EXISTS (SELECT 1 FROM journals j WHERE j.id = 'payout:' || p.id)
    OR (p.status = 'reversed') <> EXISTS (SELECT 1 FROM journals j WHERE j.id = 'payout_reversed:' || p.id)
    OR (p.status = 'finalized' AND NOT EXISTS (SELECT 1 FROM journals j WHERE j.id = 'payout_sent:' || p.id))
    OR (p.status IN ('pending', 'submitted') AND EXISTS (SELECT 1 FROM journals j WHERE j.id = 'payout_sent:' || p.id))`,
  'payouts that hold other money than those on their way': `SELECT held.n AS holds, open.n AS open FROM
    (SELECT coalesce(sum(CASE WHEN t.credit = 'payouts' THEN t.amount_cents ELSE -t.amount_cents END), 0) AS n
      FROM transfers t WHERE t.credit = 'payouts' OR t.debit = 'payouts') held,
    (SELECT coalesce(sum(p.amount_cents), 0) AS n FROM payouts p
      WHERE p.status IN ('pending', 'submitted') OR (p.status = 'failed' AND p.ended_at IS NULL)) open
    WHERE held.n <> open.n`,
  'spending of a day that is not what was spent': `SELECT c.id, c.n FROM counters c WHERE c.id LIKE 'spent:%' AND c.n <>
    (SELECT coalesce(sum(t.amount_cents), 0) FROM transfers t JOIN journals j ON j.id = t.journal
      WHERE j.kind IN ('send', 'escrow', 'charge', 'hold')
        AND 'spent:' || substr(t.debit, 8) || ':' || strftime('%Y-%m-%d', j.created_at / 1000, 'unixepoch') = c.id
        AND t.debit LIKE 'wallet:%')`,
  'a restriction that is not what is owed': `SELECT c.id, c.n FROM counters c WHERE c.id LIKE 'receivables:%' AND c.n <>
    (SELECT count(*) FROM receivables r WHERE r.status = 'open' AND 'receivables:' || r.account_id = c.id)`,
  'a debt that is repaid and open, or the other way round': `SELECT id FROM receivables
    WHERE repaid_cents > amount_cents OR (status = 'repaid') <> (repaid_cents = amount_cents)`,
  'a milestone that ended without its time, or the other way round': `SELECT id, status FROM milestones
    WHERE (status = 'held') <> (ended_at IS NULL)`,
  'an escrow that ended with something held, or the other way round': `SELECT e.id, e.status FROM escrows e
    WHERE (e.status IN ('completed', 'refunded')) <>
      NOT EXISTS (SELECT 1 FROM milestones m WHERE m.escrow_id = e.id AND m.status = 'held')`,
  'an escrow that gave more than it had': `SELECT id FROM escrows WHERE released_cents + refunded_cents > total_cents`,
  'a period that was charged twice': `SELECT subscription_id, period, count(*) AS n FROM subscription_charges
    WHERE status = 'succeeded' GROUP BY subscription_id, period HAVING n > 1`,
  'charges that are not those that were made': `SELECT s.id FROM subscriptions s WHERE s.charges_made <>
    (SELECT count(*) FROM subscription_charges c WHERE c.subscription_id = s.id AND c.status = 'succeeded')`,
  'a charge without its journal': `SELECT c.id FROM subscription_charges c WHERE c.status = 'succeeded'
    AND NOT EXISTS (SELECT 1 FROM journals j WHERE j.id = 'charge:' || c.subscription_id || ':' || c.period)`,
  'a funding whose money is not there, or there unpaid': `SELECT f.id, f.status FROM fundings f
    WHERE (f.status = 'paid') <> EXISTS (SELECT 1 FROM journals j WHERE j.id = 'fund:' || f.id)`,
  'a hold that ended without its time': `SELECT id FROM holds WHERE (status = 'pending') <> (ended_at IS NULL)`,
  'a deal that tells otherwise than its escrow': `SELECT d.id, d.status, e.status AS escrow FROM deals d
    JOIN escrows e ON e.id = d.escrow_id WHERE (e.status = 'completed') <> (d.status = 'completed')
      OR (e.status = 'refunded') <> (d.status IN ('refunded', 'cancelled'))`,
  'a proposal that is a deal without the word of both, or the other way round': `SELECT id, status, deal_id FROM proposals
    WHERE (status = 'approved') <> (deal_id IS NOT NULL) OR (status = 'approved') <> (buyer_at IS NOT NULL AND seller_at IS NOT NULL)`,
  'a deal that is not what was agreed': `SELECT p.id, d.id AS deal FROM proposals p LEFT JOIN deals d ON d.id = p.deal_id
    WHERE p.deal_id IS NOT NULL AND (d.id IS NULL OR d.amount_cents <> p.amount_cents OR d.buyer_id <> p.buyer_id OR d.seller_id <> p.seller_id)`,
  'an agreement that is two deals, or none': `SELECT d.id, count(p.id) AS n FROM deals d LEFT JOIN proposals p ON p.deal_id = d.id
    WHERE d.kind = 'agreement' OR p.id IS NOT NULL GROUP BY d.id HAVING n <> 1`,
  'two proposals that stand in one conversation': `SELECT conversation_id, count(*) AS n FROM proposals WHERE status = 'open'
    GROUP BY conversation_id HAVING n > 1`,
  'a deal that was cancelled and paid for': `SELECT id FROM deals WHERE status = 'cancelled' AND escrow_id IS NOT NULL`,
  'a deal that is paid for twice, or at another price': `SELECT d.id, count(e.id) AS n FROM deals d LEFT JOIN escrows e ON e.deal_id = d.id
    GROUP BY d.id, d.escrow_id HAVING n <> (d.escrow_id IS NOT NULL) OR max(e.total_cents) <> d.amount_cents`,
  'an event of money that was told twice': `SELECT agent_id, kind, json_extract(data, '$.reference_id') AS about,
    json_extract(data, '$.kind') AS what, count(*) AS n FROM events
    WHERE (kind = 'payment.succeeded' AND what IN ('payout', 'fund', 'send')) OR (kind = 'payment.failed' AND what = 'purchase')
    GROUP BY agent_id, kind, about, what HAVING n > 1`,
};

interface StoredPayout {
  readonly id: string;
  readonly rail: string;
  readonly status: string;
  readonly amount_cents: number;
}

/** What the rails hold of each payout beside what the service says. */
function checkOutside({ db, bank, chain }: MoneyWorld): void {
  for (const payout of db.rows<StoredPayout>('SELECT id, rail, status, amount_cents FROM payouts')) {
    const outside = payout.rail === 'bank' ? bank.outside(payout.id) : chain.outside(payout.id);
    if (payout.status === 'reversed') must(outside === 0, 'money is outside and back in the wallet', payout);
    if (payout.status === 'finalized') must(outside === payout.amount_cents, 'money that arrived is not there', payout);
  }
}

/** The totals of keys with a budget are what went through by them, and within it. */
function checkBudgets({ db, spent_by_budget }: MoneyWorld): void {
  const keys = db.rows<{ key_id: string; account_id: string; id: string; total: number }>(
    "SELECT id AS key_id, account_id, json_extract(budget, '$.id') AS id, json_extract(budget, '$.total_cents') AS total FROM api_keys WHERE budget IS NOT NULL",
  );
  for (const { key_id, account_id, id, total } of keys) {
    const counted = db.number('SELECT n FROM counters WHERE id = ?', `budget:${id}`);
    const by_call = spent_by_budget.get(account_id) ?? 0;
    const by_silence = db.number(
      "SELECT coalesce(sum(amount_cents), 0) FROM approvals WHERE by = 'policy' AND credential_id = ?",
      key_id,
    );
    const sums = { id, counted, by_call, by_silence };
    must(counted === by_call + by_silence, 'a budget that counts something else', sums);
    must(counted <= total, 'a budget that was overrun', { id, counted });
  }
}

/** Money of young card payments stays in the house, held by whoever has it, whatever is sent, bought and taken back; none is held that no
 * card paid in. A day's entries become free together, with the last of them. */
function checkHeldMoney({ db, clock, hold_ms }: MoneyWorld): void {
  const now = clock.now();
  const young = (after: number): number =>
    db.number(
      "SELECT coalesce(sum(amount_cents), 0) FROM fundings WHERE status = 'paid' AND withdrawable_at > ?",
      after,
    );
  const held = db.number(
    `SELECT coalesce(sum(json_extract(e.value, '$[1]')), 0) FROM ledger_accounts a, json_each(a.held) e
      WHERE json_extract(e.value, '$[0]') > ?`,
    now,
  );
  const left_as_fee_or_taken_back = db.number(
    `SELECT coalesce(sum(amount_cents), 0) FROM transfers
      WHERE credit IN ('platform_fees', 'processor', 'receivables') AND debit LIKE '%:%' AND created_at > ?`,
    now - hold_ms,
  );
  const sums = { held, left_as_fee_or_taken_back, young: young(now) };
  must(held <= young(now - (now % DAY_MS)), 'money is held that no young card payment brought', sums);
  must(held + left_as_fee_or_taken_back >= young(now), 'money of a young card payment is held by nobody', sums);
}

export async function checkMoney(world: MoneyWorld): Promise<void> {
  await world.db.refresh();
  must(world.errors.length === 0, 'the service logged an error of its own', world.errors);
  for (const [what, sql] of Object.entries(OFFENDERS)) none(world.db.rows(sql), what);
  checkOutside(world);
  checkHeldMoney(world);
  checkBudgets(world);
}

/** What the ledger's own check proves, in this process. */
export async function checkBooks({ db, clock }: MoneyWorld): Promise<void> {
  const rows = async (sql: string): Promise<Stored[]> => db.rows<Stored>(sql);
  const bites = async function* (sql: string): AsyncIterable<readonly Stored[]> {
    yield db.rows<Stored>(sql);
  };
  const { ok, problems, sum_cents } = await checkLedger({ rows, bites }, clock.now());
  must(ok && sum_cents === 0, 'the ledger does not hold', problems);
}

/** What the service itself answers to an administrator who asks for the same, over the reader of its own engine. */
export async function checkByService({ t }: MoneyWorld): Promise<void> {
  const headers = { 'X-Internal-Token': t.internal_token };
  const { status, body } = await t.call('GET', '/api/admin/ledger/check', { headers });
  must(status === 200 && body.ok && body.sum_cents === 0, 'the ledger’s own check does not hold', { status, body });
}
