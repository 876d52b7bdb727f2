// The documents by which a client finds its way: where tokens come from, for which address, by which keys they are checked, and
// whom to write to. A refusal leads to them, and they name each other.

import { expect, test } from 'bun:test';
import { SIGNUP_SCOPES } from '../../src/domain/identity/scope.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { challengeOf } from '../../src/transports/wire.ts';
import { newAgent, newProvisional, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';

const BASE_URL = 'https://mesh.example.org';

const t = sharedService({ base_url: BASE_URL });

const challenge = (headers: Headers): string => headers.get('www-authenticate') ?? '';

test('each resource names the address that its client uses, and one authorization server', async () => {
  const asked = {
    '': BASE_URL,
    '/mcp': `${BASE_URL}/mcp`,
    '/mcp/sse': `${BASE_URL}/mcp/sse`,
    '/a2a/rpc': `${BASE_URL}/a2a/rpc`,
    '/a2a/agents/ada': `${BASE_URL}/a2a/agents/ada/`,
    '/a2a/agents/ada/': `${BASE_URL}/a2a/agents/ada/`,
  };
  for (const [path, resource] of Object.entries(asked)) {
    const { status, body, headers } = await t.call('GET', `/.well-known/oauth-protected-resource${path}`);
    expect([path, status, body.resource, body.authorization_servers]).toEqual([path, 200, resource, [BASE_URL]]);
    expect(body.scopes_supported).toEqual([...SIGNUP_SCOPES]);
    expect(body.bearer_methods_supported).toEqual(['header']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  const none = await t.call('GET', '/.well-known/oauth-protected-resource/api');
  expect([none.status, none.body.error]).toEqual([404, 'not_found']);
  const odd = await t.call('GET', '/.well-known/oauth-protected-resource/a2a/agents/a"b');
  expect([odd.status, odd.body.error]).toEqual([400, 'invalid_request']);
});

test('the authorization server announces what exists, and its keys are the ones that are published', async () => {
  const { status, body } = await t.call('GET', '/.well-known/oauth-authorization-server');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    issuer: BASE_URL,
    token_endpoint: `${BASE_URL}/oauth/token`,
    jwks_uri: `${BASE_URL}/.well-known/jwks.json`,
    authorization_endpoint: `${BASE_URL}/oauth/authorize`,
    registration_endpoint: `${BASE_URL}/oauth/register`,
    revocation_endpoint: `${BASE_URL}/oauth/revoke`,
    grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['EdDSA'],
  });
  const keys = await t.call('GET', new URL(body.jwks_uri).pathname);
  expect(keys.body.keys[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' });
});

test('a refused caller is told where the metadata stand, and only one who showed something that it was wrong', async () => {
  const bare = await t.call('GET', '/api/agents');
  expect([bare.status, challenge(bare.headers)]).toEqual([
    401,
    `Bearer realm="meshwork", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource"`,
  ]);
  const wrong = await t.call('GET', '/api/agents', { token: 'nobody.gave.this' });
  expect([wrong.status, challenge(wrong.headers)]).toEqual([
    401,
    `Bearer realm="meshwork", error="invalid_token", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource"`,
  ]);
});

test('a key that lacks a scope is told which, and no other refusal asks for another credential', async () => {
  const { email } = await newAgent(t, { handle: 'narrow_one' });
  const key = await keyWith(t, email, ['discovery:read']);
  const lacking = await t.call('GET', '/api/inbox', { key });
  expect([lacking.status, challenge(lacking.headers)]).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="agents:read", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource"`,
  ]);
  const session = await t.call('GET', '/api/developer/keys', { key });
  expect([session.status, session.headers.has('www-authenticate')]).toEqual([403, false]);
});

test('a door may ask for more than is missing, and names its own resource', () => {
  const refusal = { fault: 'insufficient_scope', data: { required_scope: 'agents:read' } } as const;
  const asked = { base_url: BASE_URL, resource: '/mcp', shown: true };
  expect(challengeOf(refusal, asked, ['messages:write', 'agents:read'])).toEqual({
    'WWW-Authenticate': `Bearer error="insufficient_scope", scope="messages:write agents:read", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp"`,
  });
});

test('security.txt says whom to write to, and until when that holds', async () => {
  const response = await t.fetch(new Request('http://localhost/.well-known/security.txt'));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = Object.fromEntries(
    (await response.text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  );
  expect(lines).toMatchObject({
    Contact: 'mailto:security@localhost',
    Canonical: `${BASE_URL}/.well-known/security.txt`,
    Policy: `${BASE_URL}/docs/guide/security`,
  });
  const days = (Date.parse(lines['Expires'] ?? '') - t.clock.now()) / DAY_MS;
  expect([days > 178, days <= 180]).toEqual([true, true]);
});

test('every credential can ask what it is worth, and until when', async () => {
  const ada = await newAgent(t, { handle: 'who_am_i' });
  const self = async (how: { key?: string; token?: string }) => t.call('GET', '/api/auth/key', how);
  const signup = (await self({ key: ada.key })).body;
  expect(signup).toEqual({
    handle: 'who_am_i',
    scopes: [...SIGNUP_SCOPES],
    expires_at: new Date(t.clock.now() + 90 * DAY_MS).toISOString(),
    kind: 'signup',
  });
  const narrow = (await self({ key: await keyWith(t, ada.email, ['agents:read', 'export:read']) })).body;
  expect([narrow.kind, narrow.scopes]).toEqual(['developer', ['agents:read']]);
  const session = (await self({ token: await signIn(t, ada.email) })).body;
  expect([session.kind, session.scopes, Date.parse(session.expires_at) - t.clock.now()]).toEqual([
    'session',
    [...SIGNUP_SCOPES],
    15 * 60_000,
  ]);
  const { key } = await newProvisional(t, 'agent_whoami');
  const provisional = (await self({ key })).body;
  expect([provisional.handle, provisional.kind]).toEqual(['agent_whoami', 'provisional']);
  expect((await self({})).status).toBe(401);
});
