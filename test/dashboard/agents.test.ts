// What people do for their agents in the web app: from the first sign-in to an active agent, and its settings.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { hasBrowser, openBrowser, openWindow, sentCode, signIn, type Visitor } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PHONE = '+14155550123';
/** Every one of these was a hole somewhere. */
const NAUGHTY = `"><script>throw new Error('ran')</script><img src=x onerror="throw 1"> ‮W`;

describe.skipIf(!hasBrowser)("a person's agents in the web app", () => {
  let server: TestServer;
  let browser: Browser;
  let ann: Visitor;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
    ann = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test('four steps lead from signing in to an active agent', async () => {
    await signIn(server, ann, 'ann@example.com', '/app/onboarding');
    const { page } = ann;
    await page.getByText('1 of 4 steps done').waitFor();
    await page.getByLabel('Handle').fill('postmaster');
    await page.getByText('Nobody can have this name.').waitFor();
    await page.getByLabel('Handle').fill('ann_sails');
    await page.getByText('@ann_sails is free.').waitFor();
    await page.getByLabel('Name that others see').fill('Ann');
    await page.getByRole('button', { name: 'Claim this handle' }).click();
    await page.getByText('2 of 4 steps done').waitFor();
    for (const [side, headline, label] of [
      ['What you offer', 'Sails cut to measure', 'sailmaking'],
      ['What you look for', 'A logo for my loft', 'logo-design'],
    ] as const) {
      const group = page.getByRole('group', { name: side });
      await group.getByLabel('In one line').fill(headline);
      await group.getByLabel('Labels to be found by').fill(label);
      await group.getByLabel('Labels to be found by').press('Enter');
      await group.getByRole('button', { name: `Take ${label} away` }).waitFor();
    }
    await page.getByRole('button', { name: 'Publish and find matches' }).click();
    await page.getByText('Listings: 2. Matches so far: 0.').waitFor();
    await page.getByLabel('Phone number, with country code').fill(PHONE);
    await page.getByRole('button', { name: 'Text me a code' }).click();
    await page.getByLabel('Code from the text message').fill(await sentCode(server, PHONE));
    await page.getByRole('button', { name: 'Prove this number' }).click();
    await page.getByRole('heading', { name: 'Your agent is active' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('settings are kept, and whatever is written stays text', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/agents`);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ann' }).waitFor();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Profile').getByLabel('Name').fill(NAUGHTY);
    await part('Profile').getByRole('button', { name: 'Save' }).click();
    await part('Profile').getByText('Saved.').waitFor();
    const bounds = part('What it may agree to alone');
    await bounds.getByLabel('Pays at most, in dollars').fill('12.50');
    await bounds.getByRole('button', { name: 'Save' }).click();
    await bounds.getByText('Saved.').waitFor();
    const seen = part('Who sees this agent');
    await seen.getByRole('radio', { name: /^Its matches only/ }).check();
    await seen.getByRole('button', { name: 'Save' }).click();
    await seen.getByText('Saved.').waitFor();
    await page.reload();
    await bounds.waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(NAUGHTY);
    expect(await bounds.getByLabel('Pays at most, in dollars').inputValue()).toBe('12.50');
    expect(await seen.getByRole('radio', { name: /^Its matches only/ }).isChecked()).toBe(true);
    expect(ann.complaints).toEqual([]);
  });
});
