// Nothing that a person typed is lost when the session ends in the middle of a form.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { hasBrowser, openBrowser, signIn, type Visitor } from '../support/browser.ts';
import { dealer } from '../support/dealer.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const TITLE = 'Opening hours';
const TEXT = 'Nine to five, and on Saturdays until noon.';

describe.skipIf(!hasBrowser)('what was typed into a page whose session ended', () => {
  let server: TestServer;
  let browser: Browser;
  let ann: Visitor;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
    ann = await dealer(server, browser, 'ann_sails', '+14155550111');
    await (await dealer(server, browser, 'bob_rows', '+14155550112')).context.close();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function type(): Promise<void> {
    await ann.page.goto(`${server.url}/app/knowledge`);
    await ann.page.getByLabel('Title').fill(TITLE);
    await ann.page.getByRole('textbox', { name: 'Text' }).fill(TEXT);
  }

  async function standsThere(): Promise<void> {
    await expect(ann.page.getByLabel('Title').inputValue()).resolves.toBe(TITLE);
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
});
