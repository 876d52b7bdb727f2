// The app as one that is installed: its manifest and icons are whole, it opens without a network and says so, and what is kept of it
// holds nothing that anybody has written.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { inflateSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { hasBrowser, openBrowser, openWindow, signIn, type Visitor } from '../support/browser.ts';
import { sharedServer } from '../support/shared-server.ts';

const server = sharedServer();

const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`);

describe('what browsers install', () => {
  test('the manifest names the app, where it begins, and icons that are there', async () => {
    const answer = await get('/app/app.webmanifest');
    expect(answer.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    const manifest = await answer.json();
    expect(manifest).toMatchObject({ name: 'Meshwork', start_url: '/app', scope: '/app', display: 'standalone' });
    for (const { src, type } of manifest.icons) {
      expect((await get(src)).headers.get('content-type')?.split(';')[0]).toBe(type);
    }
  });

  test('the icon is a whole PNG: white where the lines are, blue to its edges', async () => {
    const bytes = new Uint8Array(await (await get('/app/icon-192.png')).arrayBuffer());
    const view = new DataView(bytes.buffer);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([192, 192]);
    const length = view.getUint32(33);
    const rows = inflateSync(bytes.subarray(41, 41 + length));
    const at = (x: number, y: number) => [...rows.subarray(y * 577 + 1 + 3 * x, y * 577 + 4 + 3 * x)];
    expect(at(96, 56)).toEqual([255, 255, 255]);
    expect(at(0, 0)).toEqual([0x1f, 0x5f, 0xd6]);
    expect(at(96, 96)).toEqual([0x1f, 0x5f, 0xd6]);
  });

  test('pages outside of the app have the icon too', async () => {
    expect((await get('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    const bytes = new Uint8Array(await (await get('/favicon.ico')).arrayBuffer());
    expect([...bytes.subarray(1, 4)]).toEqual([...'PNG'].map((letter) => letter.charCodeAt(0)));
  });

  test('the worker may call this service and load nothing', async () => {
    const { headers } = await get('/app/worker.js');
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'; connect-src 'self'");
    expect(headers.get('service-worker-allowed')).toBe('/app');
    expect(headers.get('cache-control')).toBe('no-cache');
  });
});

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    browser = await openBrowser();
    visitor = await openWindow(browser);
    await signIn(server, visitor, 'ann@example.com', '/app/keys');
    await visitor.page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  });

  afterAll(() => browser?.close());

  test('the app can be installed', async () => {
    const { page, context } = visitor;
    const devtools = await context.newCDPSession(page);
    expect((await devtools.send('Page.getAppManifest')).errors).toEqual([]);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A window without memory installs nothing, whatever the app is.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  });

  test('it opens without a network, says so, and goes on when the network is back', async () => {
    const { page, context } = visitor;
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
    await context.setOffline(true);
    await page.goto(`${server.url}/app/wallet`);
    await page
      .getByRole('alert')
      .filter({ hasText: /You are offline|did not respond/ })
      .waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  test('nothing is kept but the shell', async () => {
    const kept = await visitor.page.evaluate(async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => new URL(url).pathname);
    });
    expect([...new Set(kept.map((path) => path.replace(/-\w+\./, '.')))].sort()).toEqual([
      '/app',
      '/app/assets/app.css',
      '/app/assets/app.js',
      '/app/assets/part.js',
    ]);
  });
});
