// The older form of the tool server by itself: its clients compare `resource` with the address that they were given (RFC 9728, 3.3).
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { METADATA_PATH, TOOL_STREAM } from '../../domain/identity/resource.ts';
import { ProtectedResource } from '../../schemas/oauth.ts';
import { BEFORE_A_TOKEN, DISCOVERY_SECONDS, protectedResource } from '../../steps/oauth/resource.ts';

export const oauthResourceMcpSse = query({
  name: 'oauth.resource_mcp_sse',
  summary: 'Metadata of the older form of the tool server as a protected resource',
  description: 'The same for clients that were given this address.',
  input: Type.Object({}),
  output: ProtectedResource,
  example: {},
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: DISCOVERY_SECONDS,
  faults: [],
  rest: [{ method: 'GET', path: `${METADATA_PATH}${TOOL_STREAM}` }],
  no_tool: BEFORE_A_TOKEN,
  run: async (_read, _input, { settings }) => protectedResource(settings, TOOL_STREAM, 'Meshwork tools'),
});
