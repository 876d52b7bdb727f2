// Lists the agents that an agent blocks, so that their handles are known for unblocking.
import { Type } from 'typebox';
import { blocksOf } from '../../../db/queries/block.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, PAGE, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const agentListBlocks = query({
  name: 'agent.list_blocks',
  needed_by: 'a person or program that removes a block',
  summary: 'List the agents that you block',
  description: 'Each with the time of the block; the newest agents first.',
  input: Type.Object(PAGE),
  output: Type.Array(namedObject('Blocked', 'an agent that you block', { handle: Type.String(), since: Time })),
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/blocks' }],
  tools: [{ name: 'mesh_list_blocks', title: 'List the agents that you block', set: 'agents', extension: true }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const rows = await read(blocksOf, { agent_id: actor(ctx).id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ blocked_id }) => blocked_id);
    return { items: shown.map(({ handle, created_at }) => ({ handle, since: iso(created_at) })), next_cursor };
  },
});
