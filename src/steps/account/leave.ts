// What leaving does at once, in one turn, however much an account holds: its address and plan, the names of its agents, its money.
// From that commit on none of its credentials stands and none of its agents is met anywhere. What it leaves behind goes after it,
// slice by slice (operations/account/erase.ts).

import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { post } from '../../domain/money/ledger.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** An agent without a name and without anything that its person said of it; its id, and what it did, stay. */
export function withoutName(agent: Row<'agents'>, now_ms: number): Effect<never>[] {
  const handle = goneHandle(agent.id);
  const named = { id: handle, kind: 'current' as const, agent_id: agent.id, email: null, expires_at: null };
  const nameless = patch('agents', agent, {
    ...blanked('agents', agent, agent.account_id),
    deactivated_at: agent.deactivated_at ?? now_ms,
    updated_at: now_ms,
  });
  return [nameless, insert('handles', named, 'ignore')];
}

/** What is left in a wallet becomes the platform's. A balance that moved meanwhile is read again. */
export function forfeit(
  { now_ms }: Pick<Ctx, 'now_ms'>,
  { id, account_id }: Pick<Row<'agents'>, 'id' | 'account_id'>,
  amount_cents: number,
): Effect<'conflict'> {
  const journal = { id: `forfeit:${id}`, kind: 'forfeit', subject_id: account_id, created_at: now_ms };
  const leg = { debit: `wallet:${id}`, credit: 'platform_fees', amount_cents } as const;
  return post(journal, [leg], 'again', fault('conflict'));
}

/** The call that takes the next slice. Agents go in the order of their ids, from `agent_id` on; null is the account itself. */
export const ERASE = {
  name: 'account.erase',
  input: Type.Object({
    account_id: Id,
    agent_id: Type.Union([Type.String(), Type.Null()]),
    stage: Type.String(),
    after: Type.String(),
  }),
} as const;

/** Begins it, behind the answer. */
export function eraseLater(account_id: string, now_ms: number): Effect<never> {
  return remind(ERASE, { account_id, agent_id: '', stage: '', after: '' }, { at: now_ms, key: account_id, now_ms });
}
