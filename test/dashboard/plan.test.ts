// What is paid and got again and again in the web app: a subscription from either side, money on its way out, what bounds spending,
// and the plan.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('what comes again in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_pays', '+14155550121');
    bob = await dealer(server, browser, 'bob_earns', '+14155550122');
    const funding = { method: 'POST', path: '/api/wallet/fund', agent: 'ann_pays', body: { amount_cents: 10_000 } };
    const { checkout_url } = await call(ann, funding);
    await ann.page.goto(String(checkout_url));
    await ann.page.getByRole('button', { name: 'Pay' }).click();
    await ann.page.getByRole('link', { name: 'Back to Meshwork' }).click();
    await ann.page.locator('.figure-big', { hasText: '$100.00' }).waitFor();
  });

  test('the payer pauses a subscription and goes on with it; the payee can only end it', async () => {
    const body = { seller_handle: 'bob_earns', amount_cents: 4_000, interval: 'weekly', max_charges: 3 };
    await call(ann, { method: 'POST', path: '/api/subscriptions', agent: 'ann_pays', body });
    const payer = ann.page;
    await payer.goto(`${server.url}/app/subscriptions`);
    await payer.getByRole('link', { name: 'Subscription', exact: true }).click();
    await payer.locator('.figure-big', { hasText: '$40.00 per week' }).waitFor();
    await payer.getByText('1 of 3', { exact: true }).waitFor();
    await payer.getByRole('cell', { name: 'Paid' }).waitFor();
    expect(await barriers(payer)).toEqual([]);
    await payer.getByRole('button', { name: 'Pause' }).click();
    await payer.getByText('Paused', { exact: true }).waitFor();
    await payer.getByRole('button', { name: 'Resume' }).click();
    await payer.getByText('Active', { exact: true }).waitFor();
    const payee = bob.page;
    await payee.goto(payer.url());
    await payee.getByText('Seller', { exact: true }).waitFor();
    expect(await payee.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    await payee.getByRole('button', { name: 'Cancel subscription' }).click();
    await payee
      .getByRole('group', { name: /^Cancel this subscription\?/ })
      .getByRole('button', { name: 'Cancel subscription' })
      .click();
    await payee.getByText('Cancelled', { exact: true }).waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('a payout account is connected on its page, which leads back, and money goes there after a second question', async () => {
    const { page } = bob;
    await page.goto(`${server.url}/app/payouts`);
    await page.getByRole('button', { name: 'Connect a payout account' }).click();
    await page.locator('button[value=pay]').click();
    await page.getByRole('link', { name: 'Back to Meshwork' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    await page.getByLabel('Amount in dollars').fill('20');
    await page.getByRole('button', { name: 'Withdraw to bank' }).click();
    await page
      .getByRole('group', { name: /^Withdraw \$20\.00 to Test Bank, US, number ending in 6789\?/ })
      .getByRole('button', { name: 'Withdraw to bank' })
      .click();
    await page.getByRole('row').filter({ hasText: '$20.00' }).filter({ hasText: 'Test Bank' }).waitFor();
    expect(bob.complaints).toEqual([]);
  });

  test('the page of withdrawals says where money goes and what connected it, and disconnects it after a question', async () => {
    const { page } = bob;
    await page.goto(`${server.url}/app/payouts`);
    const facts = page.locator('.facts', { hasText: 'Payout account' });
    await facts.getByText('Test Bank, US, number ending in 6789').waitFor();
    await facts.getByText('you, signed in').waitFor();
    expect(await barriers(page)).toEqual([]);
    const button = page.getByRole('button', { name: 'Disconnect' });
    await button.click();
    const dialog = page.getByRole('group', { name: /^Disconnect Test Bank/ });
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await facts.waitFor();
    await button.click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Connect a payout account' }).waitFor();
    expect(await facts.count()).toBe(0);
    expect(bob.complaints).toEqual([]);
  });

  test('an emptied spending limit is lifted, and the other one stands', async () => {
    const { page } = ann;
    const each = page.getByLabel('Per payment, in dollars');
    const day = page.getByLabel('Per day, in dollars');
    const save = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
      await page.reload();
      await each.waitFor();
    };
    await page.goto(`${server.url}/app/payouts`);
    await each.fill('5');
    await day.fill('10');
    await save();
    expect([await each.inputValue(), await day.inputValue()]).toEqual(['5', '10']);
    await each.fill('');
    await save();
    expect([await each.inputValue(), await day.inputValue()]).toEqual(['', '10']);
    expect(ann.complaints).toEqual([]);
  });

  test('Pro is bought on its page and given up after a second question', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/billing`);
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    await page.locator('button[value=pay]').click();
    await page.getByRole('link', { name: 'Back to Meshwork' }).click();
    await page.locator('.figure-big', { hasText: 'Pro' }).waitFor();
    await page.getByRole('button', { name: 'Cancel Pro' }).click();
    await page
      .getByRole('group', { name: /^Cancel Pro\?/ })
      .getByRole('button', { name: 'Cancel Pro' })
      .click();
    await page.getByText('Ends soon', { exact: true }).waitFor();
    expect(ann.complaints).toEqual([]);
  });
});
