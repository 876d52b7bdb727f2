// The whole market at once: the categories of services, and a page of all live listings, offers and seeks.
import { Type } from 'typebox';
import { marketPage } from '../../../db/queries/market.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { ListingSeen, publicListing } from '../../schemas/listing.ts';
import { Category, EXPLORE } from '../../schemas/market.ts';
import { namedObject } from '../../schemas/named.ts';
import { NullableText, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { explorePage, readCategories } from '../../steps/market/explore.ts';

export const marketplaceBrowse = query({
  name: 'marketplace.browse',
  noun: 'The marketplace: live offers with a price, quotes, purchases, and the earnings of sellers.',
  summary: 'Browse the marketplace',
  description:
    'The categories of services, and live listings of listed agents, newest first: offers and seeks, with or without a price.',
  input: Type.Object({ ...EXPLORE, ...PAGE }),
  output: namedObject('Marketplace', 'categories, and a page of listings', {
    categories: Type.Array(Category),
    listings: Type.Array(ListingSeen),
    next_cursor: NullableText,
  }),
  example: { limit: 2 },
  access: 'public',
  tools: [{ name: 'mesh_browse_marketplace', title: 'Browse the marketplace', set: 'market' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID, ...wanted }) => {
    const listed = (before: string, most: number) => read(marketPage, { before, limit: most });
    const [categories, { items, next_cursor }] = await Promise.all([
      readCategories(read),
      explorePage(listed, wanted, { from: cursor, limit }),
    ]);
    return {
      categories,
      listings: items.map(({ listing, agent }) => publicListing(listing, agent.handle)),
      next_cursor,
    };
  },
});
