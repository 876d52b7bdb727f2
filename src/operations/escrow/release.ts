// Pays the seller a milestone, by the buyer's decision. The last one completes the deal.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { milestoneFault } from '../../domain/escrow/escrow.ts';
import { codeWord, fault, isFault } from '../../domain/fault.ts';
import { describe } from '../../domain/next-step.ts';
import { EscrowShape, escrowView } from '../../schemas/escrow.ts';
import { DryRunInput } from '../../schemas/money.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { handlesOf, loadEscrow, sideIn } from '../../steps/escrow/find.ts';
import { releaseMilestone } from '../../steps/escrow/settle.ts';

export const escrowRelease = command({
  name: 'escrow.release',
  summary: 'Release a milestone to the seller',
  description: describe`Final, by the buyer only. The seller gets the milestone less the fee of the seller's current plan; both get \`escrow.released\`. The last milestone completes the escrow and its deal. A second release is ${codeWord('already_released')}; in a dispute or after the end: ${codeWord('escrow_not_active')}. With \`dry_run\` nothing moves, and the response shows what would.`,
  input: namedObject('ReleaseInput', 'a milestone to release', {
    escrow_id: PathId,
    milestone_index: Type.Integer({ minimum: 0 }),
    dry_run: DryRunInput,
  }),
  output: EscrowShape,
  example: { escrow_id: SAMPLE.escrow_id, milestone_index: 0 },
  effect: 'spends',
  access: 'key',
  scope: 'payments:write',
  agent: 'required',
  dry_run: true,
  faults: [
    'not_found',
    'not_a_party',
    'wrong_role',
    'no_such_milestone',
    'already_released',
    'escrow_not_active',
    'open_obligations',
    'conflict',
  ],
  strict: true,
  rest: [{ method: 'POST', path: '/api/wallet/escrow/{escrow_id}/release' }],
  tools: [{ name: 'mesh_release_milestone', title: 'Release a milestone to the seller', set: 'wallet' }],
  load: (read, { escrow_id }, ctx) => loadEscrow(read, escrow_id, ctx),
  decide: (state, { milestone_index }, ctx) => {
    if (isFault(state)) return state;
    const { escrow, milestones } = state;
    if (sideIn(escrow, actor(ctx).id) !== 'buyer') return fault('wrong_role', 'Only the buyer can release.');
    const milestone = milestones[milestone_index];
    const refusal = milestoneFault(escrow.status, milestone);
    if (refusal) return refusal;
    if (!milestone) return fault('no_such_milestone');
    const released = releaseMilestone(ctx, state, milestone, 'buyer');
    return {
      reply: escrowView(released.escrow, released.milestones, handlesOf(state)),
      effects: released.effects,
    };
  },
});
