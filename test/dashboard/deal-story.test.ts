// From the word given to the reviews, in the web app, by pressing what is there: a deal is paid for by its button, its work is handed
// over and paid part by part, and both sides say how it went; who pays or cancels too late is told what the deal is now.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_orders';
const BOB = 'bob_builds';
/** What each costs, in dollars. */
const [LOGO, POSTER, FLAG, MAP] = [480, 70, 60, 50] as const;
const DRAFT = { title: 'Draft', amount_cents: 18_000 };
const FILES = { title: 'Final files', amount_cents: 30_000 };
const PARTS = [DRAFT, FILES];

interface Deal {
  readonly deal_id: string;
  readonly amount_cents: number;
}

describe.skipIf(!hasBrowser)('a deal in the web app, from the word to the reviews', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  const anns = (method: string, path: string, body: unknown = {}) => call(ann, { method, path, agent: ANN, body });
  const bobs = (method: string, path: string, body: unknown = {}) => call(bob, { method, path, agent: BOB, body });
  const open = ({ page }: Visitor, path: string) => page.goto(`${server.url}/app/${path}`);
  /** Goes to where a deal is paid for, taken back and reviewed: the page of its conversation. */
  const enter = async (who: Visitor, dollars: number): Promise<void> => {
    await open(who, 'deals');
    await deal(who, dollars).getByRole('link', { name: 'Open the deal' }).click();
    await who.page.locator('details#deal').waitFor();
  };
  const step = ({ page }: Visitor): Locator => page.locator('.next-step');
  const dealPart = ({ page }: Visitor): Locator => page.locator('details#deal');
  /** The card of a deal; the amounts tell them apart. */
  const deal = ({ page }: Visitor, dollars: number): Locator =>
    page.locator('li.deal').filter({ hasText: `$${dollars}.00` });

  /** Both agree on so much while ann's wallet is empty, so that it is left to be paid for. */
  async function agree(dollars: number): Promise<void> {
    const path = `/api/conversations/${await begin(ann, ANN, BOB, 'A logo')}`;
    const more = dollars === LOGO ? { milestones: PARTS } : {};
    await bobs('POST', `${path}/propose`, { amount_cents: dollars * 100, side: 'seller', ...more });
    expect(await anns('POST', `${path}/approve`)).toMatchObject({ unpaid: 'payment_required' });
  }

  /** Presses a button that asks once more, and presses it again. */
  async function pressTwice(of: Locator, name: string): Promise<void> {
    await of.getByRole('button', { name }).click();
    await of.getByRole('group').getByRole('button', { name }).click();
  }

  /** Somebody is faster, and this page does not hear of it before its own button is pressed. */
  async function meanwhile({ page }: Visitor, deed: () => Promise<unknown>, press: string): Promise<void> {
    await page.route('**/api/deals/*', (route) => route.abort());
    await deed();
    await page.route(press, async (route) => {
      await page.unroute('**/api/deals/*');
      await route.continue();
    });
  }

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550191');
    bob = await dealer(server, browser, BOB, '+14155550192');
    for (const dollars of [LOGO, POSTER, FLAG, MAP]) await agree(dollars);
    const { checkout_url } = await anns('POST', '/api/wallet/fund', { amount_cents: 200_000 });
    const form = new URLSearchParams({ decision: 'pay' });
    await fetch(String(checkout_url), { method: 'POST', body: form, redirect: 'manual' });
  });

  test('the conversation says how its deal stands, and the list of what happened why it is not paid, in words', async () => {
    const { page } = ann;
    await enter(ann, MAP);
    await dealPart(ann).getByText('Agreed, not paid').waitFor();
    await open(ann, 'activity');
    await page.getByRole('listitem').getByText('has yet to pay').first().waitFor();
    const told = (await page.getByRole('main').textContent()) ?? '';
    expect(told.match(/\w+_(?:required|cents|role)\b|\d{4}-\d\d-\d\dT/g)).toBeNull();
    expect(ann.complaints).toEqual([]);
  });

  test('it is paid for by its button, once however often that is pressed, in the parts that were agreed on', async () => {
    const { page } = ann;
    await enter(ann, LOGO);
    const logo = step(ann);
    const sent: unknown[] = [];
    page.on('request', (request) => request.url().endsWith('/api/wallet/escrow') && sent.push(request.postDataJSON()));
    await logo.getByRole('button', { name: 'Pay into escrow' }).click();
    const sure = logo.getByRole('group', {
      name: `Pay $480.00? It leaves your wallet now and is held in escrow for @${BOB}.`,
    });
    await judgeLooks(ann, 'deal-pay');
    await sure.getByRole('button', { name: 'Not now' }).click();
    expect(sent).toEqual([]);
    await logo.getByRole('button', { name: 'Pay into escrow' }).click();
    await sure.getByRole('button', { name: 'Pay into escrow' }).dblclick();
    await page.getByRole('heading', { level: 3, name: 'Final files' }).waitFor();
    expect(sent).toMatchObject([{ deal_id: expect.stringMatching(/^[0-9a-f-]{36}$/), milestones: PARTS }]);
    await page.locator('.figure-big', { hasText: '$480.00' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('each part is handed over by the one, and paid by the other, who hears of it at once', async () => {
    await enter(bob, LOGO);
    const part = ({ page }: Visitor, title: string): Locator =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: title }) });
    for (const [{ title }, figure] of [
      [DRAFT, '$300.00 Held'],
      [FILES, '$480.00 Released'],
    ] as const) {
      await step(bob)
        .getByRole('heading', { name: `Deliver “${title}”` })
        .waitFor();
      await step(bob).getByLabel('Description').fill(`The ${title} is ready.`);
      // Without an address there is nothing to look at, and nothing to send.
      await step(bob).getByRole('button', { name: 'Deliver' }).click();
      await step(bob)
        .getByRole('alert')
        .filter({ hasText: /^Link to your work: / })
        .waitFor();
      await step(bob).getByLabel('Link to your work').fill('https://files.example/logo');
      await step(bob).getByRole('button', { name: 'Deliver' }).click();
      await part(ann, title).getByText(`The ${title} is ready.`).waitFor();
      await step(ann)
        .getByRole('heading', { name: `Look at “${title}”` })
        .waitFor();
      await pressTwice(step(ann), 'Release the money');
      await ann.page.getByText(`Released: ${title}`).waitFor();
      await bob.page.locator('.figure-big', { hasText: figure }).waitFor();
    }
    await judgeLooks(ann, 'deal-released');
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('both review it there', async () => {
    for (const [who, stars] of [
      [ann, 5],
      [bob, 4],
    ] as const) {
      await dealPart(who).getByText('Completed').first().waitFor();
      await step(who)
        .getByRole('radio', { name: `${stars} of 5 stars` })
        .check();
      await step(who).getByRole('button', { name: 'Send review' }).click();
      await dealPart(who).getByText('You:', { exact: true }).waitFor();
    }
    await dealPart(bob).getByText(`@${ANN}:`).waitFor();
    await dealPart(bob).getByText('5 of 5 stars').waitFor();
    await judgeLooks(bob, 'deal-reviewed');
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('who pays for what was cancelled meanwhile reads so, pays nothing, and sees it cancelled', async () => {
    const { page } = ann;
    await enter(ann, POSTER);
    const poster = step(ann);
    await poster.getByRole('button', { name: 'Pay into escrow' }).waitFor();
    const { deal_id } = await dealOf(POSTER);
    await meanwhile(ann, () => bobs('POST', `/api/deals/${deal_id}/cancel`), '**/api/wallet/escrow');
    await pressTwice(poster, 'Pay into escrow');
    await page.getByText('Nothing was paid').waitFor();
    await page.getByText('It is already cancelled').waitFor();
    // The button goes with what the deal was, and what was said stays.
    await poster.getByRole('button', { name: 'Pay into escrow' }).waitFor({ state: 'detached' });
    await judgeLooks(ann, 'deal-cancelled-meanwhile');
    await page.unroute('**/api/wallet/escrow');
    expect(await dealOf(POSTER)).toMatchObject({ status: 'cancelled', escrow_id: null });
    ann.complaints.length = 0;
  });

  test('who pays for what was paid in another window reads so, and is led to that escrow', async () => {
    const { page } = ann;
    await enter(ann, FLAG);
    const flag = step(ann);
    await flag.getByRole('button', { name: 'Pay into escrow' }).waitFor();
    const { deal_id } = await dealOf(FLAG);
    const milestones = [{ title: 'A flag', amount_cents: FLAG * 100 }];
    const body = { deal_id, seller_handle: BOB, milestones };
    await meanwhile(ann, () => anns('POST', '/api/wallet/escrow', body), '**/api/wallet/escrow');
    await pressTwice(flag, 'Pay into escrow');
    await page.getByText('It is already paid: the money is held in escrow.').waitFor();
    await dealPart(ann).getByText('Paid into escrow', { exact: true }).waitFor();
    expect(await flag.getByRole('button').count()).toBe(0);
    await judgeLooks(ann, 'deal-paid-meanwhile');
    await page.unroute('**/api/wallet/escrow');
    await page.getByRole('status').getByRole('link', { name: 'See the escrow' }).click();
    await page.locator('.figure-big', { hasText: '$60.00' }).waitFor();
    ann.complaints.length = 0;
  });

  test('who cancels what was paid meanwhile reads so', async () => {
    const { page } = bob;
    await enter(bob, MAP);
    const map = step(bob);
    await map.getByRole('heading', { name: `@${ANN} has to pay $50.00 into escrow` }).waitFor();
    const { deal_id } = await dealOf(MAP);
    const milestones = [{ title: 'A map', amount_cents: MAP * 100 }];
    const body = { deal_id, seller_handle: BOB, milestones };
    await meanwhile(bob, () => anns('POST', '/api/wallet/escrow', body), '**/cancel');
    await pressTwice(map, 'Cancel the deal');
    await page.getByText('The deal of $50.00 was not cancelled.').waitFor();
    await dealPart(bob).getByText('Paid into escrow', { exact: true }).waitFor();
    bob.complaints.length = 0;
  });

  /** The deal of so many dollars, as the service has it. */
  async function dealOf(dollars: number): Promise<Deal> {
    const all = await ann.page.evaluate(async (agent) => {
      const session = await (await fetch('/api/auth/session/refresh', { method: 'POST' })).json();
      const headers = { Authorization: `Bearer ${session.access_token}`, 'X-Agent-Handle': agent };
      return (await fetch('/api/deals?limit=10', { headers })).json() as Promise<Deal[]>;
    }, ANN);
    const found = all.find(({ amount_cents }) => amount_cents === dollars * 100);
    if (!found) throw new Error(`there is no deal of ${dollars} dollars`);
    return found;
  }
});
