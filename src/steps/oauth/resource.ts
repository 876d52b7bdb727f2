// What each resource of the service tells of itself: the same for all but the address (RFC 9728, 2).
import { type Static, type TObject, Type } from 'typebox';
import type { Settings } from '../../contract/context.ts';
import { type Query, query } from '../../contract/operation.ts';
import { METADATA_PATH } from '../../domain/identity/resource.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { ProtectedResource } from '../../schemas/oauth.ts';

/** How long a client may keep a document of discovery: an operator who changes BASE_URL is not waited for longer. */
export const DISCOVERY_SECONDS = 300;

/** Why the documents of discovery are no tools. */
export const BEFORE_A_TOKEN = 'A client reads it to get a credential, and a tool is called with one.';

/** The metadata of the resource at a path under the base. */
export function protectedResource(
  { base_url }: Pick<Settings, 'base_url'>,
  path: string,
  resource_name: string,
): Static<typeof ProtectedResource> {
  return {
    resource: `${base_url}${path}`,
    resource_name,
    authorization_servers: [base_url],
    scopes_supported: [...SIGNUP_SCOPES],
    bearer_methods_supported: ['header'],
    resource_documentation: `${base_url}/docs`,
  };
}

/** The operation that tells of the resource at a fixed path. Clients compare `resource` with the address that they were given
 * (RFC 9728, 3.3), so each has a document of its own. */
export function resourceMetadata(
  told: { name: `${string}.${string}`; summary: string; description: string },
  path: string,
  title: string,
): Query<TObject, typeof ProtectedResource, never> {
  return query({
    ...told,
    input: Type.Object({}),
    output: ProtectedResource,
    example: {},
    effect: 'reads',
    access: 'public',
    any_origin: true,
    cache_seconds: DISCOVERY_SECONDS,
    faults: [],
    rest: [{ method: 'GET', path: `${METADATA_PATH}${path}` }],
    no_tool: BEFORE_A_TOKEN,
    run: async (_read, _input, { settings }) => protectedResource(settings, path, title),
  });
}
