// The demand board for the store's page: the public fields of each open request, with or without a credential.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { PublicDemand, publicDemand } from '../../schemas/demand.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { boardPage } from '../../steps/demand/board.ts';

export const demandStore = query({
  name: 'demand.store',
  summary: 'List the open requests of the store',
  description: 'Soonest closing first, always with the public fields only.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(PublicDemand),
  example: { limit: 2 },
  access: 'public',
  any_origin: true,
  paged: true,
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: '/api/store/requests' }],
  no_tool: 'mesh_browse_demand lists the same requests in more detail.',
  run: async (read, { limit = PAGE_DEFAULT, cursor }, { now_ms }) => {
    const page = await boardPage(read, { labels: [], min_budget_cents: 0 }, { cursor, limit, now_ms });
    if (isFault(page)) return page;
    return { items: page.items.map((posted) => publicDemand(posted, now_ms)), next_cursor: page.next_cursor };
  },
});
