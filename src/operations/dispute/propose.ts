// Proposes how what is unreleased is shared; it takes the place of any earlier proposal, by whichever side.
import { patch } from '../../../db/effects.ts';
import { disputeFault, phaseAt, splitFault } from '../../domain/escrow/dispute.ts';
import { isFault } from '../../domain/fault.ts';
import { describe, step } from '../../domain/next-step.ts';
import { DisputeShape, disputeView, SplitFields } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn, roleScopeFault } from '../../steps/dispute/find.ts';
import { firstWord } from '../../steps/dispute/respond.ts';
import { actor } from '../context.ts';
import { command } from '../operation.ts';

export const disputePropose = command({
  name: 'dispute.propose',
  summary: 'Propose a settlement',
  description: describe`Both amounts together have to be all that is unreleased. The other side settles by ${step('dispute.accept', 'refund_cents', 'release_cents')} with the same amounts. A respondent's first proposal counts as their answer.`,
  input: namedObject('SettlementInput', 'how what is unreleased is to be shared', {
    escrow_id: PathId,
    ...SplitFields,
  }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.disputed_escrow_id, refund_cents: 2000, release_cents: 3000 },
  effect: 'changes',
  access: 'key',
  scope: 'deals:write',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'insufficient_scope',
    'invalid_request',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/propose' }],
  tools: [{ name: 'mesh_propose_settlement', title: 'Propose a settlement', set: 'wallet' }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, { refund_cents, release_cents }, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const refusal =
      roleScopeFault(ctx, role) ??
      disputeFault(phaseAt(dispute, ctx.now_ms), 'propose', role) ??
      splitFault({ refund_cents, release_cents }, dispute.unreleased_cents);
    if (refusal) return refusal;
    const word = firstWord(ctx, found, null);
    const set = { ...word.set, proposal: { by: actor(ctx).id, refund_cents, release_cents, at: ctx.now_ms } };
    return {
      reply: disputeView({ ...dispute, ...set }, evidence, namesIn(state, side), ctx.now_ms),
      effects: [patch('disputes', dispute, set), ...word.effects],
    };
  },
});
