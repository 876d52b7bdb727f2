// Lists all capabilities that can be called, for the public.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { CapabilityShape } from '../../schemas/router.ts';
import { capabilityViews } from '../../steps/router/offered.ts';

export const capabilityList = query({
  name: 'capability.list',
  noun: 'Capabilities that can be called through the router.',
  summary: 'List capabilities',
  description:
    'Those of the catalogue, even without a provider, and all others with a provider, by name, with the number of providers, ' +
    'the lowest price, success rate, latency and payload schema.',
  input: Type.Object({}),
  output: namedObject('Capabilities', 'capabilities that can be called', {
    capabilities: Type.Array(CapabilityShape),
    count: Type.Integer({ minimum: 0 }),
  }),
  access: 'public',
  any_origin: true,
  rest: [{ method: 'GET', path: '/api/router/capabilities' }],
  tools: [{ name: 'mesh_list_capabilities', title: 'List capabilities', set: 'market' }],
  run: async (read) => {
    const capabilities = await capabilityViews(read);
    return { capabilities, count: capabilities.length };
  },
});
