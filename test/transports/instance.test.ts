// What whoever runs the service calls it: on pages, in letters, in the documents of programs; and the plan of new accounts.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instance } from '../../src/domain/instance.ts';
import { lookOf } from '../../src/domain/look.ts';
import { newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { newReader } from '../support/reader.ts';
import { startTestServer } from '../support/server.ts';
import { openTestService } from '../support/testbed.ts';

const NAME = '<b>Quay & "Co" $&</b>';
const SHOWN = '&lt;b&gt;Quay &amp; &quot;Co&quot; $&amp;&lt;/b&gt;';
const INSTANCE: Instance = {
  name: NAME,
  terms_url: 'https://quay.example/terms?a="',
  privacy_url: 'https://quay.example/privacy',
  logo: 'data:image/png;base64,iVBORw0KGgo=',
  color: '#ffd400',
};

const t = sharedService({ instance: INSTANCE, default_plan: 'pro' });

test('pages show the name, the picture and the terms, and nothing of them is markup', async () => {
  for (const path of ['/', '/app/login', '/nowhere-at-all']) {
    const { text } = await newReader(t).get(path);
    expect(text).not.toContain(NAME);
    expect(text).not.toContain('\ue0ff');
    expect(text).toContain(`<strong>${SHOWN}</strong>`);
    expect(text).toContain('<img src="data:image/png;base64,iVBORw0KGgo="');
    expect(text).toContain('<a href="https://quay.example/terms?a=&quot;">Terms of use</a>');
    expect(text).toContain('<a href="https://quay.example/privacy">Privacy</a>');
  }
});

test('letters come from it and name it, and new accounts are on the plan that is set', async () => {
  const ada = await newAgent(t, { handle: 'ada' });
  const letter = t.mails.find(({ to }) => to === ada.email);
  expect(letter).toMatchObject({ from_name: NAME, subject: `Your sign-up code for ${NAME}` });
  expect(letter?.text.trimEnd().endsWith(NAME)).toBe(true);
  expect((await t.call('GET', '/api/account', { token: ada.token })).body.plan).toBe('pro');
  const card = await t.call('GET', `/api/agents/${ada.handle}/agent-card.json`);
  if (card.status === 200) expect(card.body.provider.organization).toBe(NAME);
});

test('pages and letters are in its colour', async () => {
  const { light, dark } = lookOf(INSTANCE.color);
  const { text } = await newReader(t).get('/app/login');
  expect(text).toContain(`--accent:${light.accent};`);
  expect(text).toContain(`--accent:${dark.accent};`);
});

test('without settings of its own a page shows the mark and the name, and no terms', async () => {
  const plain = await openTestService();
  const { text } = await newReader(plain).get('/app/login');
  expect(text).toContain('<strong>Meshwork</strong></header>');
  expect(text).toContain('<img src="data:image/svg+xml;base64,');
  expect(text).not.toContain('<footer');
  await plain.close();
});

const JSON_BODY = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

describe('a whole server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-logo-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test('tells its name to programs and the app', async () => {
    const picture = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.cookie)</script></svg>';
    const logo = file('logo.svg', picture);
    const terms = 'https://quay.example/terms';
    const plans = file('plans.json', JSON.stringify({ pro: { name: 'Berth & more' } }));
    const env = {
      INSTANCE_NAME: 'Quay',
      TERMS_URL: terms,
      INSTANCE_LOGO: logo,
      INSTANCE_COLOR: 'ffd400',
      PLANS: plans,
    };
    const server = await startTestServer(env);
    const read = async (path: string): Promise<string> =>
      (await fetch(`${server.url}${path}`, { headers: { Accept: 'text/html' } })).text();
    expect(await read('/llms.txt')).toStartWith('# Quay\n');
    expect(JSON.parse(await read('/openapi.json')).info).toMatchObject({
      title: 'Quay',
      termsOfService: 'https://quay.example/terms',
    });
    expect(JSON.parse(await read('/app/app.webmanifest'))).toMatchObject({ name: 'Quay', theme_color: '#ffd400' });
    for (const path of ['/app/icon.svg', '/favicon.svg']) expect(await read(path)).toContain('fill="#ffd400"');
    expect(await read('/app/logo')).toBe(picture);
    // Opened as a page, it runs nothing and is of no origin.
    const { headers } = await fetch(`${server.url}/app/logo`);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*sandbox$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const path of ['/docs/guide', '/docs', '/nowhere-at-all', '/app/login'])
      expect([path, (await read(path)).includes(lookOf('#ffd400').light.accent)]).toEqual([path, true]);
    expect(await read('/app/login')).toContain('data:image/svg+xml;base64,');
    const ask = async (path: string, body: object, key = ''): Promise<string> => {
      const headers = { ...JSON_BODY, ...(key !== '' && { 'X-API-Key': key }) };
      return (await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })).text();
    };
    const provisioned = await ask('/api/auth/provision', { install_id: 'q'.repeat(32) });
    const key = JSON.parse(provisioned).api_key;
    const said = [
      provisioned,
      await ask(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
        key,
      ),
      await ask('/a2a/rpc', { jsonrpc: '2.0', id: 1, method: 'initialize' }, key),
      await read('/.well-known/agent.json'),
      ...(await Promise.all(['/llms.txt', '/docs/guide/guide', '/docs/guide/matching'].map(read))),
    ];
    for (const text of said) expect(text).toContain('Quay');
    for (const text of said) expect(text).not.toMatch(/\bMeshwork\b|\bPro\b/);
    // Any session: the app itself notices one that is none.
    const signed = { Accept: 'text/html', Cookie: 'meshwork_page=a.b' };
    const app = await (await fetch(`${server.url}/app/`, { headers: signed })).text();
    for (const meta of [
      ['plan-free', 'Free'],
      ['plan-pro', 'Berth &amp; more'],
      ['terms', terms],
    ] as const)
      expect(app).toContain(`<meta name="meshwork-${meta[0]}" content="${meta[1]}">`);
    await server.stop();
  });

  test('is refused a picture that is none', async () => {
    for (const logo of [file('page.html', '<html><script>1</script></html>'), join(folder, 'absent.png')]) {
      expect(startTestServer({ INSTANCE_LOGO: logo })).rejects.toThrow('INSTANCE_LOGO');
    }
  });
});
