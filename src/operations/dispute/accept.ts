// Settles a dispute by the other side's proposal. The caller repeats its amounts, so that a proposal changed meanwhile is not accepted.

import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { acceptFault, disputeFault, phaseAt } from '../../domain/escrow/dispute.ts';
import { codeWord, isFault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { DisputeShape, disputeView, SplitFields } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn } from '../../steps/dispute/find.ts';
import { resolveDispute } from '../../steps/dispute/resolve.ts';

export const disputeAccept = command({
  name: 'dispute.accept',
  summary: 'Accept a settlement',
  description: describe`Final; settles at once. The amounts have to be those of the other side's proposal; if it has changed, the error is ${codeWord('proposal_changed')} with the current one. The outcome fee is taken from the released amount.`,
  input: namedObject('SettlementAcceptance', 'the proposal to accept', { escrow_id: PathId, ...SplitFields }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.proposed_escrow_id, refund_cents: 2000, release_cents: 3000 },
  effect: 'spends',
  access: 'key',
  scope: 'payments:write',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'own_proposal',
    'no_proposal',
    'proposal_changed',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
    'conflict',
    'open_obligations',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/accept' }],
  tools: [{ name: 'mesh_accept_settlement', title: 'Accept a settlement', set: 'wallet' }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, { refund_cents, release_cents }, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const split = { refund_cents, release_cents };
    const refusal =
      disputeFault(phaseAt(dispute, ctx.now_ms), 'accept', role) ?? acceptFault(dispute.proposal, actor(ctx).id, split);
    if (refusal) return refusal;
    const resolved = resolveDispute(ctx, found, 'settled', split);
    const names = namesIn({ ...state, escrow: resolved.escrow }, side);
    return { reply: disputeView(resolved.dispute, evidence, names, ctx.now_ms), effects: resolved.effects };
  },
});
