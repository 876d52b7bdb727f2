// Lists the acting agent's own listings, without a handle in the path.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { ACTING, describe } from '../../domain/next-step.ts';
import { ListingSeen } from '../../schemas/listing.ts';
import { PAGE } from '../../schemas/wire.ts';
import { readOwnPage } from '../../steps/listing/find.ts';

export const listingMine = query({
  name: 'listing.mine',
  summary: 'List your own listings',
  description: describe`Newest first, in every state. ${ACTING} picks the agent when several are owned.`,
  input: Type.Object(PAGE),
  output: Type.Array(ListingSeen),
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/v1/listings' }],
  tools: [
    { name: 'mesh_get_listings', title: 'Read listings', set: 'listings', when: { argument: 'handle', given: false } },
  ],
  run: (read, page, ctx) => readOwnPage(read, actor(ctx), page, ctx),
});
