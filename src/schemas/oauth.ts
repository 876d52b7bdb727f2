// OAuth on the wire: discovery documents, and requests and responses of tokens, registration and consent.
import { type Static, Type } from 'typebox';
import { namedObject } from './named.ts';
import { Id, NullableText, nullable, Time } from './wire.ts';

const Uri = Type.String({ format: 'uri' });

/** RFC 9728, 2. */
export const ProtectedResource = namedObject('ProtectedResource', 'a protected resource and its authorization server', {
  resource: Uri,
  resource_name: Type.String(),
  authorization_servers: Type.Array(Uri),
  scopes_supported: Type.Array(Type.String()),
  bearer_methods_supported: Type.Array(Type.Literal('header')),
  resource_documentation: Uri,
});

/** RFC 8414, 2. */
export const AuthorizationServer = namedObject('AuthorizationServer', 'an authorization server', {
  issuer: Uri,
  authorization_endpoint: Uri,
  token_endpoint: Uri,
  registration_endpoint: Uri,
  device_authorization_endpoint: Uri,
  revocation_endpoint: Uri,
  jwks_uri: Uri,
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String()),
  response_modes_supported: Type.Array(Type.String()),
  grant_types_supported: Type.Array(Type.String()),
  code_challenge_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  token_endpoint_auth_signing_alg_values_supported: Type.Array(Type.String()),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
  client_id_metadata_document_supported: Type.Boolean(),
  authorization_response_iss_parameter_supported: Type.Boolean(),
  service_documentation: Uri,
});

/** All scopes together have 300 characters, and a client id has 512 at most. */
const TEXT_MAX = 1024;
/** An assertion has some 400 characters. */
const ASSERTION_MAX = 4096;
/** An optional text of a form. */
const field = (description?: string, maxLength = TEXT_MAX) =>
  Type.Optional(Type.String({ maxLength, ...(description && { description }) }));

/** A token request; each grant takes its own parameters and no others. */
export const TokenRequest = Type.Object({
  grant_type: Type.String({
    maxLength: TEXT_MAX,
    description: 'client_credentials, authorization_code or refresh_token',
  }),
  client_assertion_type: field('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  client_assertion: field(undefined, ASSERTION_MAX),
  client_id: field('of the program; for an agent its handle, optional'),
  code: field('of the authorization response'),
  code_verifier: field('whose S256 was the code_challenge'),
  redirect_uri: field('the redirect URI of the code; optional'),
  refresh_token: field('of the last response'),
  device_code: field('of the device authorization response'),
  scope: field('scopes separated by spaces'),
  resource: field('of a protected-resource document'),
});

export type TokenAsked = Static<typeof TokenRequest>;

export const AccessToken = namedObject('AccessToken', 'an access token of an agent or a program', {
  access_token: Type.String({ description: 'send it as Authorization: Bearer' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds' }),
  scope: Type.String(),
  refresh_token: Type.Optional(Type.String({ description: 'of a program; valid once' })),
});

export type TokenAnswer = Static<typeof AccessToken>;

const Text = Type.String({ maxLength: TEXT_MAX });

/** The metadata of a client at registration (RFC 7591, 2); other metadata is not kept. */
export const ClientMetadata = namedObject('ClientMetadata', 'client metadata of a program', {
  redirect_uris: Type.Optional(Type.Array(Text, { maxItems: 100, description: 'allowed redirect URIs' })),
  client_name: Type.Optional(Text),
  grant_types: Type.Optional(Type.Array(Text, { maxItems: 100 })),
  response_types: Type.Optional(Type.Array(Text, { maxItems: 100 })),
  token_endpoint_auth_method: Type.Optional(Type.String({ maxLength: TEXT_MAX, description: 'always none' })),
});

/** A registered client (RFC 7591, 3.2.1). */
export const RegisteredClient = namedObject('RegisteredClient', 'a registered program', {
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: 'Unix seconds' }),
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  token_endpoint_auth_method: Type.Literal('none'),
});

/** The query string of an authorization request, as the browser sends it. */
export const ASKING_QUERY = Type.String({ maxLength: 8192 });

/** How long a client may cache a discovery document, and so the longest delay of a change of BASE_URL. */
export const DISCOVERY_SECONDS = 300;

/** Why discovery documents are no tools. */
export const BEFORE_A_TOKEN = 'Clients read it to get a credential; a tool call already has one.';

/** The content of the consent page: the asking program, or the outcome of a request that ended before or after the question. */
export const AskedProgram = Type.Object({
  is: Type.Enum(['open', 'unknown', 'refused', 'granted']),
  why: Type.Optional(Type.String()),
  redirect_to: Type.Optional(Type.String()),
  program: Type.Optional(Type.Object({ name: Type.String(), host: NullableText, client_id: Type.String() })),
  answer: Type.Optional(Type.Object({ host: NullableText, local: Type.Boolean(), source: Type.String() })),
  scopes: Type.Optional(Type.Array(Type.String())),
  resource: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  agents: Type.Optional(Type.Array(Type.String())),
  days: Type.Optional(Type.Array(Type.Integer())),
});

export const ConnectedProgram = namedObject('ConnectedProgram', 'a program that acts for the account', {
  id: Id,
  name: Type.String({ description: 'its own name' }),
  host: nullable(Type.String(), 'the host of its client id; null if unverified'),
  client_id: Type.String(),
  agent_handle: nullable(Type.String(), 'the agent it acts as; null: any of yours'),
  scopes: Type.Array(Type.String()),
  resource: Type.String({ description: 'the address its tokens are valid for' }),
  created_at: Time,
  last_used_at: nullable(Time, 'when it last got an access token'),
  last_call: nullable(
    namedObject('LastCall', 'the last call of a program', {
      operation: Type.String(),
      status: Type.Integer({ description: 'the HTTP status of the answer' }),
      at: Time,
    }),
    'within 24 hours, if the node that answers has received it since its start',
  ),
  expires_at: Time,
});

/** The `grant_type` of the device flow (RFC 8628). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
