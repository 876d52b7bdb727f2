// The demand board, soonest closing first: public fields without a credential, full rows with one.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { foldLabels } from '../../domain/listing/label.ts';
import { DemandSeen, demandView, publicDemand } from '../../schemas/demand.ts';
import { LabelText } from '../../schemas/listing-input.ts';
import { Cents, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { boardPage, readerOf, seesWhole } from '../../steps/demand/board.ts';

export const demandList = query({
  name: 'demand.list',
  summary: 'Browse the demand board',
  description:
    'Open requests, soonest closing first: the public fields without a credential, all fields with a key that has ' +
    '`marketplace:read` or `deals:read`. One call with `labels` or `min_budget_cents` scans some thousand ' +
    'requests: a page may be short or empty and still have a next cursor.',
  input: Type.Object({
    labels: Type.Optional(Type.Array(LabelText, { maxItems: 50, description: 'any of them' })),
    min_budget_cents: Type.Optional(Cents),
    ...PAGE,
  }),
  output: Type.Array(DemandSeen),
  example: { labels: ['logo-design'], limit: 2 },
  access: 'public',
  agent: 'optional',
  paged: true,
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: '/api/demand' }],
  tools: [
    {
      name: 'mesh_browse_demand',
      title: 'Browse the demand board',
      set: 'market',
      when: { argument: 'request_id', given: false },
    },
  ],
  run: async (read, { labels = [], min_budget_cents = 0, limit = PAGE_DEFAULT, cursor }, ctx) => {
    const folded = foldLabels(labels);
    if (isFault(folded)) return folded;
    const wanted = { labels: folded.labels, min_budget_cents };
    const page = await boardPage(read, wanted, { cursor, limit, now_ms: ctx.now_ms });
    if (isFault(page)) return page;
    const whole = seesWhole(ctx);
    const items = page.items.map((posted) =>
      whole ? demandView(posted, readerOf(posted, ctx)) : publicDemand(posted, ctx.now_ms),
    );
    return { items, next_cursor: page.next_cursor };
  },
});
