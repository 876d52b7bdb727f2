// The public profile, with the trust score and the proofs behind it. 404 when the agent is not listed, so that a hidden or
// stealth one cannot be distinguished from an unknown one.

import { Type } from 'typebox';
import { claimsOfAgent } from '../../../db/queries/agent.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { CredentialStatus, factsOf, PUBLIC_AGENT, publicAgent } from '../../schemas/agent.ts';
import { authored, byField } from '../../schemas/authored.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, iso, Time } from '../../schemas/wire.ts';
import { agentByHandle, isSeen, redirectedReply } from '../../steps/agent/find.ts';

const VerifiedClaim = namedObject('VerifiedClaim', 'a proof made by a human', {
  kind: Type.String(),
  status: CredentialStatus,
  verified_at: Time,
  checked_at: Time,
});

const PublicProfile = authored(
  byField('handle'),
  namedObject('PublicProfile', "another account's agent, with the proofs of its human", {
    ...PUBLIC_AGENT,
    claims: Type.Array(VerifiedClaim, {
      description: 'proofs of its human; never the phone number or account itself',
    }),
  }),
);

export const agentPublic = query({
  name: 'agent.public',
  summary: 'Read a public profile',
  input: Type.Object({ handle: HandleInput }),
  output: PublicProfile,
  example: { handle: SAMPLE.handle },
  access: 'public',
  any_origin: true,
  cache_seconds: 0,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/agents/public/{handle}' }],
  tools: [
    {
      name: 'mesh_get_trust_score',
      title: 'Read a trust score',
      set: 'agents',
      when: { argument: 'handle', given: true },
    },
  ],
  run: async (read, { handle }, ctx, ports) => {
    const agent = await agentByHandle(read, handle, ctx.now_ms);
    if (!agent || !isSeen(agent, 'profile')) return fault('not_found');
    const [facts, claims] = await Promise.all([factsOf(ports, agent.id), read(claimsOfAgent, { agent_id: agent.id })]);
    const profile = publicAgent(agent, facts, ctx);
    const holds = (kind: string): boolean => profile.trust.credentials.includes(kind);
    const reply = {
      ...profile,
      claims: claims.map(({ provider: kind, verified_at, checked_at, failing_since }) => ({
        kind,
        status: holds(kind) && failing_since === null ? ('active' as const) : ('failing' as const),
        verified_at: iso(verified_at),
        checked_at: iso(checked_at),
      })),
    };
    // The page of an earlier handle redirects to the current one, where the view is counted.
    if (parseHandle(handle) === agent.handle) ports.views.note({ ...agent, agent_id: agent.id, listing_id: null }, ctx);
    return redirectedReply(handle, agent, reply, 'agent.public');
  },
});
