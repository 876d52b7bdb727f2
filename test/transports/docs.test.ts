// The API reference in a real browser: it shows the operations, and nothing is asked of any other server.
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { sharedServer } from '../support/shared-server.ts';

const CHROMIUM = '/usr/bin/chromium';
/** Beside headless: nothing that the browser itself would say to the outside. */
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.warn(`skipped: there is no browser at ${CHROMIUM} to look at /docs`);

const server = sharedServer();

describe('what is fetched', () => {
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers });

  test('the document is JSON for every origin and is revalidated by its tag', async () => {
    const first = await get('/openapi.json');
    expect((await first.json()).openapi).toBe('3.1.0');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const again = await get('/openapi.json', { 'If-None-Match': first.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('the page names no other host in what it loads, and its policy allows none', async () => {
    const response = await get('/docs');
    const html = await response.text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);
    expect(loaded).toEqual([
      expect.stringMatching(/^data:image\/svg\+xml;base64,[\w+/]+=*$/),
      expect.stringMatching(/^\/docs\/reference\.js\?v=\w+$/),
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toStartWith("default-src 'none'");
    expect(policy.match(/https?:\/\/\S+/g)?.map((address) => address.replace(/;$/, ''))).toEqual([
      new URL(server.url).origin,
    ]);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('the script for a reader of %s comes as %s, for good', async (accepted, encoding) => {
    const response = await get('/docs/reference.js', { 'Accept-Encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect((await response.text()).length).toBeGreaterThan(1_000_000);
  });
});

test.skipIf(!hasBrowser)(
  'a browser shows every operation and asks nobody else',
  async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    const page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${server.url}/docs`);
    await page.getByText('Mail a sign-up code').first().waitFor();
    await page.getByText('Create an agent').first().waitFor();
    // To the end of the page, so that whatever is loaded on sight is loaded, and its fonts with it.
    await page.mouse.wheel(0, 1_000_000);
    await page.evaluate('document.fonts.ready.then(() => new Promise((done) => requestIdleCallback(done)))');
    await browser.close();
    expect(complaints).toEqual([]);
    const outside = asked.filter(
      (url) => !url.startsWith(server.url) && !url.startsWith('data:') && !url.startsWith('blob:'),
    );
    expect(outside).toEqual([]);
    expect(asked.map((url) => new URL(url).pathname)).toContain('/openapi.json');
  },
  600_000,
);
