// Wallets with their limits, held money, debts of accounts, payments between wallets, and the seals of the ledger's days. The
// ledger itself is in turn.ts. All amounts are integer cents of USD, all times epoch milliseconds.
import { sql } from 'drizzle-orm';
import type { Builders } from './builders.ts';
import { blank, keep, stays } from './personal.ts';

// Without a return type: drizzle infers the row types from this literal.
export function walletTables(b: Builders) {
  /** The id is the agent's; created with the first setting. The ledger has the balances. */
  const wallets = b.table('wallets', {
    id: b.id(),
    per_transaction_cents: b.int('per_transaction_cents', keep),
    per_day_cents: b.int('per_day_cents', keep),
    /** When a session last set the two; null before, then a default bounds what keys spend (domain/money/key-limit.ts). */
    limit_set_at: b.int('limit_set_at', keep),
    /** Below this balance a letter with a link for funding goes out; null is the default, 0 is never. */
    low_balance_cents: b.int('low_balance_cents', keep),
    /** When that letter last went out; the next one waits until the balance was above again. */
    low_told_at: b.int('low_told_at', keep),
    version: b.version(),
  });
  /** Money set aside for something that may yet fail: wallet → held at the start, one end by `status`. */
  const holds = b.table(
    'holds',
    {
      id: b.id(),
      agent_id: b.code('agent_id', keep).notNull(),
      /** Its purpose: `call` (a routed one). */
      kind: b.code('kind', keep).notNull(),
      subject_id: b.code('subject_id', keep),
      amount_cents: b.int('amount_cents', keep).notNull(),
      status: b.code<'pending' | 'settled' | 'voided'>('status', keep).notNull(),
      settled_cents: b.int('settled_cents', keep),
      /** The counters that it was taken from, given back to when it is voided: `[key, cents][]`. */
      counted: b.json<readonly (readonly [string, number])[]>('counted', stays('ids and amounts')).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      ended_at: b.int('ended_at', keep),
      version: b.version(),
    },
    (t) => [b.index('holds_pending').on(t.expires_at).where(sql`ended_at IS NULL`)],
  );
  /** Debts of accounts for money that the processor took back. */
  const receivables = b.table(
    'receivables',
    {
      id: b.id(),
      account_id: b.code('account_id', keep).notNull(),
      agent_id: b.code('agent_id', keep).notNull(),
      funding_id: b.code('funding_id', keep).notNull(),
      amount_cents: b.int('amount_cents', keep).notNull(),
      repaid_cents: b.int('repaid_cents', keep).notNull().default(0),
      status: b.code<'open' | 'repaid'>('status', keep).notNull(),
      created_at: b.int('created_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('receivables_account').on(t.account_id),
      b.index('receivables_open').on(t.created_at, t.amount_cents, t.repaid_cents).where(sql`status = 'open'`),
    ],
  );
  /** A payment of one wallet to another; its journal is `send:<id>`. */
  const sends = b.table('sends', {
    id: b.id(),
    from_id: b.code('from_id', keep).notNull(),
    to_id: b.code('to_id', keep).notNull(),
    amount_cents: b.int('amount_cents', keep).notNull(),
    /** The payer's words; emptied when the payer's account goes. */
    note: b.text('note', blank(null, 'from_id')),
    created_at: b.int('created_at', keep).notNull(),
    version: b.version(),
  });
  /** A seal of the ledger's day; the id is the day (`2026-11-21`, UTC). */
  const ledger_days = b.table('ledger_days', {
    id: b.id(),
    journals: b.int('journals', keep).notNull(),
    transfers: b.int('transfers', keep).notNull(),
    amount_cents: b.int('amount_cents', keep).notNull(),
    /** SHA-256, base64url: of the day's journals with their transfers, and of the balances of all accounts that moved. */
    journals_hash: b.code('journals_hash', keep).notNull(),
    sums_hash: b.code('sums_hash', keep).notNull(),
    /** Of what people and programs approved and rejected that day; null of days from before that was sealed. */
    approvals_hash: b.code('approvals_hash', keep),
    /** The `hash` of the day before; empty for the first. */
    previous: b.code('previous', keep).notNull(),
    hash: b.code('hash', keep).notNull(),
    created_at: b.int('created_at', keep).notNull(),
    version: b.version(),
  });
  /** The balances of active accounts at the end of a day; the id is `day:account`. */
  const ledger_sums = b.table(
    'ledger_sums',
    {
      id: b.id(),
      day: b.code('day', keep).notNull(),
      account: b.code('account', keep).notNull(),
      balance_cents: b.int('balance_cents', keep).notNull(),
      version: b.version(),
    },
    (t) => [b.index('ledger_sums_account').on(t.account, t.day)],
  );
  return { wallets, holds, receivables, sends, ledger_days, ledger_sums };
}
