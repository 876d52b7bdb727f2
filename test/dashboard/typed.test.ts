// Nothing that a person typed is lost when the session ends in the middle of a form, the connection is lost, or another tab is open;
// and what was sent while an answer was lost is there once.
import { beforeAll, describe, expect, test } from 'bun:test';
import { hasBrowser, seen, signIn, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const TITLE = 'Opening hours';
const TEXT = 'Nine to five, and on Saturdays until noon.';

describe.skipIf(!hasBrowser)('what was typed into a page', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_sails', '+14155550111');
    await (await dealer(server, browser, 'bob_rows', '+14155550112')).context.close();
  });

  async function type(): Promise<void> {
    await ann.page.goto(`${server.url}/app/knowledge`);
    await ann.page.getByLabel('Title').fill(TITLE);
    await ann.page.getByRole('textbox', { name: 'Text' }).fill(TEXT);
  }

  async function standsThere(): Promise<void> {
    await seen(
      () => ann.page.getByLabel('Title').inputValue(),
      (text) => text === TITLE,
    );
    await expect(ann.page.getByRole('textbox', { name: 'Text' }).inputValue()).resolves.toBe(TEXT);
  }

  test('is gone once the page is loaded anew: what was saved stands as it was saved', async () => {
    await type();
    await ann.page.reload();
    await ann.page.getByLabel('Title').waitFor();
    expect(await ann.page.getByLabel('Title').inputValue()).toBe('');
  });

  test('stands there after the session ended and the same person signed in again; nobody else reads it', async () => {
    await type();
    await ann.page.evaluate(() => fetch('/api/auth/session/end', { method: 'POST' }));
    await ann.page.getByRole('button', { name: 'Add an entry' }).click();
    await ann.page.waitForURL(/\/login\?next=/);
    await signIn(server, ann, 'ann_sails@example.com', '/app/knowledge');
    await ann.page.getByLabel('Title').waitFor();
    await standsThere();
    await type();
    await ann.page.evaluate(() => fetch('/api/auth/session/end', { method: 'POST' }));
    await ann.page.getByRole('button', { name: 'Add an entry' }).click();
    await ann.page.waitForURL(/\/login\?next=/);
    await signIn(server, ann, 'bob_rows@example.com', '/app/knowledge');
    await ann.page.getByLabel('Title').waitFor();
    expect(await ann.page.getByLabel('Title').inputValue()).toBe('');
  });

  test('is told apart where fields of a page have one label', async () => {
    const { page } = ann;
    // It is Bob who is signed in now.
    const windows = ['mon', 'tue'].map((day) => ({ day, from: '09:00', to: '17:00' }));
    const body = { availability: { tz: 'UTC', windows } };
    await call(ann, { method: 'PATCH', path: '/api/agents/bob_rows', agent: 'bob_rows', body });
    const from = page.getByLabel('From', { exact: true });
    await page.goto(`${server.url}/app/agents/bob_rows`);
    await from.nth(0).fill('10:00');
    await from.nth(1).fill('11:00');
    await page.evaluate(() => fetch('/api/auth/session/end', { method: 'POST' }));
    await page
      .locator('form', { has: from.nth(0) })
      .getByRole('button', { name: 'Save', exact: true })
      .click();
    await page.waitForURL(/\/login\?next=/);
    await signIn(server, ann, 'bob_rows@example.com', '/app/agents/bob_rows');
    await seen(
      async () => [await from.nth(0).inputValue(), await from.nth(1).inputValue()].join(),
      (text) => text === '10:00,11:00',
    );
  });

  test('stays while there is no connection, is sent once when there is, and no other tab takes it away', async () => {
    const { page, context } = ann;
    // It is Bob who is signed in now.
    const talk = await begin(ann, 'bob_rows', 'ann_sails', 'Do you sail?');
    const field = page.getByLabel('Your message', { exact: true });
    const said = page.locator('.said.self', { hasText: 'I row on Sunday.' });
    await page.goto(`${server.url}/app/conversations/${talk}`);
    await field.fill('I row on Sunday.');
    // Another tab of the same conversation has a text of its own.
    const tab = await context.newPage();
    await tab.goto(`${server.url}/app/conversations/${talk}`);
    await tab.getByLabel('Your message', { exact: true }).fill('Or on Monday.');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.failure').first().waitFor();
    expect(await field.inputValue()).toBe('I row on Sunday.');
    await context.setOffline(false);
    // The service takes it, and its answer is lost: the app asks again under the same key.
    let lost = 0;
    await page.route('**/api/messages/*', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await said.waitFor();
    await seen(
      () => field.inputValue(),
      (text) => text === '',
    );
    expect(lost).toBe(1);
    await page.reload();
    await said.waitFor();
    expect(await said.count()).toBe(1);
    expect(await tab.getByLabel('Your message', { exact: true }).inputValue()).toBe('Or on Monday.');
    await tab.close();
  });
});
