// One listing as whoever asks may see it: its owner in every state, everybody else only while it is live and its agent is seen.
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { isListingSeenOn } from '../../domain/agent/profile.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { seenAs } from '../../schemas/agent.ts';
import { publicListing } from '../../schemas/listing.ts';
import { ownListing } from './gates.ts';
import { reviewsOf } from './review.ts';

/** The listing in the words of who asks; 404 for what that one may not see. Whoever is no owner of it is
 * counted. `owner` is its agent where that is still there. */
export async function listingSeenBy(
  read: Read,
  row: Row<'listings'>,
  owner: Row<'agents'> | null,
  ctx: Ctx,
  { views }: Pick<QueryPorts, 'views'>,
): Promise<ReturnType<typeof publicListing> | ReturnType<typeof ownListing> | Fault<'not_found'>> {
  const { kind, scopes } = ctx.principal;
  if (ctx.agent?.id === row.agent_id && (kind === 'session' || scopes.has('agents:read'))) {
    const [claims, reviews] = await Promise.all([
      read(claimsOfAgent, { agent_id: row.agent_id }),
      reviewsOf(read, [row]),
    ]);
    return ownListing(row, { agent: ctx.agent, claims }, ctx.secrets.code_key, reviews.get(row.id));
  }
  if (owner?.id !== row.agent_id || !isListingSeenOn(row.status, seenAs(owner), 'profile')) return fault('not_found');
  views.note({ ...row, listing_id: row.id }, ctx);
  return publicListing(row, owner.handle);
}
