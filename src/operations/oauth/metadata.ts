// The authorization server metadata (RFC 8414).
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { SIGNUP_SCOPES } from '../../domain/identity/scope.ts';
import { AuthorizationServer, BEFORE_A_TOKEN, DEVICE_GRANT, DISCOVERY_SECONDS } from '../../schemas/oauth.ts';

export const oauthMetadata = query({
  name: 'oauth.metadata',
  noun: 'Access tokens for programs, and metadata for clients.',
  summary: 'Metadata of the authorization server',
  description: 'Where and how a program gets an access token (RFC 8414).',
  input: Type.Object({}),
  output: AuthorizationServer,
  access: 'public',
  any_origin: true,
  cache_seconds: DISCOVERY_SECONDS,
  rest: [{ method: 'GET', path: '/.well-known/oauth-authorization-server' }],
  no_tool: BEFORE_A_TOKEN,
  run: async (_read, _input, { settings: { base_url } }) => ({
    issuer: base_url,
    authorization_endpoint: `${base_url}/oauth/authorize`,
    token_endpoint: `${base_url}/oauth/token`,
    device_authorization_endpoint: `${base_url}/oauth/device_authorization`,
    registration_endpoint: `${base_url}/oauth/register`,
    revocation_endpoint: `${base_url}/oauth/revoke`,
    jwks_uri: `${base_url}/.well-known/jwks.json`,
    scopes_supported: [...SIGNUP_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['EdDSA'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${base_url}/docs`,
  }),
});
