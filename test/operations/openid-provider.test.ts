// A real OpenID provider from elsewhere, unmodified: people sign in through it, and prove accounts at it. Skipped, and said to be, where
// it is not installed.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { isConfigProblem, readConfig } from '../../src/config.ts';
import { openAccountHosts, openIdentity } from '../../src/outbound/account-host/oauth-site.ts';
import { newAgent } from '../support/agents.ts';
import { type OpenidProvider, openOpenidProvider } from '../support/openid-provider.ts';
import { newReader, type Reader, signInOn } from '../support/reader.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

const RETURNS = ['http://localhost/app/login/callback', 'http://localhost/app/proofs/oidc/callback'];
const provider: OpenidProvider | null = await openOpenidProvider(RETURNS);

let t: TestService;
let built_in: TestService;
const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

beforeAll(async () => {
  const { issuer = '', port = 0, client_id = '', client_secret = '' } = provider ?? {};
  const config = readConfig({
    OIDC_ISSUER: issuer || 'https://x.example',
    OIDC_AUDIENCE: client_id || 'x',
    OIDC_CLIENT_SECRET: client_secret || 'x',
    PROOF_ISSUER: issuer || 'https://x.example',
    PROOF_CLIENT_ID: client_id || 'x',
    PROOF_CLIENT_SECRET: client_secret || 'x',
    PROOF_KIND: 'linkedin',
  });
  if (isConfigProblem(config)) throw new Error(config.problem);
  const outside = { allow: [{ host: '127.0.0.1', port }] };
  t = await openTestService({ outside_issuer: issuer }, 'memory', {
    outside,
    identity: (http) => {
      const client = openIdentity(config, http);
      if (!client) throw new Error('no provider is set up');
      return client;
    },
  });
  built_in = await openTestService({}, 'memory', { outside, hosts: (http) => openAccountHosts(config, http) });
});
afterAll(async () => {
  await t.close();
  await built_in.close();
  provider?.close();
});

/** Signs in on the provider's own pages. */
async function signIn(reader: Reader, login: string) {
  await reader.get('/app/login');
  const { location } = await reader.post('/app/login', { next: '/app/device' });
  const back = await provider?.visit(location ?? '', login);
  return reader.get(back ? pathOf(back) : '');
}

test.skipIf(provider === null)('people sign in through it, each time into the same account', async () => {
  const ids: string[] = [];
  for (const visit of [1, 2]) {
    const reader = newReader(t);
    const went = await signIn(reader, 'ada');
    expect([visit, went.status, went.location]).toEqual([visit, 303, '/app/device']);
    const headers = { cookie: `meshwork_refresh=${reader.cookies.get('meshwork_refresh')}` };
    const { body } = await t.call('POST', '/api/auth/session/refresh', { headers });
    expect(body.account.email).toBe('ada@example.org');
    ids.push(body.account.id);
  }
  expect(ids[0]).toBe(ids[1] ?? '');
  const refused = await signIn(newReader(t), 'unverified');
  expect([refused.status, refused.text.includes('has not verified your email address')]).toEqual([400, true]);
});

test.skipIf(provider === null)('an account at it proves an agent, and one agent alone', async () => {
  const outcomes: [number, string | null][] = [];
  for (const handle of ['first_there', 'second_there']) {
    const agent = await newAgent(built_in, { handle });
    const reader = newReader(built_in);
    await signInOn(built_in, reader, agent.email);
    await reader.get('/app/proofs');
    const page = await reader.post('/app/proofs', { agent: handle, step: 'account', provider: 'oidc' });
    const href = /<a class="button main" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const back = await provider?.visit(href, 'grace');
    const { status, location } = await reader.get(back ? pathOf(back) : '');
    outcomes.push([status, location]);
  }
  expect(outcomes).toEqual([
    [303, '/app/proofs?agent=first_there'],
    [409, null],
  ]);
  const { body } = await built_in.call('GET', '/api/agents/public/first_there');
  expect(body.trust.credentials).toContain('linkedin');
});
