// Stores the result of a check of a claim, in a turn of its own.

import { type Effect, patch, remove } from '../../../../db/effects.ts';
import { claimById } from '../../../../db/queries/agent.ts';
import type { Decision, Read } from '../../../../db/store.ts';
import type { Ctx, FlowCtx } from '../../../contract/context.ts';
import type { LoadPorts } from '../../../contract/ports.ts';
import { DECAY_MS } from '../../../domain/agent/trust.ts';
import { isFault } from '../../../domain/fault.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { loadAgent } from '../../../steps/agent/load.ts';
import { type Claim, followClaim, type Looked } from '../../../steps/claim.ts';
import { holdListings } from '../../../steps/listing/hide.ts';

/** A claim without an answer for so long counts as missing. */
const SILENCE_MS = 3 * DAY_MS;

/** The claim after a check; null when it ends. */
function claimAfterLook(claim: Claim, is: Looked, now_ms: number): Claim | null {
  const misses = is === 'missing' || (is === 'unknown' && now_ms - claim.checked_at >= SILENCE_MS);
  const failing_since = is === 'standing' ? null : (claim.failing_since ?? (misses ? now_ms : null));
  if (failing_since !== null && now_ms - failing_since >= DECAY_MS) return null;
  return { ...claim, failing_since, checked_at: is === 'unknown' ? claim.checked_at : now_ms };
}

/** One turn that stores the result. */
async function settleClaim(
  read: Read,
  ctx: Ctx,
  ports: LoadPorts,
  claim_id: string,
  is: Looked,
): Promise<Decision<null>> {
  const claim = await read(claimById, { id: claim_id });
  const { agent, claims, facts } = await loadAgent(read, ports, claim?.agent_id ?? '');
  if (!claim) return { reply: null };
  const after = claimAfterLook(claim, is, ctx.now_ms);
  const { failing_since, checked_at } = after ?? claim;
  const effects: Effect<never>[] = [
    after ? patch('claims', claim, { failing_since, checked_at }) : remove('claims', claim),
  ];
  // Offers on a domain that is no longer proven are held.
  if (!after && claim.provider === 'domain')
    effects.push(holdListings({ agent_id: claim.agent_id, domain: claim.external_id }, ctx.now_ms));
  if (agent && (claim.failing_since !== null || after === null || after.failing_since !== null))
    effects.push(...followClaim(ctx, agent, { claims, facts }, claim, after).effects);
  return { reply: null, effects };
}

/** Stores the result of a check of a claim. */
export async function settleLook(
  { id, agent_id }: Pick<Claim, 'id' | 'agent_id'>,
  is: Looked,
  ctx: FlowCtx,
  ports: LoadPorts,
): Promise<void> {
  const outcome = await ctx.turn({ agent_id, attempt: (read) => settleClaim(read, ctx, ports, id, is) });
  if (isFault(outcome)) throw new Error(`the check of a claim could not be stored: ${outcome.fault}`);
}
