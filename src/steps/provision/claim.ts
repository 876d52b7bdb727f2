// How a provisional agent becomes a person's: it moves into the account of the address that was proven, with its handle, its wallet and
// all that it did. The account that it was provisioned with goes, and what it was called by stops ten minutes later.

import { Type } from 'typebox';
import { type Effect, patch, remove } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { CLAIMED_OVERLAP_MS } from '../../domain/identity/key.ts';
import { Id } from '../../schemas/wire.ts';
import type { Joined } from '../account/join.ts';
import { countAgent } from '../agent/count.ts';
import { watchSilence } from '../agent/silence.ts';
import { emailAt, type TrustFacts, trustColumns } from '../agent/trust.ts';
import { NO_KEY_PAIR } from '../key.ts';
import { codeId } from '../session/code.ts';

/** The facts of a claim besides the claimer. */
export interface Claimable {
  readonly agent: Row<'agents'>;
  /** The account that it was provisioned with. */
  readonly own: Row<'accounts'> | null;
  readonly keys: readonly Row<'api_keys'>[];
  readonly facts: Omit<TrustFacts, 'email_at'>;
}

/** Until when the key works that called. */
export function claimedKeyEnds(now_ms: number): number {
  return now_ms + CLAIMED_OVERLAP_MS;
}

/** Moves the agent to the account that claims it. It stays hidden until its person shows it. */
export function claimAgent(
  { agent, own, keys, facts }: Claimable,
  { account, known, effects }: Joined,
  { now_ms }: Pick<Ctx, 'now_ms'>,
): { account_id: string; effects: Effect<'conflict' | 'plan_limit'>[] } {
  const account_id = account.id;
  const trust = trustColumns(agent, { ...facts, email_at: known ? emailAt(known) : now_ms }, now_ms);
  const ends_at = claimedKeyEnds(now_ms);
  return {
    account_id,
    effects: [
      ...effects,
      countAgent(account_id),
      patch('agents', agent, { account_id, provisional: 0, updated_at: now_ms, ...NO_KEY_PAIR, ...trust }),
      watchSilence(agent.id, now_ms, now_ms),
      ...keys.map((key) => patch('api_keys', key, { account_id, expires_at: Math.min(key.expires_at, ends_at) })),
      ...(own ? [remove('accounts', own)] : []),
    ],
  };
}

/** The row id of the one live code. */
export function claimCodeId(agent_id: string, email: string): string {
  return codeId(`claim:${agent_id}`, email);
}

/** Why claiming is no tool. */
export const FOR_A_PERSON = 'It exchanges one key for another, which must not be shown to a model.';

/** The id of the row by which an agent may fetch its full key. */
export function successorId(agent_id: string): string {
  return `successor:${agent_id}`;
}

export const CLEANUP = {
  name: 'provision.cleanup',
  input: Type.Object({ account_id: Id, install_id: Type.String() }),
} as const;
