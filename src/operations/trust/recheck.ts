// Checks whether the outside account that proves an agent still exists. The check is a background task, so that a slow site delays no
// reminder; the next day's check makes up for one lost in a crash.
import { Type } from 'typebox';
import { claimById } from '../../../db/queries/agent.ts';
import { flow } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { isOutdated, LOOK_AT_PROOF, lookLater, siteOf, TRADE_MS } from '../../steps/proof/asking.ts';
import { settleLook } from './recheck/settle.ts';

export const trustRecheck = flow({
  ...LOOK_AT_PROOF,
  summary: 'Recheck a proven account on another site',
  output: Type.Object({ checked: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  faults: ['conflict'],
  run: async ({ claim_id }, ctx, ports) => {
    const claim = await ctx.read(claimById, { id: claim_id });
    if (!claim) return { reply: { checked: false } };
    const next = lookLater(claim_id, ctx.now_ms);
    const armed = await ctx.turn({ agent_id: claim.agent_id, attempt: async () => ({ reply: null, effects: [next] }) });
    if (isFault(armed)) return armed;
    const site = siteOf(claim, ports);
    if (!site) {
      if (isOutdated(claim, ctx.now_ms)) await settleLook(claim, 'missing', ctx, ports);
      return { reply: { checked: true } };
    }
    const work = async (gone: AbortSignal): Promise<void> => {
      const is = await site.look(claim.external_id, gone);
      if (!gone.aborted) await settleLook(claim, is, ctx, ports);
    };
    ports.tasks.run(next.id, { hosts: site.hosts, deadline_ms: TRADE_MS, looks: true, work });
    return { reply: { checked: true } };
  },
});
