// The older form of the tool server by itself.
import { TOOL_STREAM } from '../../domain/identity/resource.ts';
import { resourceMetadata } from '../../steps/oauth/resource.ts';

export const oauthResourceMcpSse = resourceMetadata(
  {
    name: 'oauth.resource_mcp_sse',
    summary: 'Metadata of the older form of the tool server as a protected resource',
    description: 'The same for clients that were given this address.',
  },
  TOOL_STREAM,
  'Meshwork tools',
);
