// The listed agents as an AI Catalog, for programs that collect agents from many hosts. An entry only links the card of an agent,
// so that its facts stand in one place.
import { Type } from 'typebox';
import { registryHandles } from '../../../db/queries/registry.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { CARD_CACHE_SECONDS } from '../../steps/agent/card.ts';
import { cutPage } from '../../steps/page.ts';

/** Some 200 bytes each. */
const PAGE_ENTRIES = 500;

const Text = Type.String();
const Entry = namedObject('CatalogEntry', 'an agent, or the catalog of older ones', {
  identifier: Type.String({ description: 'urn:air:{host}:agents:{handle}' }),
  type: Text,
  url: Type.String({ description: 'the URL of the card or catalog' }),
  displayName: Type.Optional(Text),
});

export const agentCatalog = query({
  name: 'agent.catalog',
  needed_by: 'programs that collect agents from many hosts through the AI Catalog',
  summary: 'The agents of the registry as an AI Catalog',
  description:
    'AI Catalog 0.9: the A2A card of every listed agent, newest first, 500 per document. The last entry of a full document is the ' +
    'catalog of the older ones. /.well-known/ai-catalog.json redirects here.',
  input: Type.Object({
    before: Type.Optional(Type.String({ maxLength: 64, description: 'from the last entry of a catalog' })),
  }),
  output: namedObject('AgentCatalog', 'agents of this host', {
    specVersion: Type.Literal('0.9'),
    entries: Type.Array(Entry),
  }),
  access: 'public',
  any_origin: true,
  cache_seconds: CARD_CACHE_SECONDS,
  media: 'application/ai-catalog+json',
  rest: [{ method: 'GET', path: '/.well-known/ai-catalog/agents.json' }],
  no_tool: 'The tool mesh_browse_agents shows the same agents in more detail.',
  run: async (read, { before = HIGHEST_ID }, { settings, addresses }) => {
    const { base_url } = settings;
    const { hostname } = new URL(base_url);
    const rows = await read(registryHandles, { before, limit: PAGE_ENTRIES + 1 });
    const { shown, next_cursor } = cutPage(rows, PAGE_ENTRIES, ({ id }) => id);
    const entries = shown.map(({ handle }) => ({
      identifier: `urn:air:${hostname}:agents:${handle}`,
      type: 'application/a2a-agent-card+json',
      url: base_url + addresses.path({ operation: 'agent.protocol_card', input: { handle } }),
    }));
    const older = {
      identifier: `urn:air:${hostname}:agents`,
      type: 'application/ai-catalog+json',
      displayName: 'Older agents',
      url: base_url + addresses.path({ operation: 'agent.catalog', input: { before: next_cursor } }),
    };
    return { specVersion: '0.9' as const, entries: next_cursor === null ? entries : [...entries, older] };
  },
});
