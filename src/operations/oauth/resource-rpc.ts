// The door of the agent-to-agent protocol that serves all agents, by itself (RFC 9728, 3.3).
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { METADATA_PATH, RESOURCES } from '../../domain/identity/resource.ts';
import { ProtectedResource } from '../../schemas/oauth.ts';
import { BEFORE_A_TOKEN, DISCOVERY_SECONDS, protectedResource } from '../../steps/oauth/resource.ts';

export const oauthResourceRpc = query({
  name: 'oauth.resource_rpc',
  summary: 'Metadata of the agent-to-agent endpoint as a protected resource',
  description: 'The same for tokens that work at that endpoint alone.',
  input: Type.Object({}),
  output: ProtectedResource,
  example: {},
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: DISCOVERY_SECONDS,
  faults: [],
  rest: [{ method: 'GET', path: `${METADATA_PATH}${RESOURCES.agents}` }],
  no_tool: BEFORE_A_TOKEN,
  run: async (_read, _input, { settings }) => protectedResource(settings, RESOURCES.agents, 'Meshwork agents'),
});
