// An agent's part of the demand board: the requests that it posted, or those that it quoted for, in every state.
import { Type } from 'typebox';
import { demandOfAgent, demandQuotedBy } from '../../../db/queries/demand.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { DemandDetail, demandDetail } from '../../schemas/demand.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const demandMine = query({
  name: 'demand.mine',
  needed_by: 'an agent that posted requests or quoted for some',
  summary: 'List your requests, or those you quote for',
  description:
    'Newest first, in every state. As `requester`: requests that you posted, without their quotes. As `seller`: requests that you quoted for, with your quote.',
  input: Type.Object({
    role: Type.Optional(Type.Enum(['requester', 'seller'], { description: 'default: requester' })),
    ...PAGE,
  }),
  output: Type.Array(DemandDetail),
  access: 'key',
  scope: 'deals:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/demand/mine' }],
  tools: [{ name: 'mesh_my_demand', title: 'List your requests and quotes', set: 'market', extension: true }],
  run: async (read, { role = 'requester', limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const me = actor(ctx);
    const asked = { agent_id: me.id, before: cursor, limit: limit + 1 };
    const { now_ms } = ctx;
    if (role === 'requester') {
      const rows = await read(demandOfAgent, asked);
      const { shown, next_cursor } = cutPage(rows, limit, ({ request }) => request.id);
      return { items: shown.map((posted) => demandDetail(posted, [], { requests: true, now_ms })), next_cursor };
    }
    const seller_plan = ctx.principal.plan;
    const rows = await read(demandQuotedBy, asked);
    const { shown, next_cursor } = cutPage(rows, limit, ({ quote }) => quote.id);
    const items = shown.map(({ quote, ...posted }) =>
      demandDetail(posted, [{ quote, agent: me, seller_plan }], { requests: false, now_ms }),
    );
    return { items, next_cursor };
  },
});
