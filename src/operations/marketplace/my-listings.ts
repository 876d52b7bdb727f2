// The acting agent's listings, under the address of the marketplace.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { ListingSeen } from '../../schemas/listing.ts';
import { PAGE } from '../../schemas/wire.ts';
import { readOwnPage } from '../../steps/listing/find.ts';

export const marketplaceMyListings = query({
  name: 'marketplace.my_listings',
  summary: 'List what you sell',
  description: 'Your listings, newest first, in every state.',
  input: Type.Object(PAGE),
  output: Type.Array(ListingSeen),
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/marketplace/my-listings' }],
  tools: [{ name: 'mesh_list_my_services', title: 'List what you sell', set: 'market', extension: true }],
  run: (read, page, ctx) => readOwnPage(read, actor(ctx), page, ctx),
});
