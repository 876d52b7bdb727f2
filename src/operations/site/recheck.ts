// Checks every day whether a proven domain's record is still published. The check is a background task, so that a slow DNS delays no
// reminder; the next day's check makes up for one lost in a crash.
import { Type } from 'typebox';
import { claimById } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import { RECHECK, recheckLater } from '../../steps/claim.ts';
import { domainRecord, LOOKUP_MS, recordStanding } from '../../steps/outside.ts';
import { settleLook } from '../trust/recheck/settle.ts';

/** For a check and the turn after it. */
const LOOK_MS = 2 * LOOKUP_MS;

/** Queries the record and stores the result. */
async function lookUpAndSettle(ctx: FlowCtx, ports: FlowPorts, claim: Row<'claims'>, gone: AbortSignal): Promise<void> {
  const { agent_id, external_id } = claim;
  const { is } = await recordStanding(ports, domainRecord(ctx.secrets.code_key, agent_id, external_id), gone);
  if (!gone.aborted) await settleLook(claim, is, ctx, ports);
}

export const siteRecheck = flow({
  ...RECHECK,
  summary: 'Recheck a proven domain',
  output: Type.Object({ checked: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  faults: ['conflict'],
  run: async ({ claim_id }, ctx, ports) => {
    const claim = await ctx.read(claimById, { id: claim_id });
    if (!claim) return { reply: { checked: false } };
    const next = recheckLater(claim_id, ctx.now_ms);
    const armed = await ctx.turn({ agent_id: claim.agent_id, attempt: async () => ({ reply: null, effects: [next] }) });
    if (isFault(armed)) return armed;
    const work = (gone: AbortSignal): Promise<void> => lookUpAndSettle(ctx, ports, claim, gone);
    ports.tasks.run(next.id, { hosts: [claim.external_id], deadline_ms: LOOK_MS, looks: true, work });
    return { reply: { checked: true } };
  },
});
