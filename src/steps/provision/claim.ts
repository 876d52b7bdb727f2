// How a provisional agent becomes a person's: it moves into the account of the address that was proven, with its handle, its wallet and
// all that it did. The account that it was provisioned with goes, and what it was called by stops ten minutes later.
import { type Effect, insert, patch, remove } from '../../../db/effects.ts';
import { agentById, claimsOfAgent } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { fault } from '../../domain/fault.ts';
import { CLAIMED_OVERLAP_MS } from '../../domain/identity/key.ts';
import { countAgent } from '../agent/count.ts';
import { watchSilence } from '../agent/silence.ts';
import { emailAt, type TrustFacts, trustColumns } from '../agent/trust.ts';
import { NO_KEY_PAIR } from '../key-pair.ts';
import { readLiveKeys } from './keys.ts';

/** What a claim decides on beside who claims. */
export interface Claimable {
  readonly agent: Row<'agents'>;
  /** The account that it was provisioned with. */
  readonly own: Row<'accounts'> | null;
  readonly keys: readonly Row<'api_keys'>[];
  readonly facts: Omit<TrustFacts, 'email_at'>;
}

export async function readClaimable(
  read: Read,
  id: string,
  now_ms: number,
  ports: Pick<LoadPorts, 'presence'>,
): Promise<Claimable> {
  // As it stands now: of two claims the second finds it claimed.
  const agent = await read(agentById, { id });
  if (!agent) throw new Error('the agent that calls is not there');
  const [own, keys, claims, presence] = await Promise.all([
    read(accountById, { id: agent.account_id }),
    readLiveKeys(read, agent.account_id, now_ms),
    read(claimsOfAgent, { agent_id: agent.id }),
    ports.presence(agent.id),
  ]);
  return { agent, own, keys, facts: { claims, presence, record: null } };
}

/** Until when the key works that called. */
export function claimedKeyEnds(now_ms: number): number {
  return now_ms + CLAIMED_OVERLAP_MS;
}

/** Moves the agent to an account, which is made if the address has none. It stays hidden until its person shows it. */
export function claimAgent(
  { agent, own, keys, facts }: Claimable,
  claimed_by: { readonly email: string; readonly account: Row<'accounts'> | null },
  ctx: Ctx,
): { account_id: string; effects: Effect<'conflict' | 'plan_limit'>[] } {
  const { now_ms } = ctx;
  const { email, account } = claimed_by;
  const fresh = { id: ctx.id(), email, plan: 'free' as const, created_at: now_ms };
  const account_id = account?.id ?? fresh.id;
  const trust = trustColumns(agent, { ...facts, email_at: account ? emailAt(account) : now_ms }, now_ms);
  const ends_at = claimedKeyEnds(now_ms);
  return {
    account_id,
    effects: [
      ...(account ? [] : [insert('accounts', fresh, fault('conflict'))]),
      countAgent(account_id),
      patch('agents', agent, { account_id, provisional: 0, updated_at: now_ms, ...NO_KEY_PAIR, ...trust }),
      watchSilence(agent.id, now_ms, now_ms),
      ...keys.map((key) => patch('api_keys', key, { account_id, expires_at: Math.min(key.expires_at, ends_at) })),
      ...(own ? [remove('accounts', own)] : []),
    ],
  };
}
