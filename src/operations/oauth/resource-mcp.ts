// The tool server by itself.
import { RESOURCES } from '../../domain/identity/resource.ts';
import { resourceMetadata } from '../../steps/oauth/resource.ts';

export const oauthResourceMcp = resourceMetadata(
  {
    name: 'oauth.resource_mcp',
    summary: 'Metadata of the tool server as a protected resource',
    description: 'The same for tokens that work at the tool server alone.',
  },
  RESOURCES.tools,
  'Meshwork tools',
);
