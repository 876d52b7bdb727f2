// The service as a whole, for whoever gets a 401 of a REST address (RFC 9728, 3.3: `resource` is what was asked about).
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { METADATA_PATH, RESOURCES } from '../../domain/identity/resource.ts';
import { ProtectedResource } from '../../schemas/oauth.ts';
import { BEFORE_A_TOKEN, DISCOVERY_SECONDS, protectedResource } from '../../steps/oauth/resource.ts';

export const oauthResource = query({
  name: 'oauth.resource',
  summary: 'Metadata of the service as a protected resource',
  description:
    'Who issues access tokens for the service, and their scopes (RFC 9728). A token for it works at every address.',
  input: Type.Object({}),
  output: ProtectedResource,
  example: {},
  effect: 'reads',
  access: 'public',
  any_origin: true,
  cache_seconds: DISCOVERY_SECONDS,
  faults: [],
  rest: [{ method: 'GET', path: `${METADATA_PATH}${RESOURCES.service}` }],
  no_tool: BEFORE_A_TOKEN,
  run: async (_read, _input, { settings }) => protectedResource(settings, RESOURCES.service, 'Meshwork'),
});
