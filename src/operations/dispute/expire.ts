// Decides a dispute that nobody answered in time for its opener, in full.
import { Type } from 'typebox';
import { disputeById, evidenceOf } from '../../../db/queries/dispute.ts';
import { allTo, phaseAt } from '../../domain/escrow/dispute.ts';
import { EXPIRE_DISPUTE } from '../../steps/dispute/expire.ts';
import { openerSide } from '../../steps/dispute/find.ts';
import { resolveDispute } from '../../steps/dispute/resolve.ts';
import { readEscrow } from '../../steps/escrow/find.ts';
import { remind } from '../../steps/reminder.ts';
import { command } from '../operation.ts';

export const disputeExpire = command({
  ...EXPIRE_DISPUTE,
  summary: 'Decide an unanswered dispute',
  output: Type.Object({ defaulted: Type.Boolean() }),
  effect: 'destroys',
  access: 'internal',
  faults: ['conflict', 'open_obligations'],
  rest: [],
  load: async (read, { dispute_id }) => {
    const dispute = await read(disputeById, { id: dispute_id });
    const state = dispute && (await readEscrow(read, dispute.escrow_id));
    return dispute && state ? { dispute, state, evidence: await read(evidenceOf, { dispute_id }) } : null;
  },
  decide: (found, _input, ctx) => {
    const phase = found && phaseAt(found.dispute, ctx.now_ms);
    if (found && phase === 'open') {
      // Run before its time, as by a node whose clock is behind: it is asked for anew.
      const { id, respond_by } = found.dispute;
      const again = remind(EXPIRE_DISPUTE, { dispute_id: id }, { at: respond_by, key: id, now_ms: ctx.now_ms });
      return { reply: { defaulted: false }, effects: [again] };
    }
    if (!found || phase !== 'overdue') return { reply: { defaulted: false } };
    const split = allTo(openerSide(found), found.dispute.unreleased_cents);
    return { reply: { defaulted: true }, effects: resolveDispute(ctx, found, 'defaulted', split).effects };
  },
});
