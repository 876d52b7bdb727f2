// A whole deal on one page, in a browser: from the match to the review, each step where the page says that it is next; both sides
// press no more than eight times until the money is held, and no more than three from the delivery to its release.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_rooms';
const BOB = 'bob_rooms';
const PRICE = { typed: '450', cents: 45_000, shown: '$450.00', net: '$427.50' };
const PAID_MAX = 8;
const RELEASED_MAX = 3;

describe.skipIf(!hasBrowser)('a deal on the page of its conversation', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let room: string;
  /** How often both sides have pressed. */
  let presses = 0;

  const open = ({ page }: Visitor, path: string) => page.goto(`${server.url}/app/${path}`);
  const step = ({ page }: Visitor): Locator => page.locator('.next-step');
  const says = (who: Visitor, text: string): Promise<void> =>
    step(who).getByRole('heading', { level: 2, name: text }).waitFor();
  const press = async (of: Locator): Promise<void> => {
    presses += 1;
    await of.click();
  };
  const button = (of: Locator | Visitor['page'], name: string): Locator =>
    of.getByRole('button', { name, exact: true });
  const fold = ({ page }: Visitor, id: string): Locator => page.locator(`details#${id}`);

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550181');
    bob = await dealer(server, browser, BOB, '+14155550182');
    const add = (who: Visitor, agent: string, body: object) =>
      call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body });
    await add(bob, BOB, LOGO_OFFER);
    await add(ann, ANN, LOGO_SEEK);
  });

  test('the match leads both into one room, which says who the other side is and why they met', async () => {
    await open(ann, 'matches');
    await press(button(ann.page, 'I am interested').first());
    // Sent after a while, in which it can be taken back.
    await button(ann.page, 'Undo').waitFor();
    await button(ann.page, 'Undo').waitFor({ state: 'detached' });
    // The page of the match itself leads on then.
    await open(bob, 'matches');
    await press(bob.page.getByRole('link', { name: LOGO_SEEK.headline }));
    await press(button(bob.page, 'I am interested'));
    await button(bob.page, 'Undo').waitFor();
    await bob.page.waitForURL(/\/conversations\//);
    room = new URL(bob.page.url()).pathname.replace('/app/', '');
    await open(ann, room);
    await says(ann, `Write to @${BOB}, or propose an amount`);
    await fold(ann, 'person').getByText('Phone').waitFor();
    await fold(ann, 'match').getByText(LOGO_OFFER.headline).waitFor();
    await fold(ann, 'match').getByText(LOGO_SEEK.headline).waitFor();
    await judgeLooks(ann, 'room-begun');
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('what is typed is kept while one looks at another page', async () => {
    const { page } = bob;
    await page.getByLabel('Your message', { exact: true }).fill('I can draw it by Friday.');
    await page.locator('summary', { hasText: 'Propose an amount' }).click();
    await page.getByLabel('Amount in dollars').fill(PRICE.typed);
    presses += 1;
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.goBack();
    expect(await page.getByLabel('Your message', { exact: true }).inputValue()).toBe('I can draw it by Friday.');
    expect(await page.getByLabel('Amount in dollars').inputValue()).toBe(PRICE.typed);
  });

  test('a proposal says what the seller gets of it before it is sent, and who has to decide on it then', async () => {
    const { page } = bob;
    await page.locator('summary', { hasText: 'Propose an amount' }).click();
    await page.getByText(PRICE.net).first().waitFor();
    await judgeLooks(bob, 'room-propose');
    await press(button(page, 'Send the proposal'));
    await says(bob, `@${ANN} has to decide on ${PRICE.shown}`);
    await says(ann, `Decide on ${PRICE.shown} with @${BOB}`);
    await judgeLooks(ann, 'room-decide');
  });

  test('who is short pays in from here, comes back, and is asked to pay at once', async () => {
    const { page } = ann;
    await press(button(step(ann), 'Approve'));
    await press(button(page.getByRole('dialog'), 'Approve'));
    await says(ann, `Your wallet is ${PRICE.shown} short: add money, then pay`);
    await judgeLooks(ann, 'room-short');
    // Paying in is not counted: the promise is about money that is there.
    await button(step(ann), `Add ${PRICE.shown}`).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('link', { name: 'Back to Meshwork' }).click();
    const sure = page.getByRole('dialog', { name: /leaves your wallet now/ });
    await sure.waitFor();
    expect(new URL(page.url()).pathname).toBe(`/app/${room}`);
    await press(button(sure, 'Pay into escrow'));
    await says(ann, `@${BOB} has to deliver`);
    expect(presses).toBeLessThanOrEqual(PAID_MAX);
    await fold(ann, 'escrow').locator('.figure-big', { hasText: PRICE.shown }).waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('the delivery is sent and released where the page says that it is next', async () => {
    presses = 0;
    await says(bob, 'Deliver');
    await step(bob).getByLabel('Link to your work').fill('https://files.example/logo');
    await judgeLooks(bob, 'room-deliver');
    await press(button(step(bob), 'Deliver'));
    await says(ann, 'Look at');
    await step(ann).getByRole('link', { name: 'https://files.example/logo' }).waitFor();
    await judgeLooks(ann, 'room-release');
    await press(button(step(ann), 'Release the money'));
    await press(button(ann.page.getByRole('dialog'), 'Release the money'));
    await says(ann, `Review the deal with @${BOB}`);
    expect(presses).toBeLessThanOrEqual(RELEASED_MAX);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('both review, the timeline tells all of it, and thanks can still be sent', async () => {
    await step(ann).getByRole('radio', { name: '5 of 5 stars' }).check();
    await button(step(ann), 'Send review').click();
    await says(ann, 'Nothing is left to do here');
    expect(await step(ann).getByRole('link').count()).toBe(0);
    await ann.page.getByLabel('Your message').waitFor();
    const line = (await fold(ann, 'timeline').textContent()) ?? '';
    const told = [
      'You were matched',
      'proposed $450.00',
      'Agreed: $450.00',
      'Escrow opened',
      'Delivered',
      'Released',
      'Reviewed',
    ];
    expect(told.filter((each) => !line.includes(each))).toEqual([]);
    await judgeLooks(ann, 'room-finished');
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('the addresses of its escrow and its deal lead here', async () => {
    const { page } = ann;
    await open(ann, 'escrows');
    await page.getByRole('row').last().getByRole('link').first().click();
    await page.waitForURL(new RegExp(`${room}\\?deal=[^#]+#escrow$`));
    await open(ann, 'deals');
    await page.getByRole('link', { name: 'Open the deal' }).click();
    await says(ann, 'Nothing is left to do here');
  });
});
