// What an agent's key pair is worth: as much as the key, grant or session that registered it, and for as long. One that a session
// registered has what a key from signup has, until it is replaced. A pair of which nobody knows what registered it gives nothing.
import { type Effect, patch } from '../../db/effects.ts';
import { agentsOfAccount } from '../../db/queries/agent.ts';
import { grantById, keyById } from '../../db/queries/identity.ts';
import type { BudgetColumn } from '../../db/schema/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import { grantStands } from '../domain/identity/grant.ts';
import type { GuardRow } from '../domain/identity/rate.ts';
import { scopesFor } from '../domain/identity/scope.ts';
import { tell } from './event.ts';

type Agent = Row<'agents'>;
type Paired = Pick<Agent, 'account_id' | 'public_key' | 'key_pair' | 'provisional'>;

export const NO_KEY_PAIR = { public_key: null, fingerprint: null, key_pair: null } as const;

export interface PairWorth {
  readonly scopes: readonly string[];
  readonly budget: BudgetColumn | null;
  /** In epoch milliseconds; without end where a session registered it. */
  readonly ends_at: number;
  /** The key or grant on which it hangs. */
  readonly under: GuardRow | null;
}

/** What tokens by the agent's pair are worth now; null where it gives none. */
export async function readPairWorth(read: Read, agent: Paired, now_ms: number): Promise<PairWorth | null> {
  const { key_pair, account_id } = agent;
  if (agent.public_key === null || key_pair === null) return null;
  const may = scopesFor(agent.provisional === 1);
  const { by, by_id: id } = key_pair;
  if (by === 'sessions') return { scopes: may, budget: null, ends_at: Number.POSITIVE_INFINITY, under: null };
  if (by === 'oauth_grants') {
    const grant = await read(grantById, { id });
    if (!grant || !grantStands(grant, now_ms) || grant.account_id !== account_id) return null;
    return worth(may, { ...grant, budget: null }, { table: by, id, version: grant.version });
  }
  const key = await read(keyById, { id });
  if (!key || key.revoked_at !== null || key.expires_at <= now_ms || key.account_id !== account_id) return null;
  return worth(may, key, { table: by, id, version: key.version });
}

function worth(
  may: readonly string[],
  { scopes, budget, expires_at }: Pick<Row<'api_keys'>, 'scopes' | 'budget' | 'expires_at'>,
  under: GuardRow,
): PairWorth {
  return { scopes: may.filter((scope) => scopes.includes(scope)), budget, ends_at: expires_at, under };
}

/** What registers a pair: the credential that calls. A token by a pair registers the next one under what registered that pair. */
export function registrarOf(
  { principal: { kind, guard, credential_id } }: Pick<Ctx, 'principal'>,
  { key_pair }: Pick<Agent, 'key_pair'>,
): Pick<NonNullable<Agent['key_pair']>, 'by' | 'by_id'> | null {
  if (kind === 'session') return { by: 'sessions', by_id: credential_id ?? '' };
  if (guard === null) return null;
  return guard.table === 'agents' ? key_pair : { by: guard.table, by_id: guard.id };
}

/** The agents of an account whose pair one of these registered. */
export async function pairedBy(read: Read, account_id: string, ids: readonly string[]): Promise<Agent[]> {
  const agents = await read(agentsOfAccount, { account_id });
  return agents.filter(({ key_pair }) => key_pair !== null && ids.includes(key_pair.by_id));
}

export function endPairs(agents: readonly Agent[], ctx: Ctx): Effect<never>[] {
  return agents.flatMap((agent) => [
    patch('agents', agent, { ...NO_KEY_PAIR, updated_at: ctx.now_ms }),
    tell(ctx, agent, 'agent.updated', { fields: ['public_key'] }),
  ]);
}

/** Hangs the pairs of agents on the key that takes another's place. */
export function passPairsOn(agents: readonly Agent[], by_id: string): Effect<never>[] {
  return agents.flatMap((agent) =>
    agent.key_pair === null ? [] : [patch('agents', agent, { key_pair: { ...agent.key_pair, by_id } })],
  );
}
