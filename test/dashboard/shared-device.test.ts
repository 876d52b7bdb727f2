// A device that two people share: who signs out is out in every tab, also of the browser's memory of pages; and whoever signs in next
// sees nothing of the one before, acts in nobody else's name, and finds none of their texts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { callAs, hasBrowser, openWindow, seen, signIn, type Visitor } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
/** What Ann alone may see. */
const SECRET = 'ann_keeps_this';

describe.skipIf(!hasBrowser)('on a shared device', () => {
  let server: TestServer;
  let browser: Browser;
  let device: Visitor;

  beforeAll(async () => {
    server = await startTestServer();
    // The driver switches off the memory in which a browser keeps pages that were left.
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    device = await openWindow(browser);
    await signIn(server, device, ANN, '/app/onboarding');
    await callAs(device, 'POST', '/api/agents', { handle: SECRET, display_name: SECRET }).catch(() => {});
    await device.page.goto(`${server.url}/app/agents`);
    await device.page.getByText(SECRET).first().waitFor();
  });

  const signOut = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Email address').waitFor();
  };
  const shown = (page: Page): Promise<string> => page.evaluate(() => document.body.textContent ?? '');
  /** Everything that the browser keeps for the app, but the service's files. */
  const kept = (page: Page): Promise<string> =>
    page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));

  test('signing out in one tab leaves no other tab signed in', async () => {
    const second = await device.context.newPage();
    await second.goto(`${server.url}/app/agents`);
    await second.getByText(SECRET).first().waitFor();
    await signOut(device.page);
    await second.getByLabel('Email address').waitFor();
    expect(await shown(second)).not.toContain(SECRET);
  });

  test('a page that was left is not shown again after signing out', async () => {
    await device.page.getByRole('link', { name: 'Home' }).first().click();
    await device.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await signOut(device.page);
    await device.page.goBack({ waitUntil: 'commit' });
    await device.page.getByLabel('Email address').waitFor();
    expect(await shown(device.page)).not.toContain(SECRET);
  });

  test('a tab that did not hear of it shows the next person their own, and nothing in two names', async () => {
    const deaf = await device.context.newPage();
    // As in a tab that the browser had put to sleep.
    await deaf.route('**/api/notifications/stream*', (route) => route.abort());
    await deaf.goto(`${server.url}/app/agents`);
    await deaf.getByText(SECRET).first().waitFor();
    await signOut(device.page);
    await signIn(server, device, BOB, '/app');
    const asked: string[] = [];
    deaf.on('request', (request) => {
      const handle = request.headers()['x-agent-handle'];
      if (handle === SECRET) asked.push(new URL(request.url()).pathname);
    });
    await deaf.getByRole('link', { name: 'Home' }).first().click();
    await seen(
      () => shown(deaf).catch(() => SECRET),
      (text) => text !== '' && !text.includes(SECRET) && !text.includes(ANN),
    );
    await deaf.getByRole('button', { name: /^Your account/ }).click();
    await deaf.getByText(BOB).first().waitFor();
    // What was under way when the tab noticed was refused; nothing is asked for in her name after that.
    asked.length = 0;
    await deaf.goto(`${server.url}/app/wallet`);
    await deaf.getByRole('heading', { level: 1 }).waitFor();
    expect(asked).toEqual([]);
  });

  test('whoever signs in next finds no texts of the one before', async () => {
    const { page } = device;
    const { id } = (await callAs(device, 'GET', '/api/account', undefined)) as { id: string };
    await page.evaluate(
      ([id, text]) => {
        const said = { match_id: crypto.randomUUID(), action: 'interested', note: text };
        const left = [{ key: crypto.randomUUID(), said, headline: text, at_ms: Date.now() }];
        localStorage.setItem(`meshwork-left-answers ${id}`, JSON.stringify(left));
        sessionStorage.setItem(`meshwork-draft ${id} message`, String(text));
      },
      [id, SECRET] as const,
    );
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes(SECRET)) sent.push(request.url());
    });
    await signOut(page);
    expect(await kept(page)).not.toContain(SECRET);
    sent.length = 0;
    await signIn(server, device, BOB, '/app');
    expect(await shown(page)).not.toContain(SECRET);
    expect([await kept(page), sent]).toEqual([expect.not.stringContaining(SECRET), []]);
  });
});
