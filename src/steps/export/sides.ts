// What two sides share, as one of them takes it along: rows hold what each side's people set, agreed to and are called, and the other side's
// half of that is not this one's to read (interface.md item 12).
import { exported } from '../../../db/schema/personal-columns.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { isKept, versionOf } from '../../domain/negotiation/proposal.ts';
import { agreedFor } from '../../schemas/proposal.ts';

/** The two accounts of a row, without the other side's: it would tell which agents are one person's. */
function ownAccount(
  {
    buyer_id,
    buyer_account_id,
    seller_account_id,
  }: Pick<Row<'escrows'>, 'buyer_id' | 'buyer_account_id' | 'seller_account_id'>,
  reader_id: string,
) {
  const buys = buyer_id === reader_id;
  return { buyer_account_id: buys ? buyer_account_id : null, seller_account_id: buys ? null : seller_account_id };
}

/** An escrow for one of its sides: the bounds that were in force, who bought and where the receipt went are for the side that they are of. */
export function escrowOf(row: Row<'escrows'>, reader_id: string): object {
  const { agreed, buyer_email, ...terms } = row.terms;
  const buys = row.buyer_id === reader_id;
  const { by = null, buyer_bounds = null, seller_bounds = null } = agreed ?? {};
  const own = buys ? { buyer_email, agreed: { by, buyer_bounds } } : { agreed: { seller_bounds } };
  return exported('escrows', { ...row, ...ownAccount(row, reader_id), terms: { ...terms, ...own } });
}

/** A subscription for one of its sides: the key that began it is the buyer's. */
export function subscriptionOf(
  row: Row<'subscriptions'>,
  reader_id: string,
): Pick<Row<'subscriptions'>, 'id' | 'key_id'> {
  return { ...row, ...ownAccount(row, reader_id), key_id: row.buyer_id === reader_id ? row.key_id : null };
}

/** The proposals that a side was shown, each with what that side may know: its own bound, its own word, and the other's once it is told. */
export function proposalsOf(rows: readonly Row<'proposals'>[], reader_id: string): object[] {
  return rows
    .filter((row) => !isKept(row, reader_id))
    .map(({ number, ...row }) => {
      const buys = row.buyer_id === reader_id;
      const agreed = agreedFor(row, reader_id);
      const is_own = row.bound === (buys ? 'max_pay_cents' : 'min_charge_cents');
      return exported('proposals', {
        ...row,
        number: versionOf(number),
        buyer_at: agreed.includes(row.buyer_id) ? row.buyer_at : null,
        seller_at: agreed.includes(row.seller_id) ? row.seller_at : null,
        buyer_pays: buys ? row.buyer_pays : null,
        bound: is_own ? row.bound : null,
        escalated_to: row.escalated_to === reader_id ? reader_id : null,
      });
    });
}
