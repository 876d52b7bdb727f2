// Refunds the unreleased money to the buyer, by the seller's decision and without a dispute.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { activeFault } from '../../domain/escrow/escrow.ts';
import { codeWord, fault, isFault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { handlesOf, loadEscrow, sideIn } from '../../steps/escrow/find.ts';
import { refundMilestones } from '../../steps/escrow/settle.ts';

export const escrowRefund = command({
  name: 'escrow.refund',
  summary: 'Refund the unreleased amount',
  description: describe`Final, by the seller only: the buyer gets all unreleased money, without a fee, and the escrow ends. Both get \`escrow.refunded\`. In a dispute or after the end: ${codeWord('escrow_not_active')}; in a dispute, concede it instead.`,
  input: Type.Object({ escrow_id: PathId }),
  output: EscrowShape,
  example: { escrow_id: SAMPLE.sold_escrow_id },
  effect: 'destroys',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: ['not_found', 'not_a_party', 'wrong_role', 'escrow_not_active', 'open_obligations', 'conflict'],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/refund' }],
  tools: [{ name: 'mesh_refund_escrow', title: 'Refund the unreleased amount', set: 'wallet', extension: true }],
  load: (read, { escrow_id }, ctx) => loadEscrow(read, escrow_id, ctx),
  decide: (state, _input, ctx) => {
    if (isFault(state)) return state;
    if (sideIn(state.escrow, actor(ctx).id) !== 'seller') return fault('wrong_role', 'Only the seller can refund.');
    const refusal = activeFault(state.escrow.status);
    if (refusal) return refusal;
    const held = state.milestones.filter(({ status }) => status === 'held');
    const refunded = refundMilestones(ctx, state, held, 'seller');
    return {
      reply: escrowView(refunded.escrow, refunded.milestones, handlesOf(state)),
      effects: refunded.effects,
    };
  },
});
