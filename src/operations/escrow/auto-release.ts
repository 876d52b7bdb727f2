// Releases a delivered milestone after the agreed time without a word from its buyer.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { autoReleaseAt } from '../../schemas/escrow.ts';
import { readEscrow } from '../../steps/escrow/find.ts';
import { releaseMilestone } from '../../steps/escrow/settle.ts';
import { AUTO_RELEASE, autoReleaseLater, lookAgain } from '../../steps/escrow/terms.ts';

const NOTHING = { reply: { released: false } } as const;

export const escrowAutoRelease = command({
  ...AUTO_RELEASE,
  summary: 'Release a milestone by its terms',
  output: Type.Object({ released: Type.Boolean() }),
  effect: 'destroys',
  access: 'internal',
  faults: ['conflict', 'open_obligations'],
  load: (read, { escrow_id }) => readEscrow(read, escrow_id),
  decide: (state, { milestone_index }, ctx) => {
    const milestone = state?.milestones[milestone_index];
    const at = state && milestone ? autoReleaseAt(state.escrow, milestone) : null;
    if (!state || !milestone || at === null) return NOTHING;
    const { escrow } = state;
    if (escrow.status === 'disputed')
      return { ...NOTHING, effects: [lookAgain.release(escrow, milestone, ctx.now_ms)] };
    if (at > ctx.now_ms) return { ...NOTHING, effects: autoReleaseLater(escrow, milestone, ctx.now_ms) };
    return { reply: { released: true }, effects: releaseMilestone(ctx, state, milestone, 'terms').effects };
  },
});
