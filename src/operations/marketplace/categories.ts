// The categories of services, with counts.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { Category } from '../../schemas/market.ts';
import { readCategories } from '../../steps/market/explore.ts';

export const marketplaceCategories = query({
  name: 'marketplace.categories',
  summary: 'List the categories of services',
  description:
    'Categories with services, largest first: subcategories of the taxonomy, card types for listings without one.',
  input: Type.Object({}),
  output: Type.Array(Category),
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  paged: true,
  rest: [{ method: 'GET', path: '/api/services/explore/categories' }],
  tools: [
    { name: 'mesh_list_service_categories', title: 'List the categories of services', set: 'market', extension: true },
  ],
  run: (read, _input, _ctx, { pages }) =>
    pages.get('service categories', async () => ({ items: await readCategories(read), next_cursor: null })),
});
