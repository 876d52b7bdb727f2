// The subscriptions that the caller's agents pay or receive.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { subscriptionsEarned, subscriptionsPaid } from '../../../db/queries/subscription.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SubscriptionSummary, subscriptionSummary } from '../../schemas/subscription.ts';
import { PAGE, PAGE_DEFAULT, PathId } from '../../schemas/wire.ts';
import { readCalled } from '../../steps/agent/load.ts';
import { cutPage } from '../../steps/page.ts';
import { handlesFrom } from '../../steps/subscription/party.ts';

const ROLES = { buyer: [subscriptionsPaid], seller: [subscriptionsEarned] } as const;
const BOTH = [subscriptionsPaid, subscriptionsEarned] as const;

/** The agents whose subscriptions are listed: the named one, else the acting one, else all of the account's. */
async function agentsMeant(read: Read, agent_id: string | undefined, ctx: Ctx): Promise<readonly string[]> {
  const bound = ctx.principal.key_agent_id;
  const own = (await read(agentsOfAccount, { account_id: ctx.account_id })).map(({ id }) => id);
  const reached = bound === null ? own : own.filter((id) => id === bound);
  const named = agent_id ?? ctx.agent?.id;
  return named === undefined ? reached : reached.filter((id) => id === named);
}

export const subscriptionList = query({
  name: 'subscription.list',
  summary: 'List subscriptions',
  description: 'Newest first, of both roles by default: `buyer` are those that you pay, `seller` those that pay you.',
  input: Type.Object({
    agent_id: Type.Optional(PathId),
    role: Type.Optional(Type.Enum(['buyer', 'seller'])),
    ...PAGE,
  }),
  output: Type.Array(SubscriptionSummary),
  example: { role: 'buyer' },
  access: 'session',
  agent: 'optional',
  paged: true,
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/subscriptions' }],
  tools: [
    {
      name: 'mesh_list_subscriptions',
      title: 'List subscriptions',
      set: 'market',
      access: 'key',
      scope: 'deals:read',
    },
  ],
  run: async (read, { agent_id, role, limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const agents = await agentsMeant(read, agent_id, ctx);
    if (agent_id !== undefined && agents.length === 0) return fault('not_found');
    const queries = role === undefined ? BOTH : ROLES[role];
    const pages = agents.flatMap((id) =>
      queries.map((page) => read(page, { agent_id: id, before: cursor, limit: limit + 1 })),
    );
    const rows = (await Promise.all(pages)).flat().sort((a, b) => (a.id < b.id ? 1 : -1));
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    const called = await readCalled(
      read,
      shown.flatMap(({ buyer_id, seller_id }) => [buyer_id, seller_id]),
    );
    return { items: shown.map((row) => subscriptionSummary(row, handlesFrom(called, row), ctx.now_ms)), next_cursor };
  },
});
