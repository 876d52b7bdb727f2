// The list of tools, with a golden digest of each: what a client is shown of it, who reaches it, and what of an operation it says
// otherwise. A commit names the tools that it changes; `UPDATE_GOLDEN=1 bun test test/transports/tools.test.ts` writes it anew.
import { expect, test } from 'bun:test';
import { registry } from '../../src/operations/registry.ts';
import { outputSchema } from '../../src/transports/mcp/results.ts';
import { routeCall, type Tool, toolsOf } from '../../src/transports/tools.ts';
import { withGolden } from '../support/digests.ts';

const tools = toolsOf(registry());

function toolNamed(name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool is named ${name}`);
  return tool;
}

/** The operation and the input that a call comes to, or the fields that are wrong. */
function routed(name: string, given: Record<string, unknown>): unknown {
  const call = routeCall(toolNamed(name), given);
  return 'fault' in call ? call.data['fields'] : { [call.route.operation.name]: call.input };
}

test('the tools are those of the golden list', async () => {
  const shown = tools.map(({ routes, ...tool }) => ({
    ...tool,
    outputSchema: outputSchema(routes),
    operations: routes.map(({ operation, binding: { when, fixed }, effect, access, scope }) => ({
      operation: operation.name,
      ...{ effect, access, scope, when, fixed },
    })),
  }));
  const { now, golden } = await withGolden(
    'mcp-tools.txt',
    shown.map((tool) => [tool.name, tool]),
  );
  expect(now).toEqual(golden);
});

test('a tool that only reads changes nothing, and what destroys says so', () => {
  for (const { name, annotations, routes } of tools) {
    const effects = routes.map(({ effect }) => effect);
    expect([name, annotations.readOnlyHint]).toEqual([name, effects.every((effect) => effect === 'reads')]);
    const takes = effects.some((effect) => effect === 'destroys' || effect === 'spends');
    expect([name, annotations.destructiveHint]).toEqual([name, takes]);
    const repeats = effects.some((effect) => effect === 'adds' || effect === 'spends');
    if (repeats) expect([name, annotations.idempotentHint]).toEqual([name, false]);
  }
});

test('what a tool fixes is none of its arguments, and its caller cannot set it', () => {
  expect(toolNamed('mesh_approve_match').inputSchema['properties']).not.toHaveProperty('action');
  expect(routed('mesh_approve_match', { match_id: 'm', action: 'not_a_fit', note: 'Yes' })).toEqual({
    'match.feedback': { match_id: 'm', note: 'Yes', action: 'interested' },
  });
});

test('a tool takes what it is said to take, all of it needed, and drops the rest', () => {
  const { inputSchema } = toolNamed('mesh_pause_listing');
  expect([Object.keys(inputSchema['properties'] as object), inputSchema['required']]).toEqual([
    ['listing_id'],
    ['listing_id'],
  ]);
  expect(routed('mesh_pause_listing', { cardId: 'c', headline: 'Gone', active: true })).toEqual({
    'listing.update': { cardId: 'c', active: false },
  });
  expect(routed('mesh_pause_listing', { listing_id: 'c' })).toEqual({
    'listing.update': { cardId: 'c', active: false },
  });
  expect(routed('mesh_ping_agent', { handle: 'ada' })).toEqual({ 'agent.ping': { agent_handle: 'ada' } });
  expect(toolNamed('mesh_set_visibility').inputSchema['required']).toEqual(['visibility']);
});

test('a call of a shared tool goes to the operation that its argument means', () => {
  expect(routed('mesh_get_listings', { limit: 5 })).toEqual({ 'listing.mine': { limit: 5 } });
  expect(routed('mesh_get_listings', { handle: 'ada' })).toEqual({ 'listing.list': { handle: 'ada' } });
  expect(routed('mesh_manage_webhook', { action: 'delete', id: 'w' })).toEqual({ 'webhook.delete': { id: 'w' } });
  expect(routed('mesh_manage_webhook', { action: 'burn', id: 'w' })).toEqual([
    { path: 'action', message: expect.stringContaining('create, delete') },
  ]);
  const { properties, required } = toolNamed('mesh_manage_webhook').inputSchema as { [key: string]: object };
  expect(required).toEqual(['action']);
  expect(properties).toMatchObject({ action: { enum: expect.arrayContaining(['create', 'rotate']) }, url: {} });
});

test('an argument fills the input field that it is named for', () => {
  const operation = registry().find(({ name }) => name === 'listing.delete');
  if (!operation) throw new Error('nothing deletes listings');
  const binding = { name: 'mesh_burn', title: 'Burn', set: 'listings', rename: { listing_id: 'cardId' } } as const;
  const [tool] = toolsOf([{ ...operation, tools: [binding] }]);
  if (!tool) throw new Error('there is no tool');
  expect(tool.inputSchema).toMatchObject({ properties: { listing_id: {} }, required: ['listing_id'] });
  expect(routeCall(tool, { listing_id: 'c', cardId: 'd' })).toMatchObject({ input: { cardId: 'c' } });
});
