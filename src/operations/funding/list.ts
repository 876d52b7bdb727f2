// The fundings of a wallet, newest first, paid or not.
import { Type } from 'typebox';
import { fundingsOfAgent } from '../../../db/queries/processor.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { Funding, fundingView } from '../../schemas/funding.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const fundingList = query({
  name: 'funding.list',
  summary: 'List the fundings of the wallet',
  description: 'Newest first, those too that were not paid.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(Funding),
  example: { limit: 2 },
  effect: 'reads',
  access: 'session',
  agent: 'required',
  paged: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/wallet/fundings' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const rows = await read(fundingsOfAgent, { agent_id: actor(ctx).id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: shown.map(fundingView), next_cursor };
  },
});
