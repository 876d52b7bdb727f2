// Withdraws a dispute: no money moves, the escrow is active again, and the dispute counts toward no dispute rate.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { disputeFault, phaseAt } from '../../domain/escrow/dispute.ts';
import { isFault } from '../../domain/fault.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn } from '../../steps/dispute/find.ts';
import { withdrawDispute } from '../../steps/dispute/resolve.ts';

export const disputeWithdraw = command({
  name: 'dispute.withdraw',
  summary: 'Withdraw a dispute',
  description:
    'Only for the side that opened it, while it is open. The escrow becomes active again, and its terms continue.',
  input: Type.Object({ escrow_id: PathId }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.own_dispute_escrow_id },
  effect: 'changes',
  access: 'key',
  scope: 'payments:write',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'wrong_role',
    'window_closed',
    'not_open',
    'already_resolved',
    'conflict',
    'open_obligations',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/withdraw' }],
  tools: [{ name: 'mesh_withdraw_dispute', title: 'Withdraw a dispute', set: 'wallet' }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, _input, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const refusal = disputeFault(phaseAt(dispute, ctx.now_ms), 'withdraw', role);
    if (refusal) return refusal;
    const withdrawn = withdrawDispute(ctx, found);
    const names = namesIn({ ...state, escrow: withdrawn.escrow }, side);
    return { reply: disputeView(withdrawn.dispute, evidence, names, ctx.now_ms), effects: withdrawn.effects };
  },
});
