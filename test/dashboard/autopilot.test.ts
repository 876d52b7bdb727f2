// Autopilot in the web app: its person rehearses it, reads what it would say and under which bounds, switches it on after a second
// question, sees the mark of it where the agent stands, and switches it off at once.

import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { PICTURES } from '../support/looks.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const NAUGHTY = `"><img src=x onerror="throw 1">`;
const ANN = 'ann_flies';
const BOB = 'bob_waits';

describe.skipIf(!hasBrowser)('autopilot in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let part: Locator;

  const anns = (method: string, path: string, body: unknown = {}) => call(ann, { method, path, agent: ANN, body });
  const open = (path: string) => ann.page.goto(`${server.url}/app/${path}`);
  const button = (name: string): Locator => part.getByRole('button', { name, exact: true });
  const locked = (): Promise<string | null> => button('Turn on').getAttribute('aria-disabled');

  /** As it looks by light, by dark and on a phone; nothing keeps anybody out, and nothing sticks out. */
  async function judge(name: string, of: Locator = part): Promise<void> {
    const { page } = ann;
    for (const [look, colorScheme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      expect([name, look, await barriers(page)]).toEqual([name, look, []]);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect([name, look, scrollWidth]).toEqual([name, look, clientWidth]);
      if (PICTURES) await of.screenshot({ path: join(PICTURES, `${name}-${look}.png`) });
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550181');
    bob = await dealer(server, browser, BOB, '+14155550182');
    part = ann.page.getByRole('region', { name: 'Autopilot', exact: true });
  });

  test('without a live listing there is nothing to rehearse, and it stays off', async () => {
    await open(`agents/${ANN}`);
    await part.getByText('It replies only when you or your program tell it to.').waitFor();
    await button('Rehearse').click();
    await part.getByText('Nothing to rehearse').waitFor();
    expect(await part.getByRole('link', { name: 'See your listings' }).getAttribute('href')).toBe('/app/listings');
    expect(await locked()).toBe('true');
    await judge('autopilot-empty');
    expect(ann.complaints).toEqual([]);
  });

  test('a rehearsal shows each talk with the copy, how it ended, and follows the bounds', async () => {
    const { page } = ann;
    await anns('POST', `/api/agents/${ANN}/cards`, { ...LOGO_OFFER, headline: `Logos ${NAUGHTY}` });
    await anns('POST', `/api/agents/${ANN}/cards`, LOGO_SEEK);
    await open(`agents/${ANN}`);
    await part.getByText('Rehearse first').waitFor();
    expect(await locked()).toBe('true');
    await button('Turn on').click({ force: true });
    expect(await part.getByRole('group').count()).toBe(0);
    await button('Rehearse').click();
    await part.getByText('Rehearsed conversations: 2.').waitFor();
    const sells = part.getByRole('article', { name: `Logos ${NAUGHTY}` });
    const buys = part.getByRole('article', { name: LOGO_SEEK.headline });
    await sells.getByText(/^They agreed on \$[\d,.]+\.$/).waitFor();
    await sells.getByText('You would be asked before this is agreed.').waitFor();
    await buys.getByText('As the buyer', { exact: true }).waitFor();
    const talk = buys.getByRole('listitem');
    expect((await talk.nth(0).textContent())?.startsWith('Your copy')).toBe(true);
    expect((await talk.nth(1).textContent())?.startsWith('You')).toBe(true);
    expect(await locked()).toBeNull();
    await judge('autopilot-rehearsed');
    const bounds = page.getByRole('region', { name: 'Limits' });
    await bounds.getByLabel('Charges at least, in dollars').fill('400');
    await bounds.getByLabel('Approves by itself up to, in dollars').fill('5000');
    await bounds.getByRole('button', { name: 'Save' }).click();
    await sells.getByText('Your agent would agree without asking you.').waitFor();
    const came = await sells.getByText(/^They agreed on/).textContent();
    expect(Number(came?.replaceAll(/[^\d.]|\.$/g, ''))).toBeGreaterThanOrEqual(400);
    expect(ann.complaints).toEqual([]);
  });

  test('where no limit is known it says so, and leads to the bounds', async () => {
    const { page } = ann;
    await page.route('**/rehearsal', async (route) => {
      const answer = await route.fetch();
      const { rehearsals } = await answer.json();
      const [first, second] = rehearsals;
      const nothing = { ...first, ended: 'no_limit', amount_cents: null, said: [] };
      await route.fulfill({
        response: answer,
        json: { rehearsals: [nothing, { ...second, ended: 'apart', amount_cents: null }] },
      });
    });
    await open(`agents/${ANN}`);
    await button('Rehearse').click();
    await part.getByText('No limit is set').waitFor();
    await part.getByText('They did not agree.').waitFor();
    await part.getByRole('link', { name: 'Set limits' }).click();
    expect(new URL(page.url()).hash).toBe('#bounds');
    await page.unroute('**/rehearsal');
    expect(ann.complaints).toEqual([]);
  });

  test('a rehearsal that fails switches nothing on', async () => {
    const { page } = ann;
    await open(`agents/${ANN}`);
    await page.route('**/rehearsal', (route) =>
      route.fulfill({ status: 403, json: { error: 'forbidden', message: 'No.' } }),
    );
    await button('Rehearse').click();
    await part.getByRole('alert').waitFor();
    expect(await locked()).toBe('true');
    await page.unroute('**/rehearsal');
    await button('Try again').click();
    await part.getByText('Rehearsed conversations: 2.').waitFor();
    ann.complaints.length = 0;
  });

  test('is switched on by a second question that names the bounds, and warns where there are none', async () => {
    const { page } = ann;
    await anns('PATCH', '/api/agents/bounds', { min_charge_cents: null, auto_approve_below_cents: null });
    await open(`agents/${ANN}`);
    await button('Rehearse').click();
    await part.getByText('Rehearsed conversations: 2.').waitFor();
    await button('Turn on').click();
    const sure = part.getByRole('group', { name: `Let @${ANN} reply by itself, within these limits?` });
    await sure.getByText('not set: up to the budget of the listing').waitFor();
    await sure.getByText('not set: down to the price of the listing').waitFor();
    await sure.getByText('not set: you approve every amount').waitFor();
    await sure.getByText('No limits are set.').waitFor();
    await judge('autopilot-unbounded');
    await sure.getByRole('button', { name: 'Not now' }).click();
    await anns('PATCH', '/api/agents/bounds', { max_pay_cents: 40_000, auto_approve_below_cents: 12_550 });
    await open(`agents/${ANN}`);
    await button('Rehearse').click();
    await button('Turn on').and(part.locator('button:not([aria-disabled="true"])')).click();
    await sure.getByText('$400.00').waitFor();
    await sure.getByText('$125.50').waitFor();
    expect(await sure.getByText('No limits are set.').count()).toBe(0);
    await judge('autopilot-ask');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await sure.getByRole('button', { name: 'Turn on' }).click();
    expect((await sent).postDataJSON()).toEqual({ autopilot: true });
    await part.getByText('It replies by itself.').waitFor();
    expect(await anns('PATCH', `/api/agents/${ANN}`, {})).toMatchObject({ autopilot: true });
    await judge('autopilot-on');
    expect(ann.complaints).toEqual([]);
  });

  test('the mark stands where the agents are listed, and in its conversations', async () => {
    const { page } = ann;
    await open('agents');
    await page.getByText('On autopilot', { exact: true }).waitFor();
    await judge('autopilot-list', page.locator('main'));
    const conversation_id = await begin(bob, BOB, ANN, 'Hello?');
    await open(`conversations/${conversation_id}`);
    const turns = page.getByRole('group').filter({ hasText: 'Let my agent reply' });
    await turns.getByText('On autopilot', { exact: true }).click();
    await turns.getByRole('link', { name: 'Autopilot settings' }).waitFor();
    await judge('autopilot-thread', page.locator('main'));
    const theirs = bob.page;
    await theirs.goto(`${server.url}/app/conversations/${conversation_id}`);
    await theirs.getByText('Let my agent reply').first().waitFor();
    expect(await theirs.getByText('On autopilot').count()).toBe(0);
    await turns.getByRole('link', { name: 'Autopilot settings' }).click();
    await part.waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('it is switched off at once, and on again only after another look', async () => {
    const { page } = ann;
    await open(`agents/${ANN}`);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await button('Turn off').click();
    expect((await sent).postDataJSON()).toEqual({ autopilot: false });
    await part.getByText('It replies only when you or your program tell it to.').waitFor();
    expect(await locked()).toBe('true');
    expect(await page.getByText('On autopilot', { exact: true }).count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });
});
