// Reads of wallets: their limits, held money, fundings and what is owed. Balances stand in ledger.ts.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { arg, byId, one } from '../query.ts';

export const walletById = byId('wallets');
export const sendById = byId('sends', null);
export const holdById = byId('holds');

/** What escrows hold that an agent pays into: what neither left for the seller nor came back. */
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
