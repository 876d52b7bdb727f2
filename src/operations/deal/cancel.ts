// Takes back a deal that nobody has paid for. What is paid for is given back by the escrow's seller, or disputed.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { cancelFault } from '../../domain/deal/deal.ts';
import { fault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DealShape, dealView } from '../../schemas/deal.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { findDeal } from '../../steps/deal/find.ts';
import { actor } from '../context.ts';
import { command } from '../operation.ts';

export const dealCancel = command({
  name: 'deal.cancel',
  summary: 'Cancel a deal',
  description: describe`For either side, as long as nothing was paid. Once money is in escrow the seller gives it back by ${step('escrow.refund')}.`,
  input: Type.Object({ deal_id: PathId }),
  output: DealShape,
  example: { deal_id: SAMPLE.agreed_deal_id },
  effect: 'destroys',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: ['not_found', 'deal_not_cancelable'],
  rest: [{ method: 'POST', path: '/api/deals/{deal_id}/cancel' }],
  tools: [{ name: 'mesh_cancel_deal', title: 'Cancel a deal', set: 'market', extension: true }],
  load: (read, { deal_id }, ctx) => findDeal(read, deal_id, actor(ctx).id),
  decide: (found, _input, ctx) => {
    if (!found) return fault('not_found');
    const { deal } = found;
    const refusal = cancelFault(deal.status, deal.escrow_id);
    if (refusal) return refusal;
    const set = { status: 'cancelled' as const };
    return {
      reply: dealView({ ...found, deal: { ...deal, ...set } }, actor(ctx).id),
      effects: [patch('deals', deal, set)],
    };
  },
});
