// Reads of agents, their handles and their claims.
import { and, asc, eq, isNull } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

export const agentById = one<{ id: string }>()('agents', (db, t) =>
  db
    .select()
    .from(t.agents)
    .where(eq(t.agents.id, arg('id')))
    .limit(1),
);

/** What a handle names: an agent (current or alias) or a reservation; expiry is the caller's to judge. */
export const handleById = one<{ id: string }>()('handles', (db, t) =>
  db
    .select()
    .from(t.handles)
    .where(eq(t.handles.id, arg('id')))
    .limit(1),
);

/** An account's agents that were not deactivated, oldest first. */
export const agentsOfAccount = many<{ account_id: string }>()('agents', (db, t) =>
  db
    .select()
    .from(t.agents)
    .where(and(eq(t.agents.account_id, arg('account_id')), isNull(t.agents.deactivated_at)))
    .orderBy(asc(t.agents.id)),
);

export const claimsOfAgent = many<{ agent_id: string }>()('claims', (db, t) =>
  db
    .select()
    .from(t.claims)
    .where(eq(t.claims.agent_id, arg('agent_id'))),
);

export const claimById = one<{ id: string }>()('claims', (db, t) =>
  db
    .select()
    .from(t.claims)
    .where(eq(t.claims.id, arg('id')))
    .limit(1),
);
