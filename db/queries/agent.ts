// Reads of agents, their handles, their claims and their presence.
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

export const agentById = byId('agents');

/** What a handle names: an agent (current or alias) or a reservation; expiry is the caller's to judge. */
export const handleById = byId('handles');

/** An account's agents that were not deactivated, oldest first. */
export const agentsOfAccount = many<{ account_id: string }>()('agents', (db, t) =>
  db
    .select()
    .from(t.agents)
    .where(and(eq(t.agents.account_id, arg('account_id')), isNull(t.agents.deactivated_at)))
    .orderBy(asc(t.agents.id)),
);

/** Those that were deactivated, oldest first. */
export const deactivatedAgents = many<{ account_id: string }>()('agents', (db, t) =>
  db
    .select()
    .from(t.agents)
    .where(and(eq(t.agents.account_id, arg('account_id')), isNotNull(t.agents.deactivated_at)))
    .orderBy(asc(t.agents.id)),
);

export const claimsOfAgent = many<{ agent_id: string }>()('claims', (db, t) =>
  db
    .select()
    .from(t.claims)
    .where(eq(t.claims.agent_id, arg('agent_id'))),
);

export const claimById = byId('claims');

export const presenceOf = byId('presence', null);
