// Reads of agents, their handles, their claims and their presence.
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import { arg, byId, many, one } from '../query.ts';
import type { Row, Tables } from '../schema/tables.ts';

export const agentById = byId('agents');

export type Party = Pick<
  Row<'agents'>,
  'id' | 'handle' | 'account_id' | 'kind' | 'bounds' | 'verified_at' | 'deactivated_at' | 'version'
>;

/** The columns of an agent that a payment needs: a third of them, and no texts. */
export function partyColumns({ agents: t }: Tables): Pick<Tables['agents'], keyof Party> {
  return {
    id: t.id,
    handle: t.handle,
    account_id: t.account_id,
    kind: t.kind,
    bounds: t.bounds,
    verified_at: t.verified_at,
    deactivated_at: t.deactivated_at,
    version: t.version,
  };
}

/** The agent that a handle names, now or until `lapses_at`, in one read. A rename moves the agent's version too. */
export const partyOfHandle = one<{ handle: string }>()('agents', (db, t) =>
  db
    .select({ ...partyColumns(t), named: t.handles.kind, lapses_at: t.handles.expires_at })
    .from(t.handles)
    .innerJoin(t.agents, eq(t.agents.id, t.handles.agent_id))
    .where(eq(t.handles.id, arg('handle')))
    .limit(1),
);

/** An agent's handle, and the plan of its account. */
export const calledById = one<{ id: string }>()(null, (db, t) =>
  db
    .select({ handle: t.agents.handle, plan: t.accounts.plan })
    .from(t.agents)
    .innerJoin(t.accounts, eq(t.accounts.id, t.agents.account_id))
    .where(eq(t.agents.id, arg('id')))
    .limit(1),
);

/** The row of a handle: an agent's (current or alias) or a reservation; the caller checks its expiry. */
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

/** The claim of an outside account, of any agent. */
export const claimByExternal = one<{ provider: string; external_id: string }>()('claims', (db, t) =>
  db
    .select()
    .from(t.claims)
    .where(and(eq(t.claims.provider, arg('provider')), eq(t.claims.external_id, arg('external_id'))))
    .limit(1),
);

export const presenceOf = byId('presence', null);
