// A page of listings, newest first: what the lists of an agent's listings share.
import type { Static } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { Page } from '../../contract/reply.ts';
import type { ListingSeen } from '../../schemas/listing.ts';
import { PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../page.ts';
import { ownListing } from './gates.ts';
import { reviewsOf } from './review.ts';

interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Rows of which one more than `limit` was read, as a page of what `view` makes of each. */
export function listingPage<T>(
  rows: readonly Row<'listings'>[],
  limit: number,
  view: (row: Row<'listings'>) => T,
): Page<T> {
  const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
  return { items: shown.map(view), next_cursor };
}

/** A page of one's own listings, newest first, in every state. */
export async function readOwnPage(
  read: Read,
  agent: Row<'agents'>,
  { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }: PageInput,
  ctx: Ctx,
): Promise<Page<Static<typeof ListingSeen>>> {
  const [rows, claims] = await Promise.all([
    read(listingsOfAgent, { agent_id: agent.id, before: cursor, limit: limit + 1 }),
    read(claimsOfAgent, { agent_id: agent.id }),
  ]);
  const reviews = await reviewsOf(read, rows);
  return listingPage(rows, limit, (row) =>
    ownListing(row, { agent, claims }, ctx.secrets.code_key, reviews.get(row.id)),
  );
}
