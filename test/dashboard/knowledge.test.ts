// What an agent knows, in the web app: added, found as its own side and as others find it, and removed once that was asked twice.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('what an agent knows in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_knows', '+14155550161');
  });

  test('is added, private unless said, and told to nobody where it holds private data', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/knowledge`);
    await page.getByText('No entries yet.').waitFor();
    const add = page.getByRole('button', { name: 'Add an entry' });
    await page.getByLabel('Title').fill('Delivery');
    await page.getByLabel('Text').fill('Ropes leave within two days.');
    await add.click();
    await page.getByText('Entry added.').waitFor();
    await page.getByText('private', { exact: true }).waitFor();
    await page.getByLabel('Text').fill('Write to ann@example.org about ropes.');
    await page.getByLabel('Public').check();
    await add.click();
    await page.getByText('contact details').waitFor();
    await page.getByLabel('Text').fill('Hemp is what our ropes are made of.');
    await add.click();
    await page.getByText('public', { exact: true }).waitFor();
    expect(await barriers(page)).toEqual([]);
    // The refusal is one of the service's, which the page's console tells too.
    expect(ann.complaints.filter((each) => !each.includes('400'))).toEqual([]);
  });

  test('is found by a question, and removed', async () => {
    const { page } = ann;
    ann.complaints.length = 0;
    await page.goto(`${server.url}/app/knowledge`);
    await page.getByLabel('Search by words or a question').fill('ropes');
    const entries = page.locator('ul.news > li');
    await page.getByLabel('Public entries only').waitFor();
    await entries.nth(1).waitFor();
    await page.getByLabel('Public entries only').check();
    await page.getByText('Ropes leave within two days.').waitFor({ state: 'detached' });
    // While it is asked anew nothing is listed.
    await entries.first().waitFor();
    expect(await entries.allInnerTexts()).toEqual([expect.stringContaining('Hemp is what')]);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('group').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No results.').waitFor();
    await page.getByLabel('Search by words or a question').fill('');
    await page.getByText('Ropes leave within two days.').waitFor();
    // The list of before the removal shows until it is read again.
    await page.getByText('Hemp is what').waitFor({ state: 'detached' });
    expect(await entries.count()).toBe(1);
    expect(ann.complaints).toEqual([]);
  });
});
