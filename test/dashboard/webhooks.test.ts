// Webhooks and proofs in the web app: an address with its secret, shown once; trying it, and what came of that; what proves an agent.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, openBrowser, openWindow, signIn, type Visitor } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('webhooks and proofs in the web app', () => {
  /** What the receiver answers, and what it was sent. */
  const hook = { status: 200, got: [] as string[] };
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      hook.got.push(await request.text());
      return new Response(null, { status: hook.status });
    },
  });
  const address = `http://127.0.0.1:${receiver.port}/<b>hook</b>`;
  let server: TestServer;
  let browser: Browser;
  let ann: Visitor;

  beforeAll(async () => {
    server = await startTestServer({ EGRESS_ALLOW: `127.0.0.1:${receiver.port}`, DNS_SERVERS: '127.0.0.1:9' });
    browser = await openBrowser();
    ann = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    await signIn(server, ann, 'ann@example.com', '/app/onboarding');
    const { page } = ann;
    await page.getByLabel('Handle').fill('ann_sails');
    await page.getByLabel('Display name').fill('Ann');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('2 of 4 steps done').waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await receiver.stop(true);
  });

  test('an address that is not public is refused beside its field', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/webhooks`);
    await page.getByText('Nothing is pushed anywhere.').waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill('http://localhost/hook');
    await page.getByRole('button', { name: 'Add an address' }).click();
    const field = page.getByRole('textbox', { name: 'Address' });
    await page.locator('.field .problem').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    ann.complaints.length = 0;
  });

  test('an address is added with a secret, tried, and what it answered is logged', async () => {
    const { page } = ann;
    await page.getByRole('textbox', { name: 'Address' }).fill(address);
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.locator('.notice code').waitFor();
    expect(await page.locator('.notice code').textContent()).toStartWith('whsec_');
    await page.locator('td a').click();
    await page.getByRole('heading', { level: 2, name: 'Deliveries' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was answered 200.').waitFor();
    hook.status = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was answered 500.').waitFor();
    const rows = page.getByRole('row').filter({ hasText: 'test.ping' });
    await rows.nth(1).waitFor();
    expect(await page.locator('b').count()).toBe(0);
    expect(await barriers(ann.page)).toEqual([]);
    expect(hook.got.length).toBe(2);
  });

  test('it is turned off and on, gets a new secret, and is removed after a second question', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on again' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    const asked = page.getByRole('group', { name: 'Make a new secret?' });
    await asked.getByRole('button', { name: 'New secret' }).click();
    await page.locator('.notice code').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    const sure = page.getByRole('group', { name: 'Remove this webhook' });
    await sure.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Nothing is pushed anywhere.').waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('the record of a domain is shown before it is looked up, and trust with all of its parts', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/trust`);
    await page.getByRole('cell', { name: 'Mail address' }).waitFor();
    const parts = page.getByRole('region', { name: 'Trust', exact: true }).getByRole('row');
    expect(await parts.count()).toBe(1 + 7);
    await page.getByRole('textbox', { name: 'Domain' }).fill('annsails.com');
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page.getByText('_meshwork.annsails.com').waitFor();
    await page.getByRole('button', { name: 'Look it up' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
