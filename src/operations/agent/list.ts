// Lists the caller's agents, newest first, without deactivated ones.
import { Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { query } from '../../contract/operation.ts';
import { Agent, factsOf, isOwner, ownAgent } from '../../schemas/agent.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const agentList = query({
  name: 'agent.list',
  summary: 'List your agents',
  description: 'Newest first. A key that is bound to an agent lists that one.',
  input: Type.Object(PAGE),
  output: Type.Array(Agent),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'optional',
  paged: true,
  rest: [{ method: 'GET', path: '/api/agents' }],
  tools: [{ name: 'mesh_list_agents', title: 'List your agents', set: 'agents', extension: true }],
  run: async (read, { limit = PAGE_DEFAULT, cursor }, ctx, ports) => {
    const all = (await read(agentsOfAccount, { account_id: ctx.account_id })).reverse();
    const from = all.filter((agent) => isOwner(ctx, agent) && (cursor === undefined || agent.id < cursor));
    const { shown, next_cursor } = cutPage(from, limit, ({ id }) => id);
    const items = await Promise.all(shown.map(async (agent) => ownAgent(agent, await factsOf(ports, agent.id), ctx)));
    return { items, next_cursor };
  },
});
