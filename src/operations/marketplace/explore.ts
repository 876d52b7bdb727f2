// Lists services for the public, cached rendered, since they are read far more often than they change.
import { Type } from 'typebox';
import { servicesPage } from '../../../db/queries/market.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { EXPLORE, Service, serviceView } from '../../schemas/market.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { explorePage, isBuyable, readRating } from '../../steps/market/explore.ts';

export const marketplaceExplore = query({
  name: 'marketplace.explore',
  summary: 'Browse services',
  description:
    'Live offers of listed and verified agents with an amount, newest first. Buy a tier by its id, a single fixed ' +
    'price as the tier `listed`.',
  input: Type.Object({ ...EXPLORE, ...PAGE }),
  output: Type.Array(Service),
  example: { q: 'logo', max_price_cents: 100_000, limit: 2 },
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  paged: true,
  rest: [{ method: 'GET', path: '/api/services/explore/list' }],
  tools: [{ name: 'mesh_browse_services', title: 'Browse services', set: 'market' }],
  run: (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID, ...wanted }, _ctx, { pages }) => {
    const { category, q, max_price_cents } = wanted;
    return pages.get(JSON.stringify(['services', category, q, max_price_cents, limit, cursor]), async () => {
      const sold = (before: string, most: number) => read(servicesPage, { before, limit: most });
      const { items, next_cursor } = await explorePage(sold, wanted, { from: cursor, limit });
      const shown = items.map(async (each) => {
        const rating = await readRating(read, each.listing);
        return serviceView(each.listing, each.agent, { rating, buyable: isBuyable(each) });
      });
      return { items: await Promise.all(shown), next_cursor };
    });
  },
});
