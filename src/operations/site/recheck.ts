// Looks every day whether a proven domain's record still stands. From the first look that misses it the claim fails and
// its worth falls to zero over 30 days (questions.md 12); then the domain is free for another agent. A DNS that gives no
// answer proves nothing either way for three days. The look itself is a background task, so that a slow DNS holds up no
// reminder; one that is lost in a crash is made up for by the next day's.
import { Type } from 'typebox';
import { type Effect, patch, remove } from '../../../db/effects.ts';
import { claimById } from '../../../db/queries/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { DECAY_MS } from '../../domain/agent/trust.ts';
import { isFault } from '../../domain/fault.ts';
import { changeAgent, loadAgent } from '../../steps/agent/own.ts';
import { isVerifiedBy } from '../../steps/agent/trust.ts';
import { holdListings } from '../../steps/listing/hide.ts';
import { domainRecord, LOOKUP_MS, RECHECK, recheckLater, recordStanding, type Standing } from '../../steps/site.ts';
import type { Ctx, FlowCtx, FlowPorts, LoadPorts } from '../context.ts';
import { flow } from '../operation.ts';

/** A DNS that gives no answer for so long no longer carries the record. */
const SILENCE_MS = 3 * 86_400_000;
/** For a look and the turn after it. */
const LOOK_MS = 2 * LOOKUP_MS;

/** The claim after a look: null when its time is over. */
function claimAfterLook(claim: Row<'claims'>, is: Standing['is'], now_ms: number): Row<'claims'> | null {
  const misses = is === 'missing' || (is === 'unknown' && now_ms - claim.checked_at >= SILENCE_MS);
  const failing_since = is === 'standing' ? null : (claim.failing_since ?? (misses ? now_ms : null));
  if (failing_since !== null && now_ms - failing_since >= DECAY_MS) return null;
  return { ...claim, failing_since, checked_at: is === 'unknown' ? claim.checked_at : now_ms };
}

/** One turn that writes down what the look found; the agent's trust and gate follow. */
async function settleClaim(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  claim_id: string,
  is: Standing['is'],
): Promise<Decision<null>> {
  const claim = await read(claimById, { id: claim_id });
  const { agent, claims, facts } = await loadAgent(read, ports, claim?.agent_id ?? '');
  if (!claim) return { reply: null };
  const after = claimAfterLook(claim, is, ctx.now_ms);
  const effects: Effect<never>[] = after
    ? [patch('claims', claim, { failing_since: after.failing_since, checked_at: after.checked_at })]
    : // The agent's offers on a domain that it no longer proves go out of sight.
      [remove('claims', claim), holdListings({ agent_id: claim.agent_id, domain: claim.external_id }, ctx.now_ms)];
  if (agent && (claim.failing_since !== null || after === null || after.failing_since !== null)) {
    const left = claims.flatMap((each) => (each.id !== claim.id ? [each] : after ? [after] : []));
    const standing = { ...facts, claims: left };
    const verified_at = isVerifiedBy(standing, ctx.now_ms) ? agent.verified_at : null;
    effects.push(...changeAgent(ctx, agent, { verified_at }, standing, []).effects);
    // Nothing that it has may be on the market while no proof stands.
    if (agent.verified_at !== null && verified_at === null)
      effects.push(holdListings({ agent_id: agent.id }, ctx.now_ms));
  }
  return { reply: null, effects };
}

/** Looks the record up and writes down what became of it. */
async function lookUpAndSettle(ctx: FlowCtx, ports: FlowPorts, claim: Row<'claims'>, gone: AbortSignal): Promise<void> {
  const { id, agent_id, external_id } = claim;
  const { is } = await recordStanding(ports, domainRecord(ctx.secrets.code_key, agent_id, external_id), gone);
  if (gone.aborted) return;
  const outcome = await ctx.turn({ agent_id, attempt: (read) => settleClaim(read, ctx, ports, id, is) });
  if (isFault(outcome)) throw new Error(`a look at a domain could not be written: ${outcome.fault}`);
}

export const siteRecheck = flow({
  ...RECHECK,
  summary: 'Look whether a proven domain still stands',
  output: Type.Object({ checked: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  faults: ['conflict'],
  rest: [],
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
