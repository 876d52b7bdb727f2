// The protected resource metadata (RFC 9728) of the service as a whole, for callers with a 401 of a REST address, and of each
// transport. They differ only in the address (2), which clients compare with the one that they were given (3.3).
import { type Static, type TObject, Type } from 'typebox';
import type { Settings } from '../../contract/context.ts';
import { type Query, query } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { agentResource, METADATA_PATH, RESOURCES, TOOL_STREAM } from '../../domain/identity/resource.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { BEFORE_A_TOKEN, DISCOVERY_SECONDS, ProtectedResource } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';

/** The metadata of the resource at a path under the base; `what` follows the service's name. */
function protectedResource(
  { base_url, instance }: Pick<Settings, 'base_url' | 'instance'>,
  path: string,
  what: string,
): Static<typeof ProtectedResource> {
  return {
    resource: `${base_url}${path}`,
    resource_name: `${instance.name}${what}`,
    authorization_servers: [base_url],
    scopes_supported: [...SIGNUP_SCOPES],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base_url}/docs`,
  };
}

const SHARED = {
  output: ProtectedResource,
  access: 'public',
  any_origin: true,
  cache_seconds: DISCOVERY_SECONDS,
  no_tool: BEFORE_A_TOKEN,
} as const;

function resourceMetadata(
  told: { name: `${string}.${string}`; needed_by?: string; summary: string; description: string },
  path: string,
  what: string,
): Query<TObject, typeof ProtectedResource, never> {
  return query({
    ...told,
    ...SHARED,
    input: Type.Object({}),
    rest: [{ method: 'GET', path: `${METADATA_PATH}${path}` }],
    run: async (_read, _input, { settings }) => protectedResource(settings, path, what),
  });
}

export const oauthResource = resourceMetadata(
  {
    name: 'oauth.resource',
    summary: 'Metadata of the service as a protected resource',
    description:
      'The authorization server of the service, and the scopes (RFC 9728). A token for it is valid at every path.',
  },
  RESOURCES.service,
  '',
);

export const oauthResourceMcp = resourceMetadata(
  {
    name: 'oauth.resource_mcp',
    summary: 'Metadata of the tool server as a protected resource',
    description: 'The same for tokens that are valid at the tool server only.',
  },
  RESOURCES.tools,
  ' tools',
);

export const oauthResourceMcpSse = resourceMetadata(
  {
    name: 'oauth.resource_mcp_sse',
    summary: 'Metadata of the older form of the tool server as a protected resource',
    description: 'The same for clients that use this address.',
  },
  TOOL_STREAM,
  ' tools',
);

export const oauthResourceRpc = resourceMetadata(
  {
    name: 'oauth.resource_rpc',
    needed_by: 'clients of A2A that sign in for the address of all agents',
    summary: 'Metadata of the agent-to-agent endpoint as a protected resource',
    description: 'The same for tokens that are valid at that endpoint only.',
  },
  RESOURCES.agents,
  ' agents',
);

/** It discloses nothing about the agent, not even whether it exists. */
export const oauthResourceAgent = query({
  ...SHARED,
  name: 'oauth.resource_agent',
  needed_by: 'clients of A2A that sign in for the address of one agent',
  summary: "Metadata of an agent's address as a protected resource",
  description: 'The same for tokens that are valid at the address of that agent only.',
  input: Type.Object({ handle: HandleInput }),
  example: { handle: SAMPLE.handle },
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: `${METADATA_PATH}/a2a/agents/{handle}` }],
  run: async (_read, input, { settings }) => {
    const handle = parseHandle(input.handle);
    return isFault(handle) ? handle : protectedResource(settings, agentResource(handle), ` agent @${handle}`);
  },
});
