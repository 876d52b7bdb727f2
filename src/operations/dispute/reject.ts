// Rejects the other side's settlement: it can no longer be accepted, and the dispute goes on. Its amounts are said again, as for accepting.

import { patch } from '../../../db/effects.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { acceptFault, disputeFault, phaseAt } from '../../domain/escrow/dispute.ts';
import { codeWord, isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DisputeShape, disputeView, SplitFields } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { iso, PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn, roleScopeFault } from '../../steps/dispute/find.ts';
import { settlementAnswered } from '../../steps/dispute/settlement.ts';
import { tell } from '../../steps/event.ts';

export const disputeReject = command({
  name: 'dispute.reject',
  needed_by: 'a side that does not accept a settlement, and has no other one to propose',
  summary: 'Reject a settlement',
  description: describe`The dispute continues without the proposal; make another one with ${step('dispute.propose', 'refund_cents', 'release_cents')}. If the proposal has changed, the error is ${codeWord('proposal_changed')} with the current one. It does not count as an answer to the dispute. The proposer gets \`escrow.dispute_responded\`.`,
  input: namedObject('SettlementRejection', 'the proposal to reject', { escrow_id: PathId, ...SplitFields }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.proposed_escrow_id, refund_cents: 2000, release_cents: 3000 },
  effect: 'changes',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'insufficient_scope',
    'own_proposal',
    'no_proposal',
    'proposal_changed',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
    'conflict',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/reject' }],
  tools: [{ name: 'mesh_reject_settlement', title: 'Reject a settlement', set: 'wallet', extension: true }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, { refund_cents, release_cents }, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const refusal =
      roleScopeFault(ctx, role) ??
      disputeFault(phaseAt(dispute, ctx.now_ms), 'propose', role) ??
      acceptFault(dispute.proposal, actor(ctx).id, { refund_cents, release_cents });
    if (refusal) return refusal;
    const set = { proposal: null };
    const proposer = side === 'buyer' ? state.seller : state.buyer;
    const news = {
      escrow_id: dispute.escrow_id,
      dispute_id: dispute.id,
      respond_by: iso(dispute.respond_by),
      answer: 'settlement_rejected' as const,
      counterparty_handle: actor(ctx).handle,
    };
    return {
      reply: disputeView({ ...dispute, ...set }, evidence, namesIn(state, side), ctx.now_ms),
      effects: [
        patch('disputes', dispute, set),
        ...settlementAnswered(ctx, found, 'reject'),
        tell(ctx, proposer, 'escrow.dispute_responded', news),
      ],
    };
  },
});
