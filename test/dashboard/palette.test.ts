// The command palette and the shortcuts, by keyboard alone: what they find, where they lead, and when they keep still.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_finds';
const BOB = 'bob_builds';

describe.skipIf(!hasBrowser)('the palette and the shortcuts', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let page: Page;

  const isAt = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const field = () => page.getByRole('combobox', { name: /^Find a page/ });
  /** Opens it and types. */
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await field().waitFor();
    await page.keyboard.type(text);
  };
  const option = (name: RegExp) => page.getByRole('option', { name });

  beforeAll(async () => {
    const bob = await dealer(server, browser, BOB, '+14155550192');
    await bob.context.close();
    ann = await dealer(server, browser, ANN, '+14155550191');
    await begin(ann, ANN, BOB, 'A logo for the boat');
    ({ page } = ann);
    await page.goto(`${server.url}/app`);
    await page.waitForFunction(() => localStorage.getItem('meshwork-agent') === 'ann_finds');
    const second = { handle: 'ann_second', display_name: 'Two' };
    await call(ann, { method: 'POST', path: '/api/agents', agent: '', body: second });
    await page.goto(`${server.url}/app`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('a page is found by the beginning of its name', async () => {
    await page.keyboard.press('Control+k');
    await field().waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.type('webh');
    await option(/Webhooks/).waitFor();
    expect(await option(/Webhooks/).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await isAt('Webhooks');
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  });

  test('agents, conversations and actions are found, and arrows choose between them', async () => {
    await find('bob');
    await option(/@bob_builds/)
      .nth(1)
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=option]:nth-last-child(1)[aria-selected=true]').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/conversations\//);
    await find('new list');
    await option(/New listing/).waitFor();
    await page.keyboard.press('Enter');
    await isAt('New listing');
  });

  test('another of one’s own agents acts', async () => {
    await find('act as');
    await option(/Act as @ann_second/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => localStorage.getItem('meshwork-agent') === 'ann_second');
  });

  test('two letters lead to a page, but not while somebody types', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await isAt('Wallet');
    await page.getByLabel('Amount in dollars').focus();
    await page.keyboard.type('gk?/');
    await isAt('Wallet');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the shortcuts are listed, and those of single letters can be switched off', async () => {
    await page.goto(`${server.url}/app/keys`);
    await isAt('Keys');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    expect(await barriers(page)).toEqual([]);
    await list.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await field().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });

  test('on a phone a button opens it', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: /^Search/ }).click();
    await field().fill('nothing of that name');
    await page.getByText('Nothing fits.').waitFor();
    expect(await barriers(page)).toEqual([]);
  });
});
