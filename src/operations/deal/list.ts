// The deals of an agent, newest first, whichever side it is on.
import { Type } from 'typebox';
import { dealsBought, dealsSold, type NamedDeal } from '../../../db/queries/deal.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { DEAL_STATUSES, dealStatus } from '../../domain/deal/deal.ts';
import { DealShape, dealView } from '../../schemas/deal.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { readProceeds } from '../../steps/deal/find.ts';
import { siftedPage } from '../../steps/page.ts';

type Side = 'buyer' | 'seller';

async function newestDeals(
  read: Read,
  { side, ...page }: { agent_id: string; before: string; limit: number; side: Side | undefined },
): Promise<NamedDeal[]> {
  const [bought, sold] = await Promise.all([
    side === 'seller' ? [] : read(dealsBought, page),
    side === 'buyer' ? [] : read(dealsSold, page),
  ]);
  const all = [...bought, ...sold].sort((a, b) => (a.deal.id < b.deal.id ? 1 : -1));
  return all.slice(0, page.limit);
}

export const dealList = query({
  name: 'deal.list',
  summary: 'List your deals',
  description:
    'Newest first. With `status` one call scans some thousand deals: a page may be short or empty and still have a next cursor.',
  input: Type.Object({
    ...PAGE,
    status: Type.Optional(Type.Enum([...DEAL_STATUSES])),
    side: Type.Optional(Type.Enum(['buyer', 'seller'], { description: 'your side; default: both' })),
  }),
  output: Type.Array(DealShape),
  access: 'key',
  scope: 'deals:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/deals' }],
  tools: [
    {
      name: 'mesh_check_deals',
      title: 'Read your deals',
      set: 'market',
      when: { argument: 'deal_id', given: false },
    },
  ],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID, status, side }, ctx) => {
    const me = actor(ctx).id;
    const page = await siftedPage({
      from: cursor,
      limit,
      read: (before, n) => newestDeals(read, { agent_id: me, before, limit: n, side }),
      cursorOf: ({ deal }) => deal.id,
      textOf: ({ deal }) => deal.title,
      fits:
        status === undefined ? null : ({ deal, escrow }) => dealStatus(deal.status, escrow?.status ?? null) === status,
    });
    const items = page.items.map(async (found) =>
      dealView({ ...found, proceeds: await readProceeds(read, found) }, me),
    );
    return { items: await Promise.all(items), next_cursor: page.next_cursor };
  },
});
