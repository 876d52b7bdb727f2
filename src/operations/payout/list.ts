// An agent's payouts, newest first.
import { Type } from 'typebox';
import { payoutsOfAgent } from '../../../db/queries/payout.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { Payout, payoutView } from '../../schemas/wallet.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const payoutList = query({
  name: 'payout.list',
  needed_by: 'a person who checks withdrawals',
  summary: 'List payouts',
  description: 'The withdrawals of the acting agent, newest first.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(Payout),
  access: 'session',
  agent: 'required',
  even_deactivated: true,
  paged: true,
  rest: [{ method: 'GET', path: '/api/wallet/payouts' }],
  run: async (read, { cursor, limit = PAGE_DEFAULT }, ctx) => {
    const page = { agent_id: actor(ctx).id, before: cursor ?? HIGHEST_ID, limit: limit + 1 };
    const { shown, next_cursor } = cutPage(await read(payoutsOfAgent, page), limit, ({ id }) => id);
    return { items: shown.map(payoutView), next_cursor };
  },
});
