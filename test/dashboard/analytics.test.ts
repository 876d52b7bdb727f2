// The figures of an agent in the web app: what helps where there is none, and tiles, a chart with its table, phases and listings.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const publish = (who: Visitor, agent: string, body: unknown) =>
  call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body });

describe.skipIf(!hasBrowser)('the figures in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_counts', '+14155550171');
  });

  test('say what to do where there are none: a listing first, then a longer span', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/analytics`);
    await page.getByText('No listings yet.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'New listing' }).click();
    await page.getByRole('heading', { name: 'New listing' }).waitFor();
    await publish(ann, 'ann_counts', LOGO_OFFER);
    await page.goto(`${server.url}/app/analytics`);
    await page.getByText('No activity in this period.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show a year' }).click();
    await page.getByRole('button', { name: 'A year', pressed: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Show a year' }).count()).toBe(0);
    await page.getByRole('link', { name: 'See your listings' }).click();
    await page.getByRole('heading', { name: 'Listings', exact: true }).waitFor();
  });

  test('tell in tiles, a chart that is a table too, phases and listings, in the dark and in forced colours', async () => {
    const { page } = ann;
    const bob = await dealer(server, browser, 'bob_counts', '+14155550172');
    await publish(bob, 'bob_counts', LOGO_SEEK);
    const conversation_id = await begin(bob, 'bob_counts', 'ann_counts', 'Hello');
    const answer = { path: `/api/conversations/${conversation_id}/messages`, body: { content: 'Good day' } };
    await call(ann, { method: 'POST', agent: 'ann_counts', ...answer });
    await page.goto(`${server.url}/app/analytics`);
    const tile = page.locator('.tiles div').filter({ hasText: 'Matches' });
    await tile.waitFor();
    expect(await tile.textContent()).toBe('Matches1');
    await page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await page.getByRole('img', { name: /^Conversations by day, 30 days\. Total: 1\./ }).waitFor();
    // What the chart says is there to read for everybody.
    await page.locator('figcaption').getByText('Conversations by day, 30 days. Total: 1.').waitFor();
    // Its values are read under the pointer and by the keyboard.
    const reading = page.getByRole('slider', { name: 'Read the chart value by value' });
    await page.locator('figure output').getByText(/: 1$/).waitFor();
    await reading.press('ArrowLeft');
    await page.locator('figure output').getByText(/: 0$/).waitFor();
    expect(await reading.getAttribute('aria-valuetext')).toBe(await page.locator('figure output').textContent());
    await page.locator('figure svg .hit').last().hover();
    await page.locator('figure output').getByText(/: 1$/).waitFor();
    await page.getByText('Show as a table').first().click();
    expect(await page.locator('figure tbody tr').count()).toBe(30);
    await page.getByRole('button', { name: 'Typical response time', exact: true }).click();
    await page
      .getByRole('img', { name: /^Typical response time by week, 30 days\. Over the whole period: under a minute/ })
      .waitFor();
    await page.getByRole('img', { name: /^Conversations by phase\. Introduction: 1 · 100%\. / }).waitFor();
    await page.getByText('Show as a table').last().click();
    await page.getByRole('row', { name: /Introduction.*100%.*1/ }).waitFor();
    await page.getByRole('row', { name: /Closing.*0%.*0/ }).waitFor();
    await page.getByRole('link', { name: LOGO_OFFER.headline }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.getByRole('button', { name: 'Conversations', exact: true }).click();
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('img', { name: /7 days/ }).waitFor();
    await page.getByRole('button', { name: 'A year' }).click();
    // 365 bars are no more than hairs.
    await page.getByRole('img', { name: /by month, the last year/ }).waitFor();
    expect([12, 13]).toContain(await page.locator('figure svg .bar').count());
    expect(await barriers(page)).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });

  test('of each listing are all that the agent has, and a phone shows them without scrolling sideways', async () => {
    const { page } = ann;
    const phases = ['qualification', 'verification', 'exploration', 'negotiation', 'proposal', 'closing'];
    const reached = (numbers: readonly number[]) =>
      phases.map((phase, n) => ({ phase, conversations: numbers[n] ?? 0 }));
    await page.route('**/api/analytics*', async (route) => {
      const told = await (await route.fetch()).json();
      const of_listing = {
        views: 70,
        conversations: 4,
        replies: 9,
        median_response_seconds: 7_200,
        revenue_cents: 123_456,
      };
      told.by_listing[0] = { ...told.by_listing[0], ...of_listing, by_phase: reached([4, 4, 4, 2, 2, 1]) };
      const partly = { partial: true, partial_in: ['views', 'replies'] };
      const whole = { ...told, ...partly, conversations: 8, by_phase: reached([8, 6, 4, 2, 2, 1]) };
      await route.fulfill({ json: whole });
    });
    await page.goto(`${server.url}/app/analytics`);
    await page.getByText('is counted in: Views and Replies.').waitFor();
    const row = page.getByRole('row').filter({ hasText: LOGO_OFFER.headline });
    const cells = await row.getByRole('cell').allTextContents();
    expect(cells.slice(1)).toEqual(['70', '1', '4', '9', '2 hours', '25%', '0', '$1,234.56']);
    await page.getByText('Show as a table').last().click();
    await page.getByRole('row', { name: /^Verification.*75%.*75%.*6$/ }).waitFor();
    await page.getByLabel('Category').selectOption(LOGO_OFFER.headline);
    await page.getByRole('row', { name: /^Negotiation.*50%.*50%.*2$/ }).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    for (const span of ['7 days', '90 days', 'A year']) {
      await page.getByRole('button', { name: span }).click();
      await page.getByRole('button', { name: span, pressed: true }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    // Letters of the chart stay as large as others: the drawing is narrower, not smaller.
    const letters = page.locator('figure svg text').first();
    expect((await letters.boundingBox())?.height).toBeGreaterThan(9);
    expect(await barriers(page)).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });
});
