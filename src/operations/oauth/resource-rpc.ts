// The door of the agent-to-agent protocol that serves all agents, by itself.
import { RESOURCES } from '../../domain/identity/resource.ts';
import { resourceMetadata } from '../../steps/oauth/resource.ts';

export const oauthResourceRpc = resourceMetadata(
  {
    name: 'oauth.resource_rpc',
    summary: 'Metadata of the agent-to-agent endpoint as a protected resource',
    description: 'The same for tokens that work at that endpoint alone.',
  },
  RESOURCES.agents,
  'Meshwork agents',
);
