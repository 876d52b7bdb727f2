// Concedes a dispute: a seller refunds the unreleased money, a buyer releases it in full.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { allTo, disputeFault, otherSide, phaseAt } from '../../domain/escrow/dispute.ts';
import { isFault } from '../../domain/fault.ts';
import { DisputeShape, disputeView } from '../../schemas/dispute.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { loadDispute, namesIn } from '../../steps/dispute/find.ts';
import { resolveDispute } from '../../steps/dispute/resolve.ts';
import { answered } from '../../steps/dispute/respond.ts';

export const disputeConcede = command({
  name: 'dispute.concede',
  summary: 'Concede a dispute',
  description:
    'Final, for either side: the other side gets all unreleased money at once. A respondent who missed ' +
    'respond_by can still concede, but nothing else.',
  input: Type.Object({ escrow_id: PathId, note: Type.Optional(Type.String({ maxLength: 2000 })) }),
  output: DisputeShape,
  example: { escrow_id: SAMPLE.disputed_escrow_id },
  effect: 'spends',
  access: 'key',
  scope: 'payments:write',
  agent: 'required',
  faults: [
    'not_found',
    'not_a_party',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
    'conflict',
    'open_obligations',
  ],
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/dispute/concede' }],
  tools: [{ name: 'mesh_concede_dispute', title: 'Concede a dispute', set: 'wallet', takes: ['escrow_id'] }],
  load: (read, { escrow_id }, ctx) => loadDispute(read, escrow_id, ctx),
  decide: (found, { note = null }, ctx) => {
    if (isFault(found)) return found;
    const { dispute, evidence, role, side, state } = found;
    const refusal = disputeFault(phaseAt(dispute, ctx.now_ms), 'concede', role);
    if (refusal) return refusal;
    const split = allTo(otherSide(side), dispute.unreleased_cents);
    const resolved = resolveDispute(ctx, found, 'conceded', split);
    const names = namesIn({ ...state, escrow: resolved.escrow }, side);
    const answer = role === 'respondent' ? [answered(ctx, dispute, 'concede', note)] : [];
    return {
      reply: disputeView(resolved.dispute, evidence, names, ctx.now_ms),
      effects: [...answer, ...resolved.effects],
    };
  },
});
