// Removing the demo world: the open business of each of its persons is ended in favour of the other side, and its account is deleted as
// its person would delete it. What is left of its play money goes to the platform, so that the ledger balances as before.
import { agentsOfAccount, deactivatedAgents } from '../../../../db/queries/agent.ts';
import { escrowsBought, escrowsSold } from '../../../../db/queries/escrow.ts';
import { accountById } from '../../../../db/queries/identity.ts';
import { reminderById } from '../../../../db/queries/reminder.ts';
import { subscriptionsEarned, subscriptionsPaid } from '../../../../db/queries/subscription.ts';
import { HIGHEST_ID } from '../../../../db/query.ts';
import type { Row } from '../../../../db/schema/tables.ts';
import type { FlowCtx } from '../../../contract/context.ts';
import type { FlowPorts } from '../../../contract/ports.ts';
import type { DemoSide } from '../../../domain/demo.ts';
import { isFault } from '../../../domain/fault.ts';
import { ERASE, leaveNow } from '../../../steps/account/leave.ts';
import { readLeaving } from '../../../steps/account/leaving.ts';
import { reminderId } from '../../../steps/reminder.ts';

type Ports = Pick<FlowPorts, 'demo'>;

/** More than a person who tries the product opens; what is left over is ended by the next step. */
const OPEN_MAX = 50;

/** Ends an agent's escrows: a seller refunds or concedes, a buyer of a seller outside the demo releases. Refusals are left to a later try. */
async function endEscrows({ read }: FlowCtx, ports: Ports, side: DemoSide, agent_id: string): Promise<void> {
  const page = { agent_id, before: HIGHEST_ID, limit: OPEN_MAX };
  const as = { ...side, agent_id };
  for (const { escrow } of await read(escrowsSold.escrows, page)) {
    const input = { escrow_id: escrow.id };
    if (escrow.status === 'disputed') await ports.demo.act(as, 'dispute.concede', input);
    if (escrow.status === 'active') await ports.demo.act(as, 'escrow.refund', input);
  }
  const [bought, milestones] = await Promise.all([
    read(escrowsBought.escrows, page),
    read(escrowsBought.milestones, page),
  ]);
  for (const { escrow } of bought) {
    const { id: escrow_id, status } = escrow;
    if (status === 'disputed') await ports.demo.act(as, 'dispute.concede', { escrow_id });
    const held = milestones.filter((each) => each.escrow_id === escrow_id && each.status === 'held');
    for (const { milestone_index } of status === 'active' ? held : []) {
      await ports.demo.act(as, 'escrow.release', { escrow_id, milestone_index });
    }
  }
}

const STANDING: ReadonlySet<string> = new Set(['active', 'past_due', 'paused']);

async function endSubscriptions({ read }: FlowCtx, ports: Ports, side: DemoSide, agent_id: string): Promise<void> {
  const page = { agent_id, before: HIGHEST_ID, limit: OPEN_MAX };
  const all = (await Promise.all([read(subscriptionsPaid, page), read(subscriptionsEarned, page)])).flat();
  for (const { id, status } of all) {
    const input = { subscription_id: id };
    if (STANDING.has(status)) await ports.demo.act({ ...side, agent_id }, 'subscription.cancel', input);
  }
}

async function agentsOf({ read }: FlowCtx, account_id: string): Promise<Row<'agents'>[]> {
  const [there, gone] = await Promise.all([
    read(agentsOfAccount, { account_id }),
    read(deactivatedAgents, { account_id }),
  ]);
  return [...there, ...gone];
}

/** Whether the account of a side is deleted and nothing of it is left to be erased. */
async function isErased({ read }: FlowCtx, account_id: string): Promise<boolean> {
  const account = await read(accountById, { id: account_id });
  if (account?.deleted_at === null) return false;
  return (await read(reminderById, { id: reminderId(ERASE, account_id) })) === null;
}

/** Ends the business of sides that are still there: of all of them first, since they deal with each other. */
async function endBusiness(ctx: FlowCtx, ports: Ports, sides: readonly DemoSide[]): Promise<void> {
  for (const side of sides) {
    for (const { id } of await agentsOf(ctx, side.account_id)) {
      await endEscrows(ctx, ports, side, id);
      await endSubscriptions(ctx, ports, side, id);
    }
  }
}

/** Deletes the account of a side, without a letter of farewell; it stays while something of it is open. */
async function leave(ctx: FlowCtx, { account_id }: DemoSide): Promise<void> {
  await ctx.turn<unknown, 'not_found' | 'open_obligations' | 'balance_left' | 'conflict'>({
    attempt: async (read) => {
      const left = leaveNow(await readLeaving(read, account_id), { forfeit: true }, ctx);
      if (isFault(left)) return left;
      return { reply: null, effects: left.effects.filter((effect) => effect.do !== 'send') };
    },
  });
}

/** Removes what can be removed, and answers how many sides are gone with everything of theirs. */
export async function removeSides(ctx: FlowCtx, ports: Ports, sides: readonly DemoSide[]): Promise<number> {
  const there: DemoSide[] = [];
  for (const side of sides) if (!(await isErased(ctx, side.account_id))) there.push(side);
  await endBusiness(ctx, ports, there);
  for (const side of there) await leave(ctx, side);
  return sides.length - there.length;
}
