// Clients that nobody here wrote find their way to a token by themselves: the official ones of the tool protocol, both lines,
// unmodified, over a real socket. They are given an address and the agent's private key, and nothing else.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  auth as authOfClient,
  Client as ClientOfClient,
  PrivateKeyJwtProvider as ProviderOfClient,
  extractWWWAuthenticateParams as paramsOfClient,
  StreamableHTTPClientTransport as TransportOfClient,
} from '@modelcontextprotocol/client';
import {
  auth as authOfSdk,
  extractWWWAuthenticateParams as paramsOfSdk,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { PrivateKeyJwtProvider as ProviderOfSdk } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client as ClientOfSdk } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOfSdk } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { newAgent } from '../support/agents.ts';
import { registerSigner, type Signer } from '../support/assertion.ts';
import { keyWith } from '../support/scene.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const HANDLE = 'mcp_client';

let t: TestService;
let server: ReturnType<typeof Bun.serve>;
let base_url: string;
let signer: Signer;
beforeAll(async () => {
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => t.fetch(request) });
  base_url = `http://127.0.0.1:${server.port}`;
  // Clients sign by the time of the machine.
  t = await openTestService({ base_url }, 'memory', { clock: virtualClock(Date.now()) });
  signer = await registerSigner(t, await newAgent(t, { handle: HANDLE }));
});
afterAll(async () => {
  await server.stop(true);
  await t.close();
});

const options = (): ConstructorParameters<typeof ProviderOfSdk>[0] => ({
  clientId: HANDLE,
  algorithm: 'EdDSA',
  expectedIssuer: base_url,
  privateKey: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: signer.public_key,
    d: Buffer.from(signer.secret).toString('base64url'),
  },
});

/** The line of clients before, and the one after it. */
const LINES = {
  '@modelcontextprotocol/sdk': async (serverUrl: string, refused: Response): Promise<string | undefined> => {
    const provider = new ProviderOfSdk(options());
    const { resourceMetadataUrl, scope } = paramsOfSdk(refused);
    expect(await authOfSdk(provider, { serverUrl, resourceMetadataUrl, scope })).toBe('AUTHORIZED');
    return provider.tokens()?.access_token;
  },
  '@modelcontextprotocol/client': async (serverUrl: string, refused: Response): Promise<string | undefined> => {
    const provider = new ProviderOfClient(options());
    const { resourceMetadataUrl, scope } = paramsOfClient(refused);
    expect(await authOfClient(provider, { serverUrl, resourceMetadataUrl, scope })).toBe('AUTHORIZED');
    return provider.tokens()?.access_token;
  },
};

const audienceOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).aud;

for (const [name, authorize] of Object.entries(LINES)) {
  test(`${name} gets from the 401 of an address to a token that opens it`, async () => {
    const refused = await fetch(`${base_url}/api/agents`);
    expect(refused.status).toBe(401);
    const token = (await authorize(`${base_url}/api/agents`, refused)) ?? '';
    expect(audienceOf(token)).toBe(base_url);
    const self = await t.call('GET', '/api/auth/key', { token });
    expect([self.status, self.body.handle, self.body.kind]).toEqual([200, HANDLE, 'access_token']);
  });

  test(`${name} gets from the address of the tool server to a token for that alone`, async () => {
    const token = (await authorize(`${base_url}/mcp`, new Response(null, { status: 401 }))) ?? '';
    expect(audienceOf(token)).toBe(`${base_url}/mcp`);
    expect((await t.call('GET', '/api/auth/key', { token })).status).toBe(401);
  });

  test(`${name} is told by a 403 which scope it lacks, and gets a token that has it`, async () => {
    const key = await keyWith(t, `${HANDLE}@example.org`, ['discovery:read']);
    const refused = await fetch(`${base_url}/api/inbox`, { headers: { 'X-API-Key': key } });
    expect(refused.status).toBe(403);
    const token = (await authorize(base_url, refused)) ?? '';
    expect((await t.call('GET', '/api/auth/key', { token })).body.scopes).toContain('agents:read');
    expect((await t.call('GET', '/api/inbox', { token })).status).toBe(200);
  });
}

const INFO = { name: 'a test', version: '1' };

/** Connects to the tool server with nothing but the private key, and asks who it is. */
const SAYING = {
  '@modelcontextprotocol/sdk': async (): Promise<unknown> => {
    const client = new ClientOfSdk(INFO);
    const authProvider = new ProviderOfSdk(options());
    await client.connect(new TransportOfSdk(new URL(`${base_url}/mcp`), { authProvider }));
    const { structuredContent } = await client.callTool({ name: 'mesh_whoami' });
    await client.close();
    return structuredContent;
  },
  '@modelcontextprotocol/client': async (): Promise<unknown> => {
    const client = new ClientOfClient(INFO);
    const authProvider = new ProviderOfClient(options());
    await client.connect(new TransportOfClient(new URL(`${base_url}/mcp`), { authProvider }));
    const { structuredContent } = await client.callTool({ name: 'mesh_whoami' });
    await client.close();
    return structuredContent;
  },
};

for (const [name, say] of Object.entries(SAYING)) {
  test(`${name} connects to the tool server with the private key alone, and calls as its agent`, async () => {
    expect(await say()).toMatchObject({ handle: HANDLE, kind: 'access_token' });
  });
}
