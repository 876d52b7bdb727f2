// Invitations in a real browser, at a service that is closed and has a name of its own: an administrator makes a link on the screen, who
// was invited opens it and gets in, and another link is taken back.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, openWindow, sentCode, signIn, type Visitor } from '../support/browser.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const BOSS = 'boss@example.com';
const GUEST = 'guest@example.com';

describe.skipIf(!hasBrowser)('invitations in the web app', () => {
  const { server, browser } = serverAndBrowser({ ADMIN_EMAILS: BOSS, SIGNUP: 'closed', INSTANCE_NAME: 'Quay' });
  let boss: Visitor;

  beforeAll(async () => {
    boss = await openWindow(browser);
    await signIn(server, boss, BOSS, '/app/invitations');
  });

  test('a link of the screen lets somebody in who could not join otherwise', async () => {
    const { page } = boss;
    await page.getByRole('link', { name: 'Quay' }).waitFor();
    await page.getByText('No open invitations.').waitFor();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const url = (await page.getByRole('status').locator('code').textContent()) ?? '';
    await page.getByText('For anyone with the link').waitFor();
    expect(await barriers(page)).toEqual([]);

    const guest = await openWindow(browser);
    await guest.page.goto(url);
    await guest.page.getByText('Quay').first().waitFor();
    await guest.page.getByLabel('Email address').fill(GUEST);
    await guest.page.getByRole('button', { name: 'Mail me a code' }).click();
    await guest.page.getByLabel('Code').fill(await sentCode(server, GUEST));
    await guest.page.getByRole('button', { name: 'Sign in' }).click();
    await guest.page.getByRole('navigation', { name: 'Main' }).waitFor();
    // Members do not invite here.
    await guest.page.getByRole('button', { name: /^Your account/ }).click();
    expect(await guest.page.getByRole('link', { name: 'Passkeys' }).count()).toBe(1);
    expect(await guest.page.getByRole('link', { name: 'Invitations' }).count()).toBe(0);
    expect(guest.complaints).toEqual([]);

    await page.reload();
    await page.getByText('Accepted').waitFor();
  });

  test('one that is mailed to an address is taken back', async () => {
    const { page } = boss;
    await page.getByLabel('Email address').fill('other@example.com');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('The invitation was sent to other@example.com.').waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: 'For other@example.com' });
    await entry.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await entry.waitFor({ state: 'detached' });
    expect(boss.complaints).toEqual([]);
  });
});
