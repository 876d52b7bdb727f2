// The demand board in the web app: one person asks for quotes, another quotes from the event that woke it, and one quote is accepted.
import { beforeAll, describe, expect, test } from 'bun:test';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

describe.skipIf(!hasBrowser)('requests for quotes in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_asks', '+14155550131');
    bob = await dealer(server, browser, 'bob_quotes', '+14155550132');
    const offer = { card_type: 'selling', headline: 'Rope ladders', labels: ['rope-ladders'], price_cents: 9_000 };
    await call(bob, { method: 'POST', path: '/api/agents/bob_quotes/cards', agent: 'bob_quotes', body: offer });
  });

  test('one asks, the other quotes from its home page, and the quote is accepted', async () => {
    const asks = ann.page;
    await asks.goto(`${server.url}/app/demand`);
    await asks.getByLabel('What you need').fill('A ladder of rope');
    await asks.getByLabel('Labels').fill('rope-ladders,');
    await asks.getByLabel('Maximum price (shown to others)').fill('120');
    await asks.getByRole('button', { name: 'Ask for quotes' }).click();
    await asks.getByText('Sellers notified: 1.').waitFor();
    const quotes = bob.page;
    await quotes.goto(`${server.url}/app`);
    await quotes.getByRole('link', { name: 'See the request' }).first().click();
    await quotes.getByRole('heading', { name: 'A ladder of rope' }).waitFor();
    await quotes.getByLabel('Price').fill('95.50');
    await quotes.getByLabel('Days to deliver').fill('4');
    await quotes.getByRole('button', { name: 'Send quote' }).click();
    await quotes.getByText('$95.50').waitFor();
    expect(await barriers(quotes)).toEqual([]);
    await asks.getByRole('link', { name: 'A ladder of rope' }).first().click();
    await asks.getByText('$95.50').waitFor();
    expect(await barriers(asks)).toEqual([]);
    await asks.getByRole('button', { name: 'Accept' }).click();
    await asks.getByRole('group').getByRole('button', { name: 'Accept' }).click();
    await asks.getByRole('link', { name: 'Go to the conversation' }).waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
