// Lists an agent's listings: its owner sees every state, everybody else the live ones of an agent that is seen.

import { type Static, Type } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { listingsOfAgent, liveListingsOfAgent } from '../../../db/queries/listing.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { fault } from '../../domain/fault.ts';
import { ListingSeen, publicListing } from '../../schemas/listing.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { agentByHandle, isSeen } from '../../steps/agent/find.ts';
import { ownListing } from '../../steps/listing/gates.ts';
import { reviewsOf } from '../../steps/listing/review.ts';
import { cutPage } from '../../steps/page.ts';
import type { Ctx } from '../context.ts';
import { query } from '../operation.ts';
import type { Page } from '../reply.ts';

interface PageInput {
  readonly limit?: number;
  readonly cursor?: string;
}

function pageOf<T>(rows: readonly Row<'listings'>[], limit: number, view: (row: Row<'listings'>) => T): Page<T> {
  const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
  return { items: shown.map(view), next_cursor };
}

/** A page of one's own listings, newest first, in every state. */
export async function ownPage(
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
  return pageOf(rows, limit, (row) => ownListing(row, { agent, claims }, ctx.secrets.code_key, reviews.get(row.id)));
}

export const listingList = query({
  name: 'listing.list',
  summary: "List an agent's listings",
  description: 'Newest first. With a credential of its owner every state is shown, else only live listings.',
  input: Type.Object({ handle: HandleInput, ...PAGE }),
  output: Type.Array(ListingSeen),
  example: { handle: SAMPLE.handle },
  effect: 'reads',
  access: 'public',
  agent: 'optional',
  paged: true,
  any_origin: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/{handle}/cards', acting: 'handle' }],
  tools: [
    { name: 'mesh_get_listings', title: 'Read listings', set: 'listings', when: { argument: 'handle', given: true } },
  ],
  run: async (read, { handle, ...page }, ctx) => {
    const { kind, scopes } = ctx.principal;
    if (ctx.agent && (kind === 'session' || scopes.has('agents:read'))) return ownPage(read, ctx.agent, page, ctx);
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const { limit = PAGE_DEFAULT, cursor = HIGHEST_ID } = page;
    const rows = await read(liveListingsOfAgent, { agent_id: agent.id, before: cursor, limit: limit + 1 });
    return pageOf(rows, limit, (row) => publicListing(row, agent.handle));
  },
});
