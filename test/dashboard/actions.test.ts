// What programs asked for beyond what they may do alone, in the web app: its person reads how much goes to whom and which bound asks,
// says yes or no once, is told when somebody was faster, and is led there from the list of what happened.
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const NAUGHTY = `"><img src=x onerror="throw 1">`;
const ANN = 'ann_pays';
const BOB = 'bob_earns';

describe.skipIf(!hasBrowser)('what programs asked for, in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let key = '';

  const anns = (method: string, path: string, body: unknown = {}) => call(ann, { method, path, agent: ANN, body });
  const open = (path: string) => ann.page.goto(`${server.url}/app/${path}`);
  const card = (name: string | RegExp) => ann.page.getByRole('article', { name });

  async function asks(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(403);
    return answer.json();
  }
  const send = (dollars: number) =>
    asks('/api/wallet/send', { to_handle: BOB, amount_cents: dollars * 100, note: `Thanks ${NAUGHTY}` });
  const balance = async (): Promise<unknown> => {
    await open('wallet');
    return ann.page.locator('.figure-big').first().textContent();
  };

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550161');
    await dealer(server, browser, BOB, '+14155550162');
    const token = (await Bun.file(join(server.data_dir, 'internal-token')).text()).trim();
    await fetch(`${server.url}/internal/admin/set-plan`, {
      method: 'POST',
      headers: { 'X-Internal-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `${ANN}@example.com`, plan: 'pro' }),
    });
    await anns('PATCH', '/api/agents/bounds', { max_pay_cents: 40_000 });
    const made = await anns('POST', '/api/developer/keys', {
      name: 'Shopping program',
      scopes: ['payments:write'],
      agent_handle: ANN,
    });
    key = String(made['api_key']);
    const { checkout_url } = await anns('POST', '/api/wallet/fund', { amount_cents: 60_000 });
    const form = new URLSearchParams({ decision: 'pay' });
    await fetch(String(checkout_url), { method: 'POST', body: form, redirect: 'manual' });
  });

  test('the list of what happened tells the amount and the bound in words, and leads to where it is decided on', async () => {
    const { page } = ann;
    // What happens after the list was read, and before the stream of news stands, is shown as well.
    const streaming = Promise.withResolvers<Route>();
    await page.route('**/api/notifications/stream', streaming.resolve, { times: 1 });
    await open('activity?show=inbox');
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
    const held = await streaming.promise;
    await send(500);
    await held.continue();
    // It comes without loading the page anew.
    const event = page.getByRole('listitem').filter({ hasText: 'Your agent wants to send money' });
    await event.getByRole('link').waitFor();
    const told = await event.textContent();
    for (const each of ['Your agent wants to send money: $500.00', 'is outside the bounds of'])
      expect(told).toContain(each);
    expect(await event.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Home' }).getByTitle('1 waiting').waitFor();
    await judgeLooks(ann, 'actions-told');
    await event.getByRole('link').click();
    await card(`Your agent wants to send $500.00 to @${BOB}`).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('its card tells what would be done, and a yes that is pressed twice pays once', async () => {
    const { page } = ann;
    const asked = card(`Your agent wants to send $500.00 to @${BOB}`);
    await asked.getByText('This is $100.00 above your agent’s payment limit of $400.00.').waitFor();
    await asked.getByText(/^Trust \d+ of 100$/).waitFor();
    await asked.getByText('Shopping program').waitFor();
    await asked.getByText(`Thanks ${NAUGHTY}`).waitFor();
    await asked.getByText('If you do not answer, nothing happens.').waitFor();
    expect(await asked.locator('time').last().textContent()).toMatch(/(UTC|GMT|[A-Z]{3,4})/);
    await judgeLooks(ann, 'actions-asked');
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/decide') && sent.push(request.url()));
    await asked.getByRole('button', { name: 'Approve now' }).click();
    const sure = asked.getByRole('dialog', { name: 'Approve this now?' });
    await sure.getByText('$500.00').waitFor();
    await sure.getByText(`@${BOB}`).waitFor();
    await sure.getByRole('button', { name: 'Approve now' }).dblclick();
    await page.getByText(`Done: $500.00 was sent to @${BOB}.`).waitFor();
    await asked.waitFor({ state: 'detached' });
    expect(sent).toHaveLength(1);
    const row = page.getByRole('row').filter({ hasText: 'Sending money' });
    await row.getByText('Approved').waitFor();
    await judgeLooks(ann, 'actions-done');
    expect(await balance()).toContain('$100.00');
    expect(ann.complaints).toEqual([]);
  });

  test('what the wallet does not cover is not done, says what is short, and waits on', async () => {
    const milestones = [
      { title: 'Draft', amount_cents: 20_000 },
      { title: `Site ${NAUGHTY}`, amount_cents: 50_000 },
    ];
    await asks('/api/wallet/escrow', { seller_handle: BOB, milestones });
    await open('activity?show=approvals');
    const asked = card(`Your agent wants to put $700.00 into escrow for @${BOB}`);
    await asked.getByText(`Site ${NAUGHTY}: $500.00`).waitFor();
    await asked.getByRole('button', { name: 'Approve now' }).click();
    await asked.getByRole('group').getByRole('button', { name: 'Approve now' }).click();
    await asked.getByText('$600.00 is missing in the wallet.').waitFor();
    await asked.getByRole('link', { name: 'Add money' }).waitFor();
    await judgeLooks(ann, 'actions-short');
    // The refusal stands in the browser's own record.
    ann.complaints.length = 0;
    await asked.getByRole('button', { name: 'Reject' }).click();
    await ann.page.getByText('Rejected: $700.00. Nothing was done.').waitFor();
    await asked.waitFor({ state: 'detached' });
    expect(ann.complaints).toEqual([]);
  });

  test('who says yes to what was decided in another window is told so, and pays nothing', async () => {
    const { page } = ann;
    const { action_id } = await send(450);
    await open('activity?show=approvals');
    const asked = card(`Your agent wants to send $450.00 to @${BOB}`);
    await asked.waitFor();
    await page.route('**/api/actions?**', (route) => route.abort());
    await anns('POST', `/api/actions/${action_id}/decide`, { decision: 'reject' });
    await page.route('**/decide', async (route) => {
      await page.unroute('**/api/actions?**');
      await route.continue();
    });
    await asked.getByRole('button', { name: 'Approve now' }).click();
    await asked.getByRole('group').getByRole('button', { name: 'Approve now' }).click();
    await page.getByText('Nothing was done: the request for $450.00 was already answered.').waitFor();
    await asked.waitFor({ state: 'detached' });
    await page.getByText('Nothing needs your decision.').waitFor();
    await page.unroute('**/decide');
    expect(await balance()).toContain('$100.00');
    ann.complaints.length = 0;
  });

  test('what a policy asks says so, and leads to the policies', async () => {
    const { page } = ann;
    const policies = [{ operation: 'wallet.send', outcome: 'ask', ask_minutes: 60, on_timeout: 'allow' }];
    await anns('PATCH', '/api/agents/bounds', { policies });
    await send(20);
    await open('activity?show=approvals');
    const asked = card(`Your agent wants to send $20.00 to @${BOB}`);
    await asked.getByText('If you do not answer, your policy allows it then.').waitFor();
    await asked.getByRole('link', { name: 'Change the policies' }).click();
    await page.getByRole('heading', { name: 'Policies' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'policies');
    expect(ann.complaints).toEqual([]);
  });
});
