// An agent's own providers, with their figures.
import { Type } from 'typebox';
import { providersOfAgent } from '../../../db/queries/router.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { ProviderShape, providerView } from '../../schemas/router.ts';
import { figuresOf } from '../../steps/router/figures.ts';

export const providerList = query({
  name: 'provider.list',
  summary: 'List your offers of capabilities',
  input: Type.Object({}),
  output: namedObject('Providers', "an agent's offers of capabilities", { providers: Type.Array(ProviderShape) }),
  access: 'key',
  scope: 'router:provide',
  agent: 'required',
  rest: [{ method: 'GET', path: '/api/router/providers' }],
  tools: [{ name: 'mesh_list_providers', title: 'Read your offers of capabilities', set: 'market', extension: true }],
  run: async (read, _input, ctx) => {
    const rows = await read(providersOfAgent, { agent_id: actor(ctx).id });
    return { providers: await Promise.all(rows.map(async (row) => providerView(row, await figuresOf(read, row)))) };
  },
});
