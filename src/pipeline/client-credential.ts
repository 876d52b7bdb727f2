// What the access token of a client is worth: of an agent that asked by its own key, or of a program that a person let in. Either
// counts like a key, for as long as the row stands on which it hangs.
import { agentById } from '../../db/queries/agent.ts';
import { accountById, grantById } from '../../db/queries/identity.ts';
import type { Principal } from '../contract/context.ts';
import { grantStands } from '../domain/identity/grant.ts';
import type { Guard } from '../domain/identity/guard.ts';
import type { AgentClaims, GrantClaims } from '../outbound/session/issuer.ts';
import { readPairWorth } from '../steps/key-pair.ts';
import type { Core } from './core.ts';

/** A credential that stands, as it was read. */
export interface Credential {
  readonly principal: Principal;
  readonly account_id: string;
  readonly guard: Guard;
  /** When it ends by itself. */
  readonly expires_at: number;
}

/** What the token of a client says. */
export type ClientClaims = AgentClaims | GrantClaims;

export const NOBODY: Principal = {
  kind: 'none',
  account_id: null,
  plan: 'free',
  scopes: new Set(),
  provisional: false,
  admin: false,
  key_agent_id: null,
  credential_id: null,
  guard: null,
  budget: null,
};

/** The credential; null for one that does not stand. */
export function readClient(core: Core, claims: ClientClaims): Promise<Credential | null> {
  return 'grant_id' in claims ? readGrant(core, claims) : readAgent(core, claims);
}

/** A token counts like a key that is bound to its agent, for as long as the pair that asked for it is the agent's and stands. */
async function readAgent(
  { store, clock }: Core,
  { sub, jti, exp, scopes, fingerprint }: AgentClaims,
): Promise<Credential | null> {
  const agent = await store.read(agentById, { id: sub });
  if (!agent || agent.deactivated_at !== null || agent.fingerprint !== fingerprint) return null;
  const account = await store.read(accountById, { id: agent.account_id });
  if (!account || account.deleted_at !== null) return null;
  const worth = await readPairWorth(store.read, agent, clock.now());
  if (worth === null) return null;
  const { under } = worth;
  const guard = { table: 'agents', id: agent.id, version: agent.version, fingerprint, under } as const;
  const principal: Principal = {
    ...NOBODY,
    kind: 'key',
    account_id: account.id,
    plan: account.plan,
    scopes: new Set(scopes.filter((scope) => worth.scopes.includes(scope))),
    provisional: agent.provisional === 1,
    key_agent_id: agent.id,
    credential_id: under?.id ?? jti,
    guard,
    budget: worth.budget,
  };
  return { principal, account_id: account.id, guard, expires_at: Math.min(exp * 1000, worth.ends_at) };
}

/** A program's token has the scopes that were asked for with it, as far as its person granted them. */
async function readGrant(
  { store, clock }: Core,
  { sub, client_id, grant_id, scopes, exp }: GrantClaims,
): Promise<Credential | null> {
  const grant = await store.read(grantById, { id: grant_id });
  if (!grant || !grantStands(grant, clock.now())) return null;
  if (grant.account_id !== sub || grant.client_id !== client_id) return null;
  const account = await store.read(accountById, { id: sub });
  if (!account || account.deleted_at !== null) return null;
  const guard = { table: 'oauth_grants', id: grant.id, version: grant.version } as const;
  const principal: Principal = {
    ...NOBODY,
    kind: 'key',
    account_id: account.id,
    plan: account.plan,
    scopes: new Set(scopes.filter((scope) => grant.scopes.includes(scope))),
    key_agent_id: grant.agent_id,
    credential_id: grant.id,
    guard,
  };
  return { principal, account_id: account.id, guard, expires_at: Math.min(exp * 1000, grant.expires_at) };
}
