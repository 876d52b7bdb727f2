// The marketplace in the web app: a service is found, quoted and bought, and whoever cannot buy it is told why and what to do; one
// is offered, and what it brings in is told.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const NAUGHTY = `"><script>throw new Error('ran')</script><img src=x onerror="throw 1">`;
const TIERS = [
  { id: 'small', name: `Small ${NAUGHTY}`, price_cents: 1_500 },
  { id: 'large', name: 'Large', price_cents: 6_000 },
  { id: 'care', name: 'Care', price_cents: 900, billing: 'weekly' },
  { id: 'hours', name: 'By the hour', price_cents: 4_000, billing: 'hourly' },
];

describe.skipIf(!hasBrowser)('the marketplace in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let service = '';
  let room = '';
  let escrow = '';

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_shops', '+14155550131');
    bob = await dealer(server, browser, 'bob_keeps', '+14155550132');
    const body = {
      card_type: 'selling',
      headline: `Sails ${NAUGHTY}`,
      description: 'Cut and sewn by hand.',
      labels: ['sails'],
      conditions: { tiers: TIERS },
    };
    const made = await call(bob, { method: 'POST', path: '/api/marketplace/services', agent: 'bob_keeps', body });
    service = `${server.url}/app/market/bob_keeps/${made['id']}`;
    bob.complaints.length = 0;
  });

  test('what is looked for stands in the address, and nothing found offers a way back to everything', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/market`);
    const found = page.getByRole('list', { name: 'Services' });
    await found.getByText('from $15.00').waitFor();
    await page.getByLabel('Search services').fill('nothing like it');
    await page.getByText('No results.').waitFor();
    await page.waitForURL(/q=nothing/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Maximum price, in dollars').fill('15');
    await page
      .getByRole('list', { name: 'Categories' })
      .getByRole('button', { name: /^Selling/ })
      .click();
    await page.waitForURL(/category=selling/);
    await found.getByRole('link', { name: /^Sails/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Sails/ }).waitFor();
    await page.goBack();
    await found.getByRole('link', { name: /^Sails/ }).waitFor();
    expect(await page.getByLabel('Maximum price, in dollars').inputValue()).toBe('15');
    expect(ann.complaints).toEqual([]);
  });

  test('whose wallet is short is told by how much, and led to add money and back', async () => {
    const { page } = ann;
    await page.goto(service);
    await page.getByRole('radio', { name: /^Large/ }).check();
    await page.locator('.figure-big', { hasText: '$60.00' }).waitFor();
    await page.getByText('$60.00 is missing in the wallet.').waitFor();
    expect(await page.getByRole('button', { name: /^Buy/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Add money' }).click();
    expect(await page.getByLabel('Amount in dollars').inputValue()).toBe('60');
    await page.getByLabel('Amount in dollars').fill('100');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('link', { name: 'Back to Meshwork' }).click();
    await page.waitForURL('**/app/market/bob_keeps/*');
    await page.getByRole('radio', { name: /^Large/ }).check();
    await page.getByText('You can buy this now').waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('a tier is bought after a second question, with a word to the seller, and leads to its escrow', async () => {
    const { page } = ann;
    await page.goto(service);
    await page.getByRole('radio', { name: /^Large/ }).check();
    await page.getByText('You can buy this now').waitFor();
    await page.getByText('$3.00', { exact: true }).waitFor();
    await page.getByText('$57.00', { exact: true }).waitFor();
    await page.getByRole('definition').filter({ hasText: '$40.00' }).waitFor();
    await page.getByLabel('Message to @bob_keeps (optional)').fill('In red, please.');
    expect(await barriers(page)).toEqual([]);
    const asked = page.waitForRequest(/\/api\/wallet\/escrow\/[0-9a-f-]{36}$/);
    await page.getByRole('button', { name: 'Buy for $60.00' }).click();
    await page
      .getByRole('group', {
        name: 'Buy now? $60.00 leaves the wallet of @ann_shops and is held in escrow for @bob_keeps.',
      })
      .getByRole('button', { name: 'Buy for $60.00' })
      .click();
    // With a word to the seller it is a conversation, whose page shows the escrow.
    await page.waitForURL(/\/app\/conversations\/[^#]+#escrow$/);
    escrow = new URL((await asked).url()).pathname.split('/').at(-1) ?? '';
    room = new URL(page.url()).pathname;
    await page
      .locator('details#deal')
      .getByText(/Large$/)
      .waitFor();
    await page.locator('details#escrow .figure-big', { hasText: '$60.00' }).waitFor();
    await page.getByText('In red, please.', { exact: true }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  /** Asks for a service whose price rises while the question is shown; what is returned lowers it again. */
  async function askWhilePriceRises(): Promise<() => Promise<void>> {
    const { page } = ann;
    await page.goto(service);
    await page.getByRole('radio', { name: /^Care/ }).check();
    await page.getByRole('button', { name: 'Subscribe for $9.00 a week' }).click();
    const path = `/api/agents/bob_keeps/cards/${service.split('/').at(-1)}`;
    const asking = (tiers: typeof TIERS) =>
      call(bob, { method: 'PATCH', path, agent: 'bob_keeps', body: { conditions: { tiers } } });
    await asking(TIERS.map((tier) => (tier.id === 'care' ? { ...tier, price_cents: 1_000 } : tier)));
    return async () => {
      await asking(TIERS);
      ann.complaints.length = 0;
    };
  }

  test('a price that rose meanwhile is not paid, and the new one is shown', async () => {
    const { page } = ann;
    const end = await askWhilePriceRises();
    await page.getByRole('group').getByRole('button', { name: 'Subscribe for $9.00 a week' }).click();
    await page.getByText('have changed.').waitFor();
    await page.getByRole('button', { name: 'Subscribe for $10.00 a week' }).waitFor();
    await end();
  });

  test('a question is withdrawn when the price that it names is no longer the price', async () => {
    const { page } = ann;
    const end = await askWhilePriceRises();
    // A page whose network comes back reads anew.
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByRole('button', { name: 'Subscribe for $10.00 a week' }).waitFor();
    expect(await page.getByRole('group', { name: /goes from the wallet/ }).count()).toBe(0);
    await end();
  });

  test('what is billed by the week is subscribed to', async () => {
    const { page } = ann;
    await page.goto(service);
    await page.getByRole('radio', { name: /^Care/ }).check();
    await page.getByRole('button', { name: 'Subscribe for $9.00 a week' }).click();
    await page
      .getByRole('group', { name: /^Subscribe\? \$9\.00 goes from the wallet of @ann_shops/ })
      .getByRole('button', { name: 'Subscribe for $9.00 a week' })
      .click();
    await page.waitForURL(/\/app\/subscriptions\//);
    await page.locator('.figure-big', { hasText: '$9.00 per week' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('what has no fixed price leads to the seller, and one’s own service to where it is changed', async () => {
    await ann.page.goto(service);
    await ann.page.getByRole('radio', { name: /^By the hour/ }).check();
    await ann.page.getByText('This service has no fixed price').waitFor();
    await ann.page.getByRole('link', { name: 'See the seller' }).waitFor();
    await bob.page.goto(service);
    await bob.page.getByText('This is your own service.').waitFor();
    await bob.page.getByRole('link', { name: 'Edit service' }).waitFor();
  });

  test('a service is offered with its tiers, stands among the others, is paused and taken away', async () => {
    const { page } = bob;
    bob.complaints.length = 0;
    await page.goto(`${server.url}/app/market/selling`);
    await page.getByRole('link', { name: 'Offer a service' }).click();
    await page.getByLabel('Title').fill('Ropes by the metre');
    await page.getByLabel('Labels', { exact: true }).fill('ropes');
    await page.getByLabel('Labels', { exact: true }).press('Enter');
    for (const [at, name, price] of [
      [0, 'Thin', '12'],
      [1, NAUGHTY, '30.50'],
    ] as const) {
      await page.getByRole('button', { name: 'Add a tier' }).click();
      await page.getByLabel('Tier name').nth(at).fill(name);
      await page.getByLabel('Tier price in dollars').nth(at).fill(price);
    }
    await page.getByLabel('Tier billing').nth(1).selectOption('per unit');
    await page.getByRole('button', { name: 'Publish service' }).click();
    const own = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Ropes by the metre' }) });
    await own.getByText('$30.50 per unit').waitFor();
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.getByRole('list', { name: 'Services' }).getByText('from $12.00').waitFor();
    await page.getByRole('link', { name: 'My services' }).click();
    await own.getByRole('button', { name: 'Pause' }).click();
    await own.getByText('Paused').waitFor();
    await own.getByRole('button', { name: 'Publish' }).click();
    await own.getByText('Live', { exact: true }).waitFor();
    await own.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Tier price in dollars').first().fill('13');
    await page.getByRole('button', { name: 'Remove the tier', exact: false }).last().click();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').waitFor();
    await page.goto(`${server.url}/app/market/selling`);
    await own.getByText('$13.00 one-time').waitFor();
    expect(await own.getByText('$30.50').count()).toBe(0);
    await own.getByRole('button', { name: 'Delete' }).click();
    await own.getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await own.waitFor({ state: 'detached' });
    expect(bob.complaints).toEqual([]);
  });

  test('what a sale and a subscription brought in is told without the fee, and by the month', async () => {
    const release = { method: 'POST', path: `/api/wallet/escrow/${escrow}/release`, agent: 'ann_shops' };
    await call(ann, { ...release, body: { milestone_index: 0 } });
    const { page } = bob;
    await page.goto(`${server.url}/app/market/earnings`);
    await page.locator('.figure-big', { hasText: '$65.55' }).waitFor();
    await page.getByText('Show as a table').click();
    await page.getByRole('table', { name: 'The last twelve months' }).getByRole('cell', { name: '$65.55' }).waitFor();
    const sales = page.getByRole('table', { name: 'Sales' });
    await sales.getByRole('row').filter({ hasText: '$8.55' }).waitFor();
    await sales
      .getByRole('row')
      .filter({ hasText: '$57.00' })
      .getByRole('link', { name: /Large$/ })
      .click();
    await page.waitForURL(new RegExp(room));
    expect(bob.complaints).toEqual([]);
  });
});
