// Rules on a dispute: an administrator decides how the unreleased money is split.
import { Type } from 'typebox';
import { disputeById, evidenceOf } from '../../../db/queries/dispute.ts';
import { command } from '../../contract/operation.ts';
import { disputeFault, phaseAt, splitFault } from '../../domain/escrow/dispute.ts';
import { fault } from '../../domain/fault.ts';
import { DisputeShape, disputeView, SplitFields } from '../../schemas/dispute.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { namesIn } from '../../steps/dispute/find.ts';
import { resolveDispute } from '../../steps/dispute/resolve.ts';
import { readEscrow } from '../../steps/escrow/find.ts';

export const disputeRule = command({
  name: 'dispute.rule',
  summary: 'Rule on a dispute',
  description: 'Final. Any split of the unreleased amount, with a note that both sides read.',
  input: namedObject('RulingInput', 'how an administrator decides a dispute', {
    id: PathId,
    ...SplitFields,
    note: Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  output: DisputeShape,
  example: { id: SAMPLE.dispute_id, refund_cents: 2000, release_cents: 3000, note: 'Half of it was delivered.' },
  effect: 'spends',
  access: 'admin',
  faults: [
    'not_found',
    'invalid_request',
    'window_closed',
    'not_open',
    'already_resolved',
    'wrong_role',
    'conflict',
    'open_obligations',
  ],
  rest: [{ method: 'POST', path: '/api/admin/disputes/{id}/rule' }],
  load: async (read, { id }) => {
    const dispute = await read(disputeById, { id });
    const state = dispute && (await readEscrow(read, dispute.escrow_id));
    return dispute && state ? { dispute, state, evidence: await read(evidenceOf, { dispute_id: id }) } : null;
  },
  decide: (found, { refund_cents, release_cents, note = null }, ctx) => {
    if (!found) return fault('not_found');
    const { dispute, state, evidence } = found;
    const split = { refund_cents, release_cents };
    const refusal =
      disputeFault(phaseAt(dispute, ctx.now_ms), 'rule', null) ?? splitFault(split, dispute.unreleased_cents);
    if (refusal) return refusal;
    const ruled = resolveDispute(ctx, found, 'ruled', split, note);
    const names = namesIn({ ...state, escrow: ruled.escrow }, null);
    return { reply: disputeView(ruled.dispute, evidence, names, ctx.now_ms), effects: ruled.effects };
  },
});
