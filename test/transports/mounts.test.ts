// The second addresses of what a key reaches, the front page, and whose cookies are taken.
import { beforeAll, describe, expect, test } from 'bun:test';
import { registry } from '../../src/operations/registry.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { codeFor } from '../support/testbed.ts';

const t = sharedService();
let ada: TestAgent;
beforeAll(async () => {
  ada = await newAgent(t, { handle: 'ada' });
});

const operations = registry();
const addresses = (wanted: (operation: (typeof operations)[number]) => boolean): [method: string, path: string][] =>
  operations
    .filter(wanted)
    .flatMap(({ rest }) => rest)
    .filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/v1/'))
    .map(({ method, path }) => [method, path.replace('/api/', '/api/v1/').replaceAll(/\{\w+\}/g, 'x')]);

async function allowed(path: string): Promise<string[]> {
  const { headers } = await t.call('OPTIONS', path);
  return (headers.get('allow') ?? '').split(', ');
}

describe('/api/v1', () => {
  test('takes everything that a key reaches', async () => {
    const reached = addresses(({ access, scope }) => access === 'public' || (access === 'key' && scope !== undefined));
    expect(reached.length).toBeGreaterThan(50);
    for (const [method, path] of reached) expect(await allowed(path)).toContain(method);
  });

  test('takes nothing that needs a session, and nothing of the operators', async () => {
    // What keys have under an address of its own there is another operation.
    const own = operations.flatMap(({ rest }) => rest.map(({ method, path }) => `${method} ${path}`));
    const sessions = addresses(({ access }) => access === 'session');
    const barred = sessions.filter(([method, path]) => !own.includes(`${method} ${path.replace(/\/$/, '')}`));
    expect(barred.length).toBeGreaterThan(3);
    for (const [method, path] of barred) expect(await allowed(path)).not.toContain(method);
    expect((await t.call('GET', '/api/v1/internal/outbox')).status).toBe(404);
  });

  test('answers as the other address does, to the same credentials', async () => {
    for (const path of ['agents/ada', 'registry', 'billing/limits', 'inbox?peek=true', 'agents/ada/cards']) {
      const [plain, mounted] = [
        await t.call('GET', `/api/${path}`, { key: ada.key }),
        await t.call('GET', `/api/v1/${path}`, { key: ada.key }),
      ];
      expect([path, mounted.status, mounted.body]).toEqual([path, 200, plain.body]);
    }
    expect((await t.call('GET', '/api/v1/agents/ada')).status).toBe(401);
    const patched = await t.call('PATCH', '/api/v1/agents/ada', { key: ada.key, body: { headline: 'by v1' } });
    expect([patched.status, patched.body.headline]).toEqual([200, 'by v1']);
    expect((await t.call('GET', '/api/v1/no-such-path', { key: ada.key })).body.error).toBe('not_found');
  });
});

describe('the front page', () => {
  test('tells a program where everything is', async () => {
    const { status, body } = await t.call('GET', '/');
    expect([status, body.openapi, body.agent_card]).toEqual([200, '/openapi.json', '/.well-known/agent.json']);
  });

  test('leads a person to the app', async () => {
    const request = new Request('http://localhost/', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    const shown = await t.fetch(request);
    expect([shown.status, shown.headers.get('vary')]).toEqual([200, 'Accept, Accept-Language']);
    expect(await shown.text()).toContain('href="/app/login"');
  });
});

test('an address where nothing stands is a page for people, and the usual refusal for programs', async () => {
  const shown = await t.fetch(new Request('http://localhost/app/no-such', { headers: { Accept: 'text/html' } }));
  expect([shown.status, (await shown.text()).includes('<h1>There is no such page</h1>')]).toEqual([404, true]);
  expect((await t.call('GET', '/app/no-such')).body.error).toBe('not_found');
});

describe('the refresh cookie', () => {
  async function signedIn(): Promise<string> {
    const body = { email: ada.email };
    await t.call('POST', '/api/auth/session/start', { body });
    const { headers } = await t.call('POST', '/api/auth/session/verify', {
      body: { ...body, code: codeFor(t, ada.email) },
    });
    return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
  }
  const refresh = (cookie: string, origin?: string) =>
    t.call('POST', '/api/auth/session/refresh', { headers: { Cookie: cookie, ...(origin && { Origin: origin }) } });

  test.each(['https://elsewhere.test', 'http://sub.localhost', 'null', 'http://localhost:81'])(
    'is not taken from a page of %s, nor spent by it',
    async (origin) => {
      const cookie = await signedIn();
      const stolen = await refresh(cookie, origin);
      expect([stolen.status, stolen.headers.has('set-cookie')]).toEqual([401, false]);
      expect(
        (await t.call('POST', '/api/auth/session/end', { headers: { Cookie: cookie, Origin: origin } })).body,
      ).toEqual({
        ended: false,
      });
      expect((await refresh(cookie)).status).toBe(200);
    },
  );

  test('is taken from the web app', async () => {
    expect((await refresh(await signedIn(), 'http://localhost')).status).toBe(200);
  });
});
