// The prices of a deal by the listings: the own one's, and the other side's highest.
import type { Row } from '../../../db/schema/tables.ts';
import { isFault } from '../../domain/fault.ts';
import { LISTED_TIER_ID } from '../../domain/listing/conditions.ts';
import { effectivePrices } from '../../domain/listing/price.ts';
import { boughtOnce, wholePrices } from '../../domain/listing/purchase.ts';
import type { Listed } from '../../domain/negotiation/bargain.ts';
import type { OwnListing } from '../../domain/negotiation/turn.ts';

/** The price of a listing for the whole, or the budget for it. Of several prices an agent does not know which is meant: its bounds say how far
 * it goes, or its person. */
function wholeCents(listing: Row<'listings'>): number | null {
  if (listing.direction === 'seek') {
    return effectivePrices(listing).find(({ period }) => period === 'once')?.cents ?? null;
  }
  const listed = boughtOnce(listing, LISTED_TIER_ID);
  if (!isFault(listed)) return listed.price_cents;
  const [cents = null, another] = wholePrices(listing);
  return another === undefined ? cents : null;
}

/** The facts of an own listing for a turn. */
export function listingFacts(listing: Row<'listings'>): OwnListing {
  const { headline, labels, conditions } = listing;
  return { headline, labels, dealbreakers: conditions.dealbreakers, cents: wholeCents(listing) };
}

/** The amounts of a side's own listing and the other's. */
export function listedFor(own: Row<'listings'> | null, others: Row<'listings'> | null): Listed {
  const asked = others?.direction === 'offer' ? (wholePrices(others).at(-1) ?? null) : null;
  return { own: own && wholeCents(own), asked };
}
