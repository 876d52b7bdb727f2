// What a look at a claim leads to: one that no longer stands fails from then on, its worth falls to zero over 30 days (questions.md 12),
// and then what it named is free for another agent. Who gives no answer proves nothing either way for three days. The agent's
// trust and its gate follow in the same turn.

import { type Effect, patch, remove } from '../../db/effects.ts';
import { claimById } from '../../db/queries/agent.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision, Read } from '../../db/store.ts';
import type { Ctx, FlowCtx } from '../contract/context.ts';
import type { LoadPorts } from '../contract/ports.ts';
import { DECAY_MS } from '../domain/agent/trust.ts';
import { isFault } from '../domain/fault.ts';
import { DAY_MS } from '../domain/time.ts';
import { changeAgent, loadAgent, type Own } from './agent/own.ts';
import { isVerifiedBy } from './agent/trust.ts';
import { holdListings } from './listing/hide.ts';

type Claim = Row<'claims'>;

/** What a look found: `missing` is a clear word, `unknown` none at all. */
export type Looked = 'standing' | 'missing' | 'unknown';

/** Silence for so long no longer carries a claim. */
const SILENCE_MS = 3 * DAY_MS;

/** The claim after a look: null when its time is over. */
function claimAfterLook(claim: Claim, is: Looked, now_ms: number): Claim | null {
  const misses = is === 'missing' || (is === 'unknown' && now_ms - claim.checked_at >= SILENCE_MS);
  const failing_since = is === 'standing' ? null : (claim.failing_since ?? (misses ? now_ms : null));
  if (failing_since !== null && now_ms - failing_since >= DECAY_MS) return null;
  return { ...claim, failing_since, checked_at: is === 'unknown' ? claim.checked_at : now_ms };
}

/** The agent after one of its claims changed, or went where `after` is null: its trust and its gate follow, and with the last proof
 * nothing that it has may be on the market. */
function followClaim(
  ctx: Ctx,
  agent: Row<'agents'>,
  { claims, facts }: Pick<Own, 'claims' | 'facts'>,
  claim: Claim,
  after: Claim | null,
): { row: Row<'agents'>; effects: Effect<never>[] } {
  const left = claims.flatMap((each) => (each.id !== claim.id ? [each] : after ? [after] : []));
  const standing = { ...facts, claims: left };
  const verified_at = isVerifiedBy(standing, ctx.now_ms) ? agent.verified_at : null;
  const { row, effects } = changeAgent(ctx, agent, { verified_at }, standing, []);
  const closes = agent.verified_at !== null && verified_at === null;
  return { row, effects: [...effects, ...(closes ? [holdListings({ agent_id: agent.id }, ctx.now_ms)] : [])] };
}

/** Takes a claim away at once. */
export function claimEnds(
  ctx: Ctx,
  agent: Row<'agents'>,
  own: Pick<Own, 'claims' | 'facts'>,
  claim: Claim,
): { row: Row<'agents'>; effects: Effect<never>[] } {
  const { row, effects } = followClaim(ctx, agent, own, claim, null);
  return { row, effects: [remove('claims', claim), ...effects] };
}

/** One turn that writes down what the look found. */
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
  // The agent's offers on a domain that it no longer proves go out of sight.
  if (!after && claim.provider === 'domain')
    effects.push(holdListings({ agent_id: claim.agent_id, domain: claim.external_id }, ctx.now_ms));
  if (agent && (claim.failing_since !== null || after === null || after.failing_since !== null))
    effects.push(...followClaim(ctx, agent, { claims, facts }, claim, after).effects);
  return { reply: null, effects };
}

/** Writes down what a look at a claim found. */
export async function settleLook(
  { id, agent_id }: Pick<Claim, 'id' | 'agent_id'>,
  is: Looked,
  ctx: FlowCtx,
  ports: LoadPorts,
): Promise<void> {
  const outcome = await ctx.turn({ agent_id, attempt: (read) => settleClaim(read, ctx, ports, id, is) });
  if (isFault(outcome)) throw new Error(`a look at a claim could not be written: ${outcome.fault}`);
}
