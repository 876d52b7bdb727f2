// The language of the account holds in the app and on the pages, whatever the browser's is.
import { describe, expect, test } from 'bun:test';
import { callAs, hasBrowser, openWindow, signIn } from '../support/browser.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const EMAIL = 'greta@example.com';

describe.skipIf(!hasBrowser)('the language of an account', () => {
  const { server, browser } = serverAndBrowser();

  test('is chosen in its settings, and holds in each browser, after a sign-in and on the pages', async () => {
    const first = await openWindow(browser, { locale: 'en-US' });
    await signIn(server, first, EMAIL, '/app/account');
    const section = first.page.getByRole('region', { name: 'Language' });
    await section.getByRole('combobox').selectOption('Deutsch');
    await section.getByRole('button', { name: 'Save' }).click();
    await first.page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
    expect(await first.page.locator('html').getAttribute('lang')).toBe('de');
    await first.page.getByLabel('Neue Adresse').fill(EMAIL);
    await first.page.getByRole('button', { name: 'Codes senden' }).click();
    await first.page.getByText('Das ist schon Ihre Adresse.').first().waitFor();
    await callAs(first, 'POST', '/api/agents', { handle: 'greta', display_name: 'Greta' });
    await callAs(first, 'POST', '/api/inbox/test', {}, 'greta');
    await first.page.goto(`${server.url}/app/activity`);
    await first.page.getByText('Ein Testereignis für greta').waitFor();
    await first.page.goto(`${server.url}/app/device`);
    expect(await first.page.locator('html').getAttribute('lang')).toBe('de');
    await first.context.close();

    const second = await openWindow(browser, { locale: 'en-US' });
    await signIn(server, second, EMAIL, '/app/account', 'Hauptnavigation');
    await second.page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
    const own = second.page.getByRole('region', { name: 'Sprache' });
    await own.getByRole('combobox').selectOption('browser');
    await own.getByRole('button', { name: 'Speichern' }).click();
    await second.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    expect(await second.page.locator('html').getAttribute('lang')).toBe('en');
    await second.context.close();
  });
});
