// The figures of an agent in the web app: what helps where there is none, and tiles, a chart with its table, phases and listings.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, openBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the figures in the web app', () => {
  let server: TestServer;
  let browser: Browser;
  let ann: Visitor;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
    ann = await dealer(server, browser, 'ann_counts', '+14155550171');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test('say what to do where there are none', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/analytics`);
    await page.getByText('Nothing happened in this span.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'See your listings' }).click();
    await page.getByRole('heading', { name: 'Listings', exact: true }).waitFor();
  });

  test('tell in tiles, a chart that is a table too, phases and listings, in the dark and in forced colours', async () => {
    const { page } = ann;
    const publish = (who: Visitor, agent: string, body: unknown) =>
      call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body });
    await publish(ann, 'ann_counts', LOGO_OFFER);
    const bob = await dealer(server, browser, 'bob_counts', '+14155550172');
    await publish(bob, 'bob_counts', LOGO_SEEK);
    const asked = { path: '/api/conversations', agent: 'bob_counts', body: { handle: 'ann_counts', content: 'Hello' } };
    await call(bob, { method: 'POST', ...asked });
    await page.goto(`${server.url}/app/analytics`);
    const tile = page.locator('.tiles div').filter({ hasText: 'Matches' });
    await tile.waitFor();
    expect(await tile.textContent()).toBe('Matches1');
    await page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await page.getByRole('img', { name: /^Conversations by day, 30 days\. In all 1\./ }).waitFor();
    await page.getByText('Show as a table').click();
    expect(await page.locator('figure tbody tr').count()).toBe(30);
    await page.getByRole('row', { name: /Getting acquainted.*100%.*1/ }).waitFor();
    await page.getByRole('row', { name: /Closing.*0%.*0/ }).waitFor();
    await page.getByRole('link', { name: LOGO_OFFER.headline }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('img', { name: /7 days/ }).waitFor();
    await page.getByRole('button', { name: 'A year' }).click();
    await page.getByRole('img', { name: /A year/ }).waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });
});
