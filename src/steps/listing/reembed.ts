// Asks for vectors to be made by the embedder that is set: of one listing whose text it has not seen, or of all that another
// model made.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow, unremind } from '../reminder.ts';

/** How long a failing endpoint is left alone before its share is made up for. */
const AFTER_MS = 300_000;

/** The call of it; without a listing all are looked through. */
export const REEMBED = { name: 'listing.reembed', input: Type.Object({ listing_id: Type.Optional(Id) }) } as const;

type Of = string | undefined;

const inputOf = (listing_id: Of): { listing_id?: string } => (listing_id === undefined ? {} : { listing_id });

/** Sends out for the vector of a listing (of all without one) before the reply, which does not wait for it. */
export function reembedNow(listing_id: Of, now_ms: number): Effect<never> {
  return remindNow(REEMBED, inputOf(listing_id), { key: listing_id ?? '', now_ms });
}

/** Asks for another attempt: what is under way may fail, or be lost in a crash. */
export function reembedLater(listing_id: Of, now_ms: number): ReturnType<typeof remind> {
  return remind(REEMBED, inputOf(listing_id), { at: now_ms + AFTER_MS, key: listing_id ?? '', now_ms });
}

/** The vectors are there. */
export function unremindReembed(listing_id: Of): Effect<never> {
  return unremind(REEMBED, listing_id ?? '');
}
