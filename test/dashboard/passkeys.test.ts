// Passkeys in a real browser, whose device is the browser's own double: made on the screen, signed in by from the sign-in page, with
// a press of the button and out of the address field; and taken away again.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, CDPSession } from 'playwright-core';
import { hasBrowser, openBrowser, openWindow, signIn, type Visitor } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** A device with a screen lock, whose person is always there. */
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

const EMAIL = 'ann@example.com';

describe.skipIf(!hasBrowser)('a passkey in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let visitor: Visitor;
  let device: CDPSession;
  let authenticatorId: string;

  beforeAll(async () => {
    // Browsers make passkeys for names alone, and the test's port is known only once it listens.
    const port = 20_000 + (process.pid % 20_000);
    server = await startTestServer({ PORT: String(port), BASE_URL: `http://localhost:${port}` });
    browser = await openBrowser();
    visitor = await openWindow(browser);
    device = await visitor.context.newCDPSession(visitor.page);
    await device.send('WebAuthn.enable', { enableUI: false });
    ({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE }));
    await signIn(server, visitor, EMAIL, '/app/passkeys');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const signOut = async (): Promise<void> => {
    await visitor.page.getByRole('button', { name: /^Your account/ }).click();
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await visitor.page.getByLabel('Email address').waitFor();
  };
  const isIn = () => visitor.page.getByRole('heading', { level: 1, name: 'Passkeys' }).waitFor();

  test('is made on its screen, once on each device', async () => {
    const { page } = visitor;
    await page.getByRole('heading', { level: 1, name: 'Passkeys' }).waitFor();
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor();
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost', userName: EMAIL }]);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was added' }).waitFor();
  });

  test('signs in out of the address field', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('signs in by a press of the button, and goes on to the page that was asked for', async () => {
    const { page } = visitor;
    // The double's person always agrees, so the address field would sign in before the button is pressed.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await signOut();
    await page.goto(`${server.url}/app/passkeys`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await isIn();
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor();
  });

  test('is taken away after a second question, and signs nobody in', async () => {
    const { page, complaints } = visitor;
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('link', { name: 'Passkeys' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Laptop' });
    await entry.getByRole('button', { name: 'Remove' }).click();
    await entry
      .getByRole('group', { name: /Remove Laptop\?/ })
      .getByRole('button', { name: 'Remove' })
      .click();
    await entry.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await signOut();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'That passkey was not taken' }).waitFor();
  });
});
