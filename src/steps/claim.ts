// The effects of a proof of any kind, and of its end: the claim's row, the verification gate, the waiting listings. One outside
// account backs one agent in the whole network, by the claims' unique key (questions.md 11).
import { Type } from 'typebox';
import { type Effect, insert, patch, type RemindEffect, remove } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import type { CredentialKind } from '../domain/agent/trust.ts';
import { type Fault, fault } from '../domain/fault.ts';
import { DAY_MS } from '../domain/time.ts';
import { registrable } from '../outbound/domain-name.ts';
import { Id } from '../schemas/wire.ts';
import { changeAgent, type Own } from './agent/own.ts';
import { markAccount, markAgent } from './agent/partners.ts';
import { watchSilence } from './agent/silence.ts';
import { isVerifiedBy } from './agent/trust.ts';
import { holdListings } from './listing/hide.ts';
import { remind, remindNow } from './reminder.ts';

/** The call that publishes what waited for an agent's verification. */
export const PUBLISH = { name: 'listing.publish', input: Type.Object({ agent_id: Id }) } as const;

type Agent = Row<'agents'>;
export type Claim = Row<'claims'>;

interface Proof {
  readonly provider: CredentialKind;
  readonly external_id: string;
  /** A new phone replaces the last one; an agent may have several domains. */
  readonly replaces: boolean;
}

/** What backs one agent only, beside the proof itself: for a name under a domain, the registered domain. */
function holderOf({
  provider,
  external_id,
}: Pick<Proof, 'external_id'> & { readonly provider: string }): string | null {
  return provider === 'domain' ? registrable(external_id) : null;
}

/** The claim rows after the proof, and how they get there. */
function withProof(
  ctx: Ctx,
  agent_id: string,
  claims: readonly Claim[],
  { provider, external_id, replaces }: Proof,
): { claims: Claim[]; effects: Effect<'credential_in_use'>[] } {
  const same = claims.find((claim) => claim.provider === provider && claim.external_id === external_id);
  if (same) {
    const again = { checked_at: ctx.now_ms, failing_since: null };
    return {
      claims: claims.map((claim) => (claim === same ? { ...same, ...again } : claim)),
      effects: [patch('claims', same, again)],
    };
  }
  const dropped = replaces ? claims.filter((claim) => claim.provider === provider) : [];
  const now = { verified_at: ctx.now_ms, checked_at: ctx.now_ms, failing_since: null, version: 1 };
  // The first of several names under one domain holds it.
  const holds = holderOf({ provider, external_id });
  const held = claims.some((claim) => !dropped.includes(claim) && holderOf(claim) === holds);
  const row = { id: ctx.id(), agent_id, provider, external_id, holds: held ? null : holds, ...now };
  return {
    claims: [...claims.filter((claim) => !dropped.includes(claim)), row],
    effects: [...dropped.map((claim) => remove('claims', claim)), insert('claims', row, fault('credential_in_use'))],
  };
}

/** Publishes before the reply the listings that the proof may have freed. */
function publishFreed(ctx: Ctx, agent: Agent): Effect<never> {
  return remindNow(PUBLISH, { agent_id: agent.id }, { key: agent.id, now_ms: ctx.now_ms });
}

/** Records that two accounts share what one of them tried to prove, although nothing is proven by it. */
export function noteSharing(
  refusal: Fault,
  agent_id: string,
  { provider, external_id }: Pick<Proof, 'provider' | 'external_id'>,
  ctx: Ctx,
): Effect<never>[] {
  if (refusal.fault !== 'credential_in_use') return [];
  return markAgent({ id: agent_id, account_id: ctx.account_id }, provider, external_id, ctx);
}

/** The agent after a proof, with the effects; `claim` is the proof's row. */
export function proveClaim(
  ctx: Ctx,
  agent: Agent,
  { claims, facts }: Pick<Own, 'claims' | 'facts'>,
  proof: Proof,
): { row: Agent; claims: readonly Claim[]; claim: Claim | undefined; effects: Effect<'credential_in_use'>[] } {
  const after = withProof(ctx, agent.id, claims, proof);
  const set = { verified_at: agent.verified_at ?? ctx.now_ms };
  const { row, effects } = changeAgent(ctx, agent, set, { ...facts, claims: after.claims }, []);
  // A phone frees listings only by verifying the agent; a domain frees those that name it.
  const frees = agent.verified_at === null || proof.provider === 'domain';
  return {
    row,
    claims: after.claims,
    claim: after.claims.find((each) => each.provider === proof.provider && each.external_id === proof.external_id),
    effects: [
      ...after.effects,
      ...effects,
      ...(facts.record
        ? markAgent(agent, proof.provider, proof.external_id, ctx)
        : [markAccount(agent.account_id, proof.provider, proof.external_id, ctx)]),
      ...(frees ? [publishFreed(ctx, agent)] : []),
      watchSilence(agent.id, ctx.now_ms, ctx.now_ms),
    ],
  };
}

export const RECHECK = { name: 'site.recheck', input: Type.Object({ claim_id: Id }) } as const;

export function recheckLater(claim_id: string, now_ms: number): RemindEffect {
  return remind(RECHECK, { claim_id }, { at: now_ms + DAY_MS, key: claim_id, now_ms });
}

/** The agent after it proved `domain`, with the effects; a first proof also starts the daily looks. */
export function claimDomain(
  ctx: Ctx,
  agent: Row<'agents'>,
  own: Pick<Own, 'claims' | 'facts'>,
  domain: string,
): { row: Row<'agents'>; claims: readonly Row<'claims'>[]; effects: Effect<'credential_in_use'>[] } {
  const { row, claims, claim, effects } = proveClaim(ctx, agent, own, {
    provider: 'domain',
    external_id: domain,
    replaces: false,
  });
  const isNew = claim !== undefined && !own.claims.some(({ id }) => id === claim.id);
  return { row, claims, effects: isNew ? [...effects, recheckLater(claim.id, ctx.now_ms)] : effects };
}

/** The result of a check: `missing` by a clear answer, `unknown` without one. */
export type Looked = 'standing' | 'missing' | 'unknown';

/** The agent after one of its claims changed, or went where `after` is null: its trust and its gate follow, and with the last proof
 * nothing that it has may be on the market. */
export function followClaim(
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
