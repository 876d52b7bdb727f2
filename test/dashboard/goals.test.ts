// What an agent bargains for, in a browser: its person adds issues to a listing, reads what is wrong at the field, and finds them again.
import { beforeAll, describe, expect, test } from 'bun:test';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const OWNER = 'ann_bargains';

describe.skipIf(!hasBrowser)('the goals of a listing', () => {
  const { server, browser } = serverAndBrowser();
  let owner: Visitor;
  let listing: string;

  beforeAll(async () => {
    owner = await dealer(server, browser, OWNER, '+14155550197');
    const path = `/api/agents/${OWNER}/cards`;
    const made = await call(owner, { method: 'POST', path, agent: OWNER, body: LOGO_SEEK });
    listing = (made as { id: string }).id;
  });

  test('are added, corrected at the field, saved, and read again', async () => {
    const { page } = owner;
    await page.goto(`${server.url}/app/listings/${listing}`);
    const part = page.locator('section', { has: page.getByRole('heading', { name: 'What your agent bargains for' }) });
    await part.getByLabel('Add an issue').selectOption('days_to_deliver');
    await part.getByLabel('Add an issue').selectOption('licence');
    await part.getByLabel('Add an issue').selectOption('price');
    const days = part.getByRole('group', { name: 'Days to deliver' });
    await days.getByLabel('Limit').fill('9999');
    await days.getByLabel('Wish').fill('5');
    await part.getByRole('group', { name: 'Licence' }).getByLabel('Wish').selectOption('exclusive');
    await part.getByRole('button', { name: 'Save' }).click();
    await days.locator('.problem').waitFor();
    expect(await days.locator('.problem').textContent()).toContain('3650');
    await days.getByLabel('Limit').fill('14');
    await part.getByRole('button', { name: 'Save' }).click();
    await part.getByText('Saved').waitFor();
    await page.reload();
    expect(await days.getByLabel('Limit').inputValue()).toBe('14');
    expect(await part.getByRole('group', { name: 'Licence' }).getByLabel('Wish').inputValue()).toBe('exclusive');
    await judgeLooks(owner, 'listing-goals');
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await days.getByLabel('Limit').isVisible()).toBe(true);
  });
});
