// A dispute on the page of its conversation, by keyboard alone: it is opened beside the talk, answered where the page says what is next,
// and ended there by the settlement that one side proposes and the other accepts.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { enter, tabTo, type } from '../support/keyboard.ts';
import { judgeLooks } from '../support/looks.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_argues';
const BOB = 'bob_argues';
const AMOUNT_CENTS = 5_000;
describe.skipIf(!hasBrowser)('a dispute on the page of its conversation', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let room = '';

  const step = ({ page }: Visitor): Locator => page.locator('.next-step');
  const says = (who: Visitor, text: string | RegExp): Promise<void> =>
    step(who).getByRole('heading', { level: 2, name: text }).waitFor();
  const button = (of: Locator | Visitor['page'], name: string): Locator =>
    of.getByRole('button', { name, exact: true });

  const share = (dollars: string): Promise<void> =>
    type(bob, step(bob).getByLabel('Refund to the buyer, in dollars'), dollars);

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550191');
    bob = await dealer(server, browser, BOB, '+14155550192');
    const anns = (path: string, body: unknown) => call(ann, { method: 'POST', path, agent: ANN, body });
    const { checkout_url } = await anns('/api/wallet/fund', { amount_cents: AMOUNT_CENTS });
    await fetch(String(checkout_url), { method: 'POST', body: new URLSearchParams({ decision: 'pay' }) });
    const conversation_id = await begin(ann, ANN, BOB, 'Sails, please.');
    room = `/app/conversations/${conversation_id}`;
    const milestones = [{ title: 'Sails', amount_cents: AMOUNT_CENTS }];
    await anns('/api/wallet/escrow', { seller_handle: BOB, title: 'Sails', milestones, conversation_id });
    for (const { page } of [ann, bob]) await page.goto(`${server.url}${room}`);
  });

  test('it is opened beside the talk, and says on top who has to answer until when', async () => {
    const { page } = ann;
    await says(ann, `@${BOB} has to deliver “Sails”`);
    await enter(ann, page.locator('summary', { hasText: 'Dispute this escrow' }));
    await type(ann, page.getByLabel('What is wrong'), 'They leak.');
    await enter(ann, button(page, 'Open the dispute'));
    await says(ann, `@${BOB} has to answer your dispute about $50.00`);
    await button(step(ann), 'Withdraw the dispute').waitFor();
    await judgeLooks(ann, 'room-dispute-waits');
  });

  test('it is answered where the page says that it is next', async () => {
    await says(bob, `@${ANN} disputes $50.00: say what happened`);
    await step(bob).getByText('They leak.').waitFor();
    await judgeLooks(bob, 'room-dispute-answer');
    await type(bob, step(bob).getByLabel('Statement'), 'They held in my tub.');
    await enter(bob, button(step(bob), 'Add evidence'));
    await says(bob, 'Propose how to share $50.00, or wait for an administrator to decide');
    await share('10');
    await step(bob).getByText('The seller gets the rest: $40.00.').waitFor();
    await judgeLooks(bob, 'room-dispute-share');
    await enter(bob, button(step(bob), 'Propose a settlement'));
    await says(bob, `@${ANN} has to decide on your proposal to end the dispute`);
  });

  test('a settlement is a decision on Home, which rejects it by a key; then another one can be proposed', async () => {
    const { page } = ann;
    await page.goto(`${server.url}/app/`);
    const card = page.getByRole('article').filter({ hasText: 'Decide on a settlement' });
    await card.getByText('$10.00 refunded to the buyer, $40.00 to the seller').waitFor();
    await card.getByText('$38.00').waitFor();
    await page.getByRole('link', { name: 'Home' }).first().getByText('1', { exact: true }).waitFor();
    await judgeLooks(ann, 'home-settlement');
    await tabTo(ann, page.getByRole('listitem').filter({ has: card }));
    await page.keyboard.press('x');
    await card.waitFor({ state: 'detached' });
    await says(bob, 'Propose how to share $50.00, or wait for an administrator to decide');
    await bob.page.getByText(`${ANN} rejected the settlement`).waitFor();
    await share('20');
    await enter(bob, button(step(bob), 'Propose a settlement'));
    await page.goto(`${server.url}${room}`);
  });

  test('the settlement is accepted where the page says that it is next, after what each side gets', async () => {
    await says(ann, `@${BOB} proposes how to end the dispute: accept it, or propose something else`);
    await step(ann).getByText('$20.00 refunded to the buyer, $30.00 to the seller').waitFor();
    await judgeLooks(ann, 'room-dispute-accept');
    await enter(ann, button(step(ann), 'Accept settlement'));
    const sure = ann.page.getByRole('dialog', { name: /^Accept\?/ });
    await sure.getByText('$28.50').waitFor();
    await enter(ann, button(sure, 'Accept settlement'));
    for (const who of [ann, bob]) {
      await who.page.locator('details#dispute').getByText('Settled by both sides').first().waitFor();
      await who.page.locator('details#dispute').getByText('They held in my tub.').waitFor();
    }
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('the list of deals says how the money was split, from each side', async () => {
    for (const [who, lines] of [
      [ann, ['You pay$50.00', 'Refunded to you$20.00', 'Fee included$1.50', 'The seller gets$28.50']],
      [bob, ['The buyer pays$50.00', 'Refunded to the buyer-$20.00', 'Fee-$1.50', 'You get$28.50']],
    ] as const) {
      await who.page.goto(`${server.url}/app/deals`);
      const deal = who.page.locator('li.deal');
      await deal.getByText('Settled: $30 of $50 to the seller').waitFor();
      expect((await deal.locator('dl > div').allTextContents()).slice(0, lines.length)).toEqual([...lines]);
      await judgeLooks(who, 'deals-settled');
    }
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });
});
