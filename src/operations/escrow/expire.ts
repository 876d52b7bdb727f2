// Refunds the milestones that were not delivered by the date that the buyer set. Delivered ones stay to be released or disputed.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { readEscrow } from '../../steps/escrow/find.ts';
import { refundMilestones } from '../../steps/escrow/settle.ts';
import { EXPIRE, expireLater, lookAgain } from '../../steps/escrow/terms.ts';

const NOTHING = { reply: { refunded: 0 } } as const;

export const escrowExpire = command({
  ...EXPIRE,
  summary: 'Refund what was not delivered in time',
  output: Type.Object({ refunded: Type.Integer({ description: 'milestones' }) }),
  effect: 'destroys',
  access: 'internal',
  faults: ['conflict', 'open_obligations'],
  load: (read, { escrow_id }) => readEscrow(read, escrow_id),
  decide: (state, _input, ctx) => {
    if (!state) return NOTHING;
    const { escrow, milestones } = state;
    const isDue = escrow.expires_at !== null && escrow.expires_at <= ctx.now_ms;
    if (escrow.status === 'disputed') return { ...NOTHING, effects: [lookAgain.expire(escrow, ctx.now_ms)] };
    const late = milestones.filter(({ status, deliverable }) => status === 'held' && deliverable === null);
    // It ran early, for example on a node whose clock is behind: it is scheduled again.
    if (!isDue && escrow.status === 'active') return { ...NOTHING, effects: expireLater(escrow, ctx.now_ms) };
    if (escrow.status !== 'active' || late.length === 0) return NOTHING;
    return { reply: { refunded: late.length }, effects: refundMilestones(ctx, state, late, 'terms').effects };
  },
});
