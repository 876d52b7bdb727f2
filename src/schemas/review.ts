// A moderation review as administrators see it: the content, its author, the reporter, and the decision.
import { type Static, Type } from 'typebox';
import { agentById } from '../../db/queries/agent.ts';
import { listingById } from '../../db/queries/listing.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import { ListingStatus } from './listing-input.ts';
import { namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableText, NullableTime, nullable, Time } from './wire.ts';

export const Review = namedObject(
  'Review',
  'a held listing, a reported agent or a disagreeing payment, for administrators',
  {
    id: Id,
    kind: Type.Enum(['listing', 'report', 'payment'], {
      description: 'a held listing, a report about an agent, or a payment that differs at the processor',
    }),
    status: Type.Enum(['open', 'approved', 'rejected']),
    reason: Type.String({
      description: 'the possible restricted trade, the reason of the report, or the purpose of the payment',
    }),
    text: Type.String({ description: 'the matched words, the text of the report, or the difference' }),
    handle: NullableText,
    listing: nullable(
      namedObject('ReviewedListing', 'the matched words', {
        id: Id,
        status: ListingStatus,
        headline: Type.String(),
        description: Type.String(),
        labels: Type.Array(Type.String()),
      }),
    ),
    reporter_handle: NullableText,
    created_at: Time,
    decided_at: NullableTime,
  },
);

/** The current subject of a review; a deleted agent or listing is null. */
interface About {
  readonly agent: Pick<Row<'agents'>, 'handle'> | null;
  readonly reporter: Pick<Row<'agents'>, 'handle'> | null;
  readonly listing: Row<'listings'> | null;
}

export function reviewView(review: Row<'reviews'>, { agent, reporter, listing }: About): Static<typeof Review> {
  return {
    id: review.id,
    kind: review.kind,
    status: review.status,
    reason: review.reason,
    text: review.text,
    handle: agent?.handle ?? null,
    listing: listing && {
      id: listing.id,
      status: listing.status,
      headline: listing.headline,
      description: listing.description,
      labels: [...listing.labels],
    },
    reporter_handle: reporter?.handle ?? null,
    created_at: iso(review.created_at),
    decided_at: isoOrNull(review.decided_at),
  };
}

/** The subject of a review, read with `read`, so that the commit of a decision checks it again. */
export async function readAbout(read: Read, review: Row<'reviews'>): Promise<About & { agent: Row<'agents'> | null }> {
  const [agent, reporter, listing] = await Promise.all([
    read(agentById, { id: review.agent_id }),
    review.reporter_id === null ? null : read.peek(agentById, { id: review.reporter_id }),
    review.listing_id === null ? null : read(listingById, { id: review.listing_id }),
  ]);
  return { agent, reporter, listing };
}
