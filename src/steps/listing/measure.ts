// Schedules the measuring of a site, and shows its result. One reminder a listing: set when a link offer goes live or names
// another site, again each week while it is live, and each day of the first week while the site does not answer.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { domainToProve } from '../../domain/listing/taxonomy.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, reminderId, remindNow } from '../reminder.ts';
import type { ListingContent } from './content.ts';

export const MEASURE = { name: 'listing.measure', input: Type.Object({ listing_id: Id }) } as const;

/** The key of the background task that looks. */
export function measureTask(listing_id: string): string {
  return reminderId(MEASURE, listing_id);
}

/** Asks for a measurement; one that is due goes out before the reply, which does not wait for it. */
export function measureAt(listing_id: string, at: number, now_ms: number): RemindEffect {
  const which = { key: listing_id, now_ms };
  return at <= now_ms ? remindNow(MEASURE, { listing_id }, which) : remind(MEASURE, { listing_id }, { at, ...which });
}

/** The site that is measured for a listing; null for none. */
export function measuredSite(row: Row<'listings'> | null): string | null {
  return row?.status === 'live' ? domainToProve(row) : null;
}

/** The columns of a listing that an edit leaves of what was measured: another site was not. */
export function measuredColumns(
  row: Row<'listings'>,
  content: ListingContent,
): Pick<Row<'listings'>, 'verified_attributes' | 'measured_at'> {
  if (domainToProve(content) !== domainToProve(row)) return { verified_attributes: null, measured_at: null };
  return { verified_attributes: row.verified_attributes, measured_at: row.measured_at };
}
