// The documents by which a client finds out where it gets an access token, and for what.
import { Type } from 'typebox';
import { namedObject } from './named.ts';

const Uri = Type.String({ format: 'uri' });

/** RFC 9728, 2. */
export const ProtectedResource = namedObject('ProtectedResource', 'what access tokens open, and who issues them', {
  resource: Uri,
  resource_name: Type.String(),
  authorization_servers: Type.Array(Uri),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.Literal('header')),
  resource_documentation: Uri,
});

/** RFC 8414, 2. */
export const AuthorizationServer = namedObject('AuthorizationServer', 'how access tokens are issued', {
  issuer: Uri,
  authorization_endpoint: Uri,
  token_endpoint: Uri,
  jwks_uri: Uri,
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String()),
  service_documentation: Uri,
});
