// The slug of a new listing: its headline's, numbered where the handle has taken that. A handle may hold any number of listings
// of one headline, so only so many of their slugs are looked at.
import { slugsFrom } from '../../../db/queries/listing.ts';
import { endOfPrefix } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import { freeSlug, slugOf } from '../../domain/listing/listing.ts';

/** Far more listings of one headline than anybody means, and an intake of forty reads this many for each of its own. */
const LOOKED_AT_MAX = 500;

/** Of an id: what is random in it, as long as numbers by chance differ. */
const TAIL_CHARS = 12;

/** A slug that the handle has not taken, nor those `besides`. Where more slugs begin like it than are looked at, the next number
 * is not known; it gets the end of an id in its place. */
export async function slugFor(
  read: Read,
  agent_id: string,
  headline: string,
  newId: () => string,
  besides: ReadonlySet<string> = new Set(),
): Promise<string> {
  const base = slugOf(headline);
  const begun = await read(slugsFrom, { agent_id, from: base, until: endOfPrefix(base), limit: LOOKED_AT_MAX });
  const taken = new Set(begun.map(({ slug }) => slug));
  const isTaken = (slug: string): boolean => taken.has(slug) || besides.has(slug);
  if (begun.length < LOOKED_AT_MAX || !isTaken(base)) return freeSlug(base, isTaken);
  return `${base}-${newId().slice(-TAIL_CHARS)}`;
}
