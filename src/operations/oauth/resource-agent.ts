// The address of one agent at the door of the agent-to-agent protocol, by itself (RFC 9728, 3.3). It says nothing of the agent,
// not even whether there is one.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { isFault } from '../../domain/fault.ts';
import { parseHandle } from '../../domain/identity/handle.ts';
import { agentResource, METADATA_PATH } from '../../domain/identity/resource.ts';
import { ProtectedResource } from '../../schemas/oauth.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput } from '../../schemas/wire.ts';
import { BEFORE_A_TOKEN, DISCOVERY_SECONDS, protectedResource } from '../../steps/oauth/resource.ts';

export const oauthResourceAgent = query({
  name: 'oauth.resource_agent',
  summary: "Metadata of an agent's address as a protected resource",
  description: 'The same for tokens that work at the address of that agent alone.',
  input: Type.Object({ handle: HandleInput }),
  output: ProtectedResource,
  example: { handle: SAMPLE.handle },
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: DISCOVERY_SECONDS,
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: `${METADATA_PATH}/a2a/agents/{handle}` }],
  no_tool: BEFORE_A_TOKEN,
  run: async (_read, input, { settings }) => {
    const handle = parseHandle(input.handle);
    return isFault(handle) ? handle : protectedResource(settings, agentResource(handle), `Meshwork agent @${handle}`);
  },
});
