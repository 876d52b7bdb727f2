// The reads for deleting an account: its row, its plan, and its agents with what prevents the deletion of each.
import { agentsOfAccount, deactivatedAgents } from '../../../db/queries/agent.ts';
import { guardedBalance } from '../../../db/queries/ledger.ts';
import { counterById } from '../../../db/queries/turn.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { obligationsKey } from '../money/obligation.ts';
import { readTerm } from '../money/wallet-view.ts';
import type { Leaver, Leaving } from './leave.ts';

async function leaver(read: Read, agent: Row<'agents'>): Promise<Leaver> {
  const [open, wallet, held] = await Promise.all([
    read.peek(counterById, { id: obligationsKey(agent.id) }),
    read.peek(guardedBalance, { id: `wallet:${agent.id}` }),
    read.peek(guardedBalance, { id: `held:${agent.id}` }),
  ]);
  const bound = (open?.n ?? 0) > 0 || (held?.balance_cents ?? 0) > 0;
  return { agent, bound, balance_cents: wallet?.balance_cents ?? 0 };
}

export async function readLeaving(read: Read, account_id: string): Promise<Leaving> {
  const { account, term } = await readTerm(read, account_id);
  const [there, deactivated] = await Promise.all([
    read(agentsOfAccount, { account_id }),
    read(deactivatedAgents, { account_id }),
  ]);
  const agents = await Promise.all([...there, ...deactivated].map((agent) => leaver(read, agent)));
  return { account, term, agents };
}
