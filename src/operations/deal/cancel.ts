// Cancels an unpaid deal, and tells the other side in the conversation in which it was agreed. A paid deal is refunded by its seller, or disputed.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { cancelFault } from '../../domain/deal/deal.ts';
import { fault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DealShape, dealView } from '../../schemas/deal.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { findDeal } from '../../steps/deal/find.ts';
import { noteIn } from '../../steps/message/post.ts';
import { threadToPost } from '../../steps/message/thread.ts';

export const dealCancel = command({
  name: 'deal.cancel',
  summary: 'Cancel a deal',
  description: describe`For either side, while nothing was paid. The other side is told in the conversation. Once money is in escrow, the seller refunds it with ${step('escrow.refund')}.`,
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
  load: async (read, { deal_id }, ctx) => {
    const me = actor(ctx).id;
    const found = await findDeal(read, deal_id, me);
    const { conversation_id = null, buyer_id = '', seller_id = '' } = found?.deal ?? {};
    if (conversation_id === null) return { found, thread: null };
    const other = await read(agentById, { id: buyer_id === me ? seller_id : buyer_id });
    // A deactivated agent gets no message.
    const reads = other !== null && other.deactivated_at === null;
    return { found, thread: reads ? await threadToPost(read, conversation_id, me) : null };
  },
  decide: ({ found, thread }, _input, ctx) => {
    if (!found) return fault('not_found');
    const { deal, escrow } = found;
    const refusal = cancelFault(deal.status, deal.escrow_id, escrow?.status ?? null);
    if (refusal) return refusal;
    const me = actor(ctx);
    const set = { status: 'cancelled' as const };
    const news = { code: 'deal_cancelled', amount_cents: deal.amount_cents } as const;
    return {
      reply: dealView({ ...found, deal: { ...deal, ...set } }, me.id),
      effects: [patch('deals', deal, set), ...noteIn(ctx, me, thread, news)],
    };
  },
});
