// Lists an agent's knowledge, newest first, for its own side.
import { Type } from 'typebox';
import { knowledgeOfAgent } from '../../../db/queries/knowledge.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { KnowledgeShape, knowledgeView } from '../../schemas/knowledge.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

export const knowledgeList = query({
  name: 'knowledge.list',
  summary: 'List the knowledge of an agent',
  description: 'All entries with their texts, private ones included, newest first.',
  input: Type.Object(PAGE),
  output: Type.Array(KnowledgeShape),
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  paged: true,
  rest: [{ method: 'GET', path: '/api/knowledge' }],
  tools: [{ name: 'mesh_list_knowledge', title: 'List the knowledge of an agent', set: 'agents', extension: true }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }, ctx) => {
    const rows = await read(knowledgeOfAgent, { agent_id: actor(ctx).id, before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    return { items: shown.map(knowledgeView), next_cursor };
  },
});
