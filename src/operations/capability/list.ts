// Lists all capabilities that can be called, for the public.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { CapabilityShape } from '../../schemas/router.ts';
import { capabilityViews } from '../../steps/router/offered.ts';

export const capabilityList = query({
  name: 'capability.list',
  noun: 'Capabilities: what can be called through the router.',
  summary: 'List capabilities',
  description:
    'Those of the catalogue, which are there before anybody offers them, and all that somebody offers, by name, with how many serve ' +
    'them, from which price, how often and how fast they answer, and what their payloads hold.',
  input: Type.Object({}),
  output: namedObject('Capabilities', 'what can be called', {
    capabilities: Type.Array(CapabilityShape),
    count: Type.Integer({ minimum: 0 }),
  }),
  example: {},
  effect: 'reads',
  access: 'public',
  any_origin: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/router/capabilities' }],
  tools: [{ name: 'mesh_list_capabilities', title: 'List capabilities', set: 'market' }],
  run: async (read) => {
    const capabilities = await capabilityViews(read);
    return { capabilities, count: capabilities.length };
  },
});
