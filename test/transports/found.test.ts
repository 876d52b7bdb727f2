// A program that knows the host alone finds the service: what its well-known documents name is there, is what they call it, and is read
// from any origin.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { VERSIONS } from '../../src/transports/mcp/exchange.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const BASE = 'https://mesh.example:8443';
const DID = 'did:web:mesh.example%3A8443';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ BASE_URL: BASE });
});
afterAll(() => server.stop());

/** A document of the service by its address or path. */
function get(address: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${address.replace(BASE, '')}`, { headers });
}

test.each([
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
  ['/mcp/server-card', 'application/mcp-server-card+json'],
  ['/.well-known/mcp/catalog.json', 'application/json'],
  ['/.well-known/did.json', 'application/did+json'],
  ['/.well-known/agent-registration.json', 'application/json'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
])('%s is %s, for every origin, kept for an hour and revalidated by its tag', async (path, type) => {
  const first = await get(path);
  const told = ['content-type', 'access-control-allow-origin', 'cache-control'].map((name) => first.headers.get(name));
  expect([first.status, ...told]).toEqual([200, type, '*', 'public, max-age=3600']);
  const again = await get(path, { 'If-None-Match': first.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('the front page, its JSON and the guide lead to the AI Catalog, and each entry to what it is', async () => {
  const link = '</.well-known/ai-catalog.json>; rel="ai-catalog"';
  for (const [path, accept] of [
    ['/', 'text/html'],
    ['/', 'application/json'],
    ['/llms.txt', '*/*'],
  ] as const) {
    const answer = await get(path, { Accept: accept });
    expect(answer.headers.get('link')).toBe(link);
    if (accept === 'text/html')
      expect(await answer.text()).toContain('<link rel="ai-catalog" href="/.well-known/ai-catalog.json">');
  }
  const { specVersion, host, entries } = await (await get('/.well-known/ai-catalog.json')).json();
  expect([specVersion, host.identifier]).toEqual(['0.9', DID]);
  const found: string[] = [];
  for (const { identifier, url, type } of entries) {
    const answer = await get(url);
    const served = answer.headers.get('content-type');
    // The card's own type is that of A2A clients, who ask for JSON.
    expect([answer.status, served]).toEqual([200, type.includes('a2a') ? 'application/json' : type]);
    found.push(identifier);
  }
  expect(found).toEqual(['agent', 'tools', 'agents'].map((name) => `urn:air:mesh.example:${name}`));
});

test('the card of the tool server names its address, its versions and the credential that it wants', async () => {
  const card = await (await get('/mcp/server-card')).json();
  expect(card.name).toBe('example.mesh/meshwork');
  expect(card.description.length).toBeLessThanOrEqual(100);
  const [{ url, headers, supportedProtocolVersions }] = card.remotes;
  expect([url, supportedProtocolVersions]).toEqual([`${BASE}/mcp`, VERSIONS]);
  const { entries } = await (await get('/.well-known/mcp/catalog.json')).json();
  expect(entries).toMatchObject([{ type: 'application/mcp-server-card+json', url: `${BASE}/mcp/server-card` }]);
  const answer = await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', body: '{}' });
  expect([answer.status, headers]).toEqual([
    401,
    [expect.objectContaining({ name: 'Authorization', isRequired: true })],
  ]);
  expect(answer.headers.get('www-authenticate')).toContain(`${BASE}/.well-known/oauth-protected-resource/mcp`);
});

test('the DID is that of the address, and its keys are published by the service', async () => {
  const did = await (await get('/.well-known/did.json')).json();
  expect(did.id).toBe(DID);
  const { keys } = await (await get('/.well-known/jwks.json')).json();
  const [method] = did.verificationMethod;
  expect(keys).toContainEqual(method.publicKeyJwk);
  expect(did.assertionMethod).toEqual([`${DID}#${method.publicKeyJwk.kid}`]);
  const registered = await (await get('/.well-known/agent-registration.json')).json();
  expect(registered.registrations).toEqual([]);
  expect(registered.services.map(({ name }: { name: string }) => name)).toEqual(['web', 'A2A', 'MCP', 'DID']);
  expect((await get(registered.image)).headers.get('content-type')).toStartWith('image/svg+xml');
});

test.each<[env: Record<string, string>, image: string, closed: string | null]>([
  [{ BASE_URL: BASE, APP_URL: 'https://app.example' }, 'https://app.example/icon.svg', null],
  [{ BASE_URL: 'https://host.example/mesh' }, 'https://host.example/mesh/app/icon.svg', '/mesh/app/'],
  [{ BASE_URL: BASE, INSTANCE_NAME: 'Tradewinds' }, `${BASE}/app/icon.svg`, '/app/'],
])(
  'with %j its picture is where the app is, and crawlers are kept out of the app alone',
  async (env, image, closed) => {
    const other = await startTestServer(env);
    try {
      const read = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${other.port}${path}`);
      const registered = await (await read('/.well-known/agent-registration.json')).json();
      const name = env['INSTANCE_NAME'] ?? 'Meshwork';
      expect([registered.image, registered.name]).toEqual([image, name]);
      const resource = await (await read('/.well-known/oauth-protected-resource/mcp')).json();
      expect(resource.resource_name).toBe(`${name} tools`);
      expect((await read(new URL(image).pathname)).headers.get('content-type')).toStartWith('image/svg+xml');
      const lines = (await (await read('/robots.txt')).text()).split('\n');
      const paths = lines.flatMap((line) => (line.startsWith('Disallow: ') ? [line.slice('Disallow: '.length)] : []));
      expect(paths).toEqual([...(closed === null ? [] : [closed]), '/api/', '/oauth/', '/sandbox/']);
    } finally {
      await other.stop();
    }
  },
);

test('a service whose address has a path has its DID document there', async () => {
  const below = await startTestServer({ BASE_URL: 'https://host.example/mesh' });
  try {
    const answer = await fetch(`http://127.0.0.1:${below.port}/did.json`);
    expect((await answer.json()).id).toBe('did:web:host.example:mesh');
  } finally {
    await below.stop();
  }
});
