// What a finished proof does, whatever was proven: the claim's row, the verification gate, the listings that waited. One
// outside account backs one agent in the whole network, kept by the claims' unique key (questions.md 11).
import { Type } from 'typebox';
import { type Effect, insert, patch, remove } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx, FlowCtx } from '../contract/context.ts';
import type { CredentialKind } from '../domain/agent/trust.ts';
import { type Fault, fault } from '../domain/fault.ts';
import { registrable } from '../outbound/domain-name.ts';
import { Id } from '../schemas/wire.ts';
import { changeAgent, type Own } from './agent/own.ts';
import { markAccount, markAgent } from './agent/partners.ts';
import { watchSilence } from './agent/silence.ts';
import { remindNow } from './reminder.ts';

/** The call that publishes what waited for an agent's verification. */
export const PUBLISH = { name: 'listing.publish', input: Type.Object({ agent_id: Id }) } as const;

type Agent = Row<'agents'>;
type Claim = Row<'claims'>;

interface Proof {
  readonly provider: CredentialKind;
  readonly external_id: string;
  /** A new phone takes the place of the last one; domains stand side by side. */
  readonly replaces: boolean;
}

/** What backs one agent alone beside the proof itself: the domain that somebody registered, of a name under it. */
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
  // Of several names under one domain the first holds it.
  const holds = holderOf({ provider, external_id });
  const held = claims.some((claim) => !dropped.includes(claim) && holderOf(claim) === holds);
  const row = { id: ctx.id(), agent_id, provider, external_id, holds: held ? null : holds, ...now };
  return {
    claims: [...claims.filter((claim) => !dropped.includes(claim)), row],
    effects: [...dropped.map((claim) => remove('claims', claim)), insert('claims', row, fault('credential_in_use'))],
  };
}

/** The agent's listings that a proof may have freed go live before the reply. */
function publishFreed(ctx: Ctx, agent: Agent): Effect<never> {
  return remindNow(PUBLISH, { agent_id: agent.id }, { key: agent.id, now_ms: ctx.now_ms });
}

/** Who shows what backs another account's agent has it in common with that one: it is kept, although nothing is proven by it. */
export async function noteSharing(
  refusal: Fault,
  agent_id: string,
  { provider, external_id }: Pick<Proof, 'provider' | 'external_id'>,
  ctx: FlowCtx,
): Promise<void> {
  if (refusal.fault !== 'credential_in_use') return;
  const effects = markAgent({ id: agent_id, account_id: ctx.account_id }, provider, external_id, ctx);
  await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects }) });
}

/** The agent after a proof with the effects of it; `claim` is the row that now stands for the proof. */
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
