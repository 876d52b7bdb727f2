// Reads of wallets: their limits, held money, fundings and debts. Balances are in ledger.ts.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { arg, byId, one } from '../query.ts';
import type { Row } from '../schema/tables.ts';
import { type Party, partyColumns } from './agent.ts';

export const walletById = byId('wallets');
/** A wallet's settings with its agent: null when nothing was ever set, or no money has moved yet. */
export interface Payer
  extends Party,
    Pick<
      Row<'wallets'>,
      'per_transaction_cents' | 'per_day_cents' | 'limit_set_at' | 'low_balance_cents' | 'low_told_at'
    > {
  readonly settings_version: number | null;
  readonly balance_cents: number | null;
}

/** The payer with its wallet's settings and balance, in one read, which takes a third of the time of three. The agent's version, which
 * settings raise (wallet/limit.ts), checks them; the balance may change by the commit. */
export const payerById = one<{ id: string }>()('agents', (db, t) =>
  db
    .select({
      ...partyColumns(t),
      per_transaction_cents: t.wallets.per_transaction_cents,
      per_day_cents: t.wallets.per_day_cents,
      limit_set_at: t.wallets.limit_set_at,
      low_balance_cents: t.wallets.low_balance_cents,
      low_told_at: t.wallets.low_told_at,
      settings_version: sql`${t.wallets.version}`.mapWith(Number).as('settings_version'),
      balance_cents: t.ledger_accounts.balance_cents,
    })
    .from(t.agents)
    .leftJoin(t.wallets, eq(t.wallets.id, t.agents.id))
    .leftJoin(t.ledger_accounts, eq(t.ledger_accounts.id, sql`'wallet:' || ${t.agents.id}`))
    .where(eq(t.agents.id, arg('id')))
    .limit(1),
);

export const sendById = byId('sends', null);
export const holdById = byId('holds');

/** The money in an agent's escrows as buyer, neither released nor refunded. */
export const escrowedBy = one<{ buyer_id: string }>()(null, (db, { escrows }) =>
  db
    .select({
      cents:
        sql`coalesce(sum(${escrows.total_cents} - ${escrows.released_cents} - ${escrows.refunded_cents}), 0)`.mapWith(
          Number,
        ),
    })
    .from(escrows)
    .where(and(eq(escrows.buyer_id, arg('buyer_id')), isNull(escrows.ended_at))),
);
