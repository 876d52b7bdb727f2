// What leaving does at once, in one turn, however much an account holds: its address and plan, the names of its agents, its money.
// From that commit on none of its credentials stands and none of its agents is met anywhere. What it leaves behind goes after it,
// slice by slice (erase.ts).
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { blanked } from '../../../db/schema/personal-columns.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { fault } from '../../domain/fault.ts';
import { goneHandle } from '../../domain/identity/handle.ts';
import { post } from '../../domain/money/ledger.ts';

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
