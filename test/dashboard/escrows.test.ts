// Money in the web app: it is added by the sandbox's page, held in an escrow, paid, disputed and shared, each side in its own browser.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const NAUGHTY = `"><script>throw new Error('ran')</script><img src=x onerror="throw 1">`;

describe.skipIf(!hasBrowser)('money in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let escrow = '';

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_buys', '+14155550111');
    bob = await dealer(server, browser, 'bob_sells', '+14155550112');
  });

  test('a wallet is funded by the page of the sandbox, which leads back', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/wallet`);
    await page.getByLabel('Amount in dollars').fill('100');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Fund a wallet' }).waitFor();
    await page.getByText('no real money').first().waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('link', { name: 'Back to Meshwork' }).click();
    await page.goto(`${server.url}/app/wallet`);
    await page.locator('.figure-big', { hasText: '$100.00' }).waitFor();
    expect(await page.getByRole('link', { name: 'Withdraw' }).getAttribute('href')).toEndWith('/payouts');
  });

  test('a milestone is paid after a second question, and the line says so', async () => {
    const milestones = [
      { title: 'Draft', amount_cents: 3_000 },
      { title: NAUGHTY, amount_cents: 5_000 },
    ];
    const body = { seller_handle: 'bob_sells', title: `Sails ${NAUGHTY}`, milestones };
    const opened = await call(ann, { method: 'POST', path: '/api/wallet/escrow', agent: 'ann_buys', body });
    escrow = String(opened['id']);
    const { page } = ann;
    await page.goto(`${server.url}/app/escrows`);
    await page.getByRole('link', { name: /^Sails/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Sails/ }).waitFor();
    const draft = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: 'Draft' }) });
    await draft.getByRole('button', { name: 'Release the money' }).click();
    await draft
      .getByRole('group', { name: 'Release $30.00 to @bob_sells?' })
      .getByRole('button', { name: 'Release the money' })
      .click();
    await page.getByText('Released: Draft').waitFor();
    await page.locator('.figure-big', { hasText: '$50.00' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('the seller delivers, and what is written stays text', async () => {
    const { page } = bob;
    await page.goto(`${server.url}/app/escrows/${escrow}`);
    await page.locator('summary', { hasText: 'Deliver' }).click();
    await page.getByLabel('Link to your work').fill('https://sails.example/draft');
    await page.getByLabel('Description').fill(NAUGHTY);
    await page.getByRole('button', { name: 'Deliver' }).click();
    await page.getByText(`Delivered: ${NAUGHTY}`).waitFor();
    expect(await barriers(bob.page)).toEqual([]);
    expect(bob.complaints).toEqual([]);
  });

  test('a dispute is opened, answered, and ends with what both agree on', async () => {
    const buyer = ann.page;
    const seller = bob.page;
    await buyer.reload();
    await buyer.getByText('Dispute this escrow', { exact: true }).last().click();
    await buyer.getByLabel('What is wrong').fill('They leak.');
    await buyer.getByRole('button', { name: 'Open the dispute' }).click();
    await buyer.getByText('@bob_sells has to answer').first().waitFor();
    await seller.reload();
    await seller.getByText('@ann_buys opened a dispute.').waitFor();
    await seller.getByLabel('Statement').fill(`They do not. ${NAUGHTY}`);
    await seller.getByRole('button', { name: 'Add evidence' }).click();
    await seller.getByText('Agree on a settlement, or an administrator decides.').waitFor();
    await seller.getByText('Propose a settlement', { exact: true }).first().click();
    await seller.getByLabel('Refund to the buyer, in dollars').fill('20');
    await seller.getByText('The seller gets the rest: $30.00.').waitFor();
    await seller.getByRole('button', { name: 'Propose a settlement' }).click();
    await seller.getByText('$20.00 refunded to the buyer').waitFor();
    await buyer.reload();
    await buyer.getByRole('button', { name: 'Accept settlement' }).waitFor();
    expect(await barriers(ann.page)).toEqual([]);
    await buyer.getByRole('button', { name: 'Accept settlement' }).click();
    await buyer.getByRole('group', { name: 'Accept?' }).getByRole('button', { name: 'Accept settlement' }).click();
    await buyer.getByText('Settled by both sides').first().waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
