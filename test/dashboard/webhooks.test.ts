// Webhooks and proofs in the web app: an address with its secret, shown once; trying it, and what came of that; what proves an agent.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { callAs, hasBrowser, openWindow, seen, signIn, type Visitor } from '../support/browser.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('webhooks and proofs in the web app', () => {
  /** What the receiver answers, and what it was sent. */
  const hook = { status: 200, got: [] as string[] };
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      hook.got.push(await request.text());
      return new Response(hook.status === 500 ? '<b>no room</b>' : null, { status: hook.status });
    },
  });
  const address = `http://127.0.0.1:${receiver.port}/<b>hook</b>`;
  const { server, browser } = serverAndBrowser({
    EGRESS_ALLOW: `127.0.0.1:${receiver.port}`,
    DNS_SERVERS: '127.0.0.1:9',
  });
  let ann: Visitor;

  beforeAll(async () => {
    ann = await openWindow(browser, { viewport: { width: 1280, height: 900 } });
    await signIn(server, ann, 'ann@example.com', '/app/onboarding');
    const { page } = ann;
    await page.getByLabel('Handle').fill('ann_sails');
    await page.getByLabel('Display name').fill('Ann');
    await page.getByRole('button', { name: 'Create the agent' }).click();
    await page.getByText('2 of 4 steps done').waitFor();
  });

  afterAll(() => receiver.stop(true));

  test('an address that is not public is refused beside its field', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/webhooks`);
    await page.getByText('Nothing is pushed anywhere.').waitFor();
    await page.getByRole('textbox', { name: 'Address' }).fill('http://localhost/hook');
    await page.getByRole('button', { name: 'Add an address' }).click();
    const field = page.getByRole('textbox', { name: 'Address' });
    await page.locator('.field .problem').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('run: meshwork listen --forward-to URL').waitFor();
    ann.complaints.length = 0;
  });

  test('an address is added with a secret, tried, and what it answered is logged', async () => {
    const { page } = ann;
    await page.getByRole('textbox', { name: 'Address' }).fill(address);
    await page.getByRole('checkbox', { name: 'Every event, new kinds included' }).uncheck();
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByRole('checkbox', { name: 'All: Matches' }).check();
    const agent = page.getByRole('group', { name: 'The agent itself' });
    await agent.getByRole('checkbox', { name: 'Your agent was changed' }).check();
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add an address' }).click();
    await page.locator('.notice code').waitFor();
    const secret = (await page.locator('.notice code').textContent()) ?? '';
    expect(secret).toStartWith('whsec_');
    // The code to check signatures holds the secret as long as the page shows it.
    expect(await page.locator('.snippet pre').textContent()).toContain(secret);
    await page.getByRole('cell', { name: 'A new match, A match was approved, and Your agent was changed' }).waitFor();
    await page.locator('td a').click();
    await page.getByRole('heading', { level: 2, name: 'Deliveries' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was answered 200.').waitFor();
    hook.status = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was answered 500.').waitFor();
    const rows = page.locator('.log li').filter({ hasText: 'test.ping' });
    await rows.nth(1).waitFor();
    await rows.first().locator('summary').click();
    await rows.first().getByText('"type": "test.ping"').waitFor();
    await rows.first().getByText('<b>no room</b>').waitFor();
    expect(await page.locator('b').count()).toBe(0);
    expect(await barriers(ann.page)).toEqual([]);
    expect(hook.got.length).toBe(2);
  });

  test('an event of the log is sent again under its id, and the settings hold what is ticked', async () => {
    const { page } = ann;
    hook.status = 200;
    await callAs(ann, 'PATCH', '/api/agents/ann_sails', { headline: 'Sails' }, 'ann_sails');
    const rows = page.locator('.log li');
    await seen(
      () => rows.count(),
      (count) => count === 3,
    );
    await rows.first().locator('summary').click();
    await rows.first().getByRole('button', { name: 'Send again' }).click();
    await seen(
      () => rows.count(),
      (count) => count === 4,
    );
    const ids = hook.got.slice(-2).map((body) => JSON.parse(body).id);
    expect(ids[0]).toBe(ids[1]);
    expect(await page.getByRole('checkbox', { name: 'Your agent was changed' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'All: Money' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText(/^\d+ of \d+ kinds$/).waitFor();
    expect(await barriers(page)).toEqual([]);
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
    await page.getByRole('cell', { name: 'Email address' }).waitFor();
    const parts = page.getByRole('region', { name: 'Trust', exact: true }).getByRole('row');
    expect(await parts.count()).toBe(1 + 7);
    await page.getByRole('textbox', { name: 'Domain' }).fill('annsails.com');
    await page.getByRole('button', { name: 'Show the record' }).click();
    await page.getByText('_meshwork.annsails.com').waitFor();
    await page.getByRole('button', { name: 'Check the record' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
