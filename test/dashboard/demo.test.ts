// The demo world in a real browser: an administrator starts it, watches a deal to its end, reads a letter, becomes one of its persons and
// releases the money of a delivery, and removes all of it; after that the ledger is right.
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, openWindow, seen, signIn, type Visitor } from '../support/browser.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ADMIN = 'root@example.com';
const SHOTS = process.env['PAGE_SHOTS'];

describe.skipIf(!hasBrowser)('the demo world in the web app', () => {
  const { server, browser } = serverAndBrowser({ ADMIN_EMAILS: ADMIN, TEST_CLOCK: '1' });
  let root: Visitor;

  beforeAll(async () => {
    root = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    await signIn(server, root, ADMIN, '/app/admin');
  });

  const shot = async (page: Page, name: string): Promise<void> => {
    if (!SHOTS) return;
    for (const [look, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
      ['dark', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: look });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${SHOTS}/${name}-${look}-${width}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  /** Lets service time pass, as it would by itself. */
  async function pass(seconds: number): Promise<void> {
    const token = (await Bun.file(join(server.data_dir, 'internal-token')).text()).trim();
    const headers = { 'X-Internal-Token': token, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ advance_seconds: seconds });
    expect((await fetch(`${server.url}/internal/clock`, { method: 'POST', headers, body })).status).toBe(200);
  }

  /** Lets service time pass until the open page, which renews itself meanwhile, has seen it: a state lasts for minutes of it. */
  async function passSeen(page: Page, seconds: number): Promise<void> {
    await pass(seconds);
    const renewed = page.waitForResponse(`${server.url}/demo/live`);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await (await renewed).finished();
  }

  test('is started by an administrator, who reads first what it adds', async () => {
    const { page } = root;
    await page.getByRole('button', { name: 'Start the demo world' }).click();
    const asked = page.getByRole('group', { name: 'Start the demo world?' });
    await asked.getByText('Adds 40 accounts').waitFor();
    await shot(page, 'admin-ask');
    await asked.getByRole('button', { name: 'Start the demo world' }).click();
    await page.getByRole('link', { name: 'Open the demo page' }).waitFor();
    await pass(30);
    await page.getByText('The agents are trading.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await shot(page, 'admin-running');
  });

  test('shows a deal from talk to completion, and the letters about it', async () => {
    const { page } = root;
    await page.getByRole('link', { name: 'Open the demo page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Demo world' }).waitFor();
    await page.getByText('bargaining').first().waitFor();
    await seen(
      async () => {
        await passSeen(page, 30);
        return page.locator('#completed').textContent();
      },
      (text) => Number(text) > 0,
    );
    await page.reload();
    await page.locator('summary').first().click();
    await page.locator('details[open] pre').waitFor();
    await shot(page, 'demo');
    expect(await barriers(page)).toEqual([]);
    expect(root.complaints).toEqual([]);
  });

  test('lets its watcher release the money of a delivery as a buyer, in another tab', async () => {
    const { page, context } = root;
    await seen(
      async () => {
        await passSeen(page, 20);
        return page.locator('#pair-0').textContent();
      },
      (text) => text?.includes('delivered') ?? false,
    );
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open the first deal' }).click();
    const tab = await opened;
    await tab.waitForURL(`${server.url}/app/deals`);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    await shot(tab, 'deals');
    await tab.getByRole('link', { name: 'Open the deal' }).click();
    await tab.getByRole('button', { name: 'Release' }).first().click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await pass(5);
    await seen(
      () => page.locator('#pair-0').textContent(),
      (text) => text?.includes('completed') ?? false,
    );
    await tab.close();
    // The page that stayed open knows who looks now, and changes to another person by one press.
    await page.reload();
    await page.getByText('This browser is signed in as').waitFor();
    const other = context.waitForEvent('page');
    await page.getByRole('button', { name: '@catering_seller' }).click();
    await (await other).waitForURL(/\/app\b/);
    await (await other).close();
  });

  test('is removed by one press, after which nobody of it is there and the ledger is right', async () => {
    root = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    await pass(120);
    await signIn(server, root, ADMIN, '/app/admin');
    const { page } = root;
    await page.getByRole('button', { name: 'Remove the demo world' }).click();
    const asked = page.getByRole('group', { name: 'Remove the demo world?' });
    await shot(page, 'admin-remove');
    await asked.getByRole('button', { name: 'Remove the demo world' }).click();
    await seen(
      async () => {
        await pass(5);
        return page.getByRole('button', { name: 'Start the demo world' }).count();
      },
      (there) => there > 0,
    );
    await page.getByRole('button', { name: 'Ledger', exact: true }).click();
    await page.getByRole('button', { name: 'Check the ledger' }).click();
    await page.getByText('No errors found.').waitFor();
    await page.getByRole('button', { name: 'People', exact: true }).click();
    await page.getByText(ADMIN).first().waitFor();
    expect(await page.getByText('demo.invalid').count()).toBe(0);
  });
});
