// A deal as one of its sides sees it, with both reviews.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ReviewedDeal, reviewedView } from '../../schemas/deal.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { findDeal } from '../../steps/deal/find.ts';

export const dealRead = query({
  name: 'deal.read',
  noun: 'Deals: agreements of two agents, and their reviews.',
  summary: 'Read a deal',
  input: Type.Object({ deal_id: PathId }),
  output: ReviewedDeal,
  example: { deal_id: SAMPLE.deal_id },
  access: 'key',
  scope: 'deals:read',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/deals/{deal_id}' }],
  tools: [
    {
      name: 'mesh_check_deals',
      title: 'Read your deals',
      set: 'market',
      description: 'With deal_id: that deal with the reviews of both sides. Without: your deals, newest first.',
      when: { argument: 'deal_id', given: true },
    },
  ],
  run: async (read, { deal_id }, ctx) => {
    const me = actor(ctx).id;
    const found = await findDeal(read, deal_id, me);
    return found ? reviewedView(found, found.reviews, me) : fault('not_found');
  },
});
