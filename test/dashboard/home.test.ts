// Home as a list of what has to be decided: what stands in it and in which order, answers by press, key and swipe that are sent five
// seconds later and can be taken back until then, and what leaving the page does to them. The clock is the browser's, as a test sets it.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { hasBrowser, seen, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';
import { until } from '../support/until.ts';

const ANN = 'ann_draws';
const BOB = 'bob_bakes';
const OFFERS = [
  {
    headline: 'Logo design in two days',
    description: 'We draw friendly logos for small shops.',
    labels: ['logo-design', 'branding'],
    price_cents: 50_000,
  },
  {
    headline: 'Packaging for bakeries',
    description: 'Boxes and bags that sell bread.',
    labels: ['packaging', 'print-design'],
    price_cents: 80_000,
  },
];
const SEEKS = [
  {
    headline: 'A logo for my bakery',
    description: 'I want a friendly logo for a small shop.',
    labels: ['logo-design'],
    budget_cents: 90_000,
  },
  { headline: 'Boxes for bread', description: 'Boxes that sell bread.', labels: ['packaging'], budget_cents: 85_000 },
  {
    headline: 'A sign for my bakery',
    description: 'Wood and paint.',
    labels: ['branding', 'woodwork', 'signs', 'painting'],
    budget_cents: 32_000,
  },
];
const WAIT_MS = 5_000;

describe.skipIf(!hasBrowser)('home, in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;

  const card = (page: Page, headline: string): Locator => page.getByRole('article').filter({ hasText: headline });
  const open = async (page: Page, path = ''): Promise<void> => {
    await page.goto(`${server.url}/app/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  };
  /** What is sent to the service of answers from now on. */
  const heard = (page: Page): string[] => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/matching/feedback')) sent.push(request.postDataJSON().action);
    });
    return sent;
  };
  /** The number beside Home in the navigation is that of the cards. */
  const countsCards = async (page: Page): Promise<void> => {
    const badge = page.getByRole('link', { name: /^Home/ }).locator('.count');
    const cards = page.getByRole('list', { name: 'Needs your decision' }).getByRole('article');
    await seen(
      async () => [await badge.allTextContents(), await cards.count()] as const,
      ([[told = '0'], count]) => Number(told) === count,
    );
  };
  const statusOf = async (headline: string): Promise<{ status: string; saved: boolean }> => {
    const matches = await call(ann, { method: 'GET', path: '/api/v1/matches', agent: ANN, body: undefined });
    type Told = { their_listing: { headline: string }; score: number; status: string; saved: boolean };
    // A listing may meet both of hers; the card of the better one is meant.
    const all = (matches as unknown as Told[]).filter(({ their_listing }) => their_listing.headline === headline);
    const [found] = all.toSorted((a, b) => b.score - a.score);
    return { status: found?.status ?? '', saved: found?.saved ?? false };
  };

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550171');
    bob = await dealer(server, browser, BOB, '+14155550172');
    const token = (await Bun.file(`${server.data_dir}/internal-token`).text()).trim();
    const body = JSON.stringify({ email: `${BOB}@example.com`, plan: 'pro' });
    const headers = { 'X-Internal-Token': token, 'Content-Type': 'application/json' };
    await fetch(`${server.url}/internal/admin/set-plan`, { method: 'POST', headers, body });
    for (const [who, agent, card_type, listings] of [
      [ann, ANN, 'selling', OFFERS],
      [bob, BOB, 'buying', SEEKS],
    ] as const) {
      for (const listing of listings) {
        const of = { card_type, geo: 'Berlin', price_period: 'once', ...listing };
        await call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body: of });
      }
    }
    await ann.page.clock.install();
  });

  test('a match says its price, its place and three reasons, the best first; a weak one is only in the list of matches', async () => {
    const { page } = ann;
    await open(page);
    const cards = page.getByRole('list', { name: 'Needs your decision' }).getByRole('article');
    await cards.first().waitFor();
    const told = await cards.allTextContents();
    expect(told).toHaveLength(2);
    await countsCards(page);
    const percents = told.map((text) => Number(/\d+/.exec(text)?.[0]));
    expect(percents).toEqual(percents.toSorted((a, b) => b - a));
    const logo = card(page, 'A logo for my bakery');
    await logo.getByText('Pays up to $900').waitFor();
    await logo.getByText('Berlin', { exact: true }).waitFor();
    expect(await logo.getByRole('list', { name: 'Why it fits' }).getByRole('listitem').count()).toBe(3);
    await judgeLooks(ann, 'home-matches');
    expect(await card(page, 'A sign for my bakery').count()).toBe(0);
    await open(page, 'matches');
    await page.getByRole('button', { name: 'Weak matches' }).click();
    await card(page, 'A sign for my bakery').waitFor();
    const weak = await page.getByRole('article').allTextContents();
    for (const text of weak) expect(Number(/\d+/.exec(text)?.[0])).toBeLessThan(40);
    await judgeLooks(ann, 'matches-weak');
  });

  test('an answer by key is taken back by a key, and is sent five seconds after it was pressed', async () => {
    const { page } = ann;
    await open(page);
    const sent = heard(page);
    await page.getByRole('article').first().waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('article') })
      .first()
      .focus();
    const first = await page.evaluate(() => document.activeElement?.querySelector('h3')?.textContent ?? '');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    const told = page.getByRole('status', { name: 'Your latest answers' });
    await told.getByText(`Declined “${first}”`).waitFor();
    await card(page, first).waitFor({ state: 'detached' });
    // The next card has the focus, so that the list takes keys still.
    await page.clock.runFor(WAIT_MS - 100);
    await page.keyboard.press('u');
    await card(page, first).waitFor();
    await page.clock.runFor(WAIT_MS);
    expect(sent).toEqual([]);
    await card(page, first).getByRole('button', { name: 'Save for later' }).click();
    await page.clock.runFor(WAIT_MS - 100);
    expect(sent).toEqual([]);
    await told.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.runFor(100);
    await seen(
      () => statusOf(first),
      ({ saved }) => saved,
    );
    await page.clock.resume();
    expect(sent).toEqual(['saved']);
    expect(ann.complaints).toEqual([]);
  });

  test('the time that is left does not move for readers who want no motion', async () => {
    const { page } = ann;
    await open(page);
    const moving = (): Promise<string> =>
      page.evaluate(() => {
        const li = document.querySelector('.told-answers > .waits');
        return li ? getComputedStyle(li, '::after').animationName : 'no answer';
      });
    await page.getByRole('button', { name: 'Interested' }).first().click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await moving()).toBe('run-out');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await moving()).toBe('none');
    await page.emulateMedia({ reducedMotion: null });
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  });

  test('going to another page of the app sends what waits at once, and a match leads on to its conversation', async () => {
    const { page } = ann;
    await open(page);
    const sent = heard(page);
    const headline = (await page.getByRole('article').first().getByRole('heading').textContent()) ?? '';
    await page.getByRole('button', { name: 'Interested' }).first().click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByRole('link', { name: 'Listings' }).first().click();
    await page.getByRole('status', { name: 'Your latest answers' }).getByRole('link').click();
    await page.waitForURL('**/conversations/*');
    expect(sent).toEqual(['interested']);
    expect((await statusOf(headline)).status).toBe('approved');
    expect(ann.complaints).toEqual([]);
  });

  test('leaving the app sends what waits, by the next page where that was dropped', async () => {
    const { page } = ann;
    await open(page, 'matches');
    await page.getByRole('button', { name: 'Weak matches' }).click();
    await card(page, 'A sign for my bakery').getByRole('button', { name: 'Not a fit' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    // A browser may drop what a page sends while it goes.
    await page.evaluate(() => {
      window.fetch = Object.assign(() => Promise.reject(new Error('dropped')), { preconnect: () => {} });
    });
    // It is sent when the tab is hidden, too: what had no response then waits for the next page.
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.getByRole('status', { name: 'Your latest answers' }).getByRole('button', { name: 'Close' }).waitFor();
    await page.goto('about:blank');
    await open(page, 'wallet');
    const { status } = await seen(
      () => statusOf('A sign for my bakery'),
      ({ status }) => status !== 'pending',
    );
    expect(status).toBe('declined');
  });

  test('an answer that was left more than a day ago is dropped', async () => {
    const { page } = ann;
    await open(page, 'wallet');
    const { id } = await call(ann, { method: 'GET', path: '/api/account', agent: ANN, body: undefined });
    const left = (): Promise<string | null> =>
      page.evaluate((place) => localStorage.getItem(place), `meshwork-left-answers ${id}`);
    await page.evaluate((place) => {
      const answer = (hours: number, action: string) => {
        const said = { match_id: crypto.randomUUID(), action };
        return { key: crypto.randomUUID(), said, headline: 'A sign', at_ms: Date.now() - hours * 3_600_000 };
      };
      localStorage.setItem(place, JSON.stringify([answer(25, 'saved'), answer(23, 'not_a_fit')]));
    }, `meshwork-left-answers ${id}`);
    const sent = heard(page);
    await open(page, 'wallet');
    await seen(left, (text) => text === null);
    expect(sent).toEqual(['not_a_fit']);
    ann.complaints.length = 0;
  });

  test('a finger to the right is interested, to the left declines, and a short one does nothing', async () => {
    const context = await browser.newContext({
      storageState: await bob.context.storageState(),
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    await page.clock.install();
    await open(page);
    const devtools = await context.newCDPSession(page);
    const swipe = async (by: number): Promise<void> => {
      const box = await page.getByRole('article').first().boundingBox();
      if (!box) throw new Error('there is no card');
      const [x, y] = [box.x + box.width / 2, box.y + 40];
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
      for (const part of [0.25, 0.5, 0.75, 1]) {
        const touchPoints = [{ x: x + by * part, y }];
        await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
      }
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const told = page.getByRole('status', { name: 'Your latest answers' });
    await page.getByRole('article').first().waitFor();
    await swipe(60);
    expect(await told.getByRole('button').count()).toBe(0);
    await swipe(-140);
    await told.getByText(/^Declined/).waitFor();
    await told.getByRole('button', { name: 'Undo' }).click();
    await swipe(140);
    await told.getByText(/^Interested in/).waitFor();
    await told.getByRole('button', { name: 'Undo' }).click();
    await context.close();
  });

  test('money stands before matches: what was delivered and what is disputed, with amount, other side and time', async () => {
    const anns = (path: string, body: unknown) => call(ann, { method: 'POST', path, agent: ANN, body });
    const bobs = (path: string, body: unknown) => call(bob, { method: 'POST', path, agent: BOB, body });
    const { checkout_url } = await anns('/api/wallet/fund', { amount_cents: 90_000 });
    const pay = new URLSearchParams({ decision: 'pay' });
    await fetch(String(checkout_url), { method: 'POST', body: pay, redirect: 'manual' });
    const open_escrow = (title: string, amount_cents: number) =>
      anns('/api/wallet/escrow', { seller_handle: BOB, title, milestones: [{ title, amount_cents }] });
    const bread = await open_escrow('Bread for a year', 20_000);
    const cake = await open_escrow('A cake', 9_000);
    await open_escrow('Rolls', 7_000);
    await bobs(`/api/wallet/escrow/${bread['id']}/deliverable`, {
      milestone_index: 0,
      url: 'https://example.com/bread',
    });
    await bobs(`/api/wallet/escrow/${cake['id']}/dispute`, { reason: 'Nobody was at home.' });
    const talk = await begin(bob, BOB, ANN, 'Shall we?');
    await bobs(`/api/conversations/${talk}/propose`, { amount_cents: 30_000, terms: 'Ten loaves' });
    await open(ann.page);
    const headings = ann.page.getByRole('list', { name: 'Needs your decision' }).getByRole('heading');
    await headings.first().waitFor();
    const told = await headings.allTextContents();
    expect(told[0]).toBe('Answer a dispute');
    expect(told).toContain('Accept a delivery');
    await countsCards(ann.page);
    await open(bob.page);
    await card(bob.page, 'Rolls').waitFor();
    await countsCards(bob.page);
    await card(ann.page, 'Accept a delivery').getByText('$200.00').waitFor();
    await card(ann.page, 'Answer a dispute').getByText('$90.00').waitFor();
    await judgeLooks(ann, 'home-money');
    await card(ann.page, 'Accept a delivery').getByRole('link', { name: 'See the delivery' }).click();
    await ann.page.getByText('Bread for a year').first().waitFor();
    ann.complaints.length = 0;
  });

  test('a match is no decision of its own once the other side has proposed in its conversation', async () => {
    const bobs = (path: string, body: unknown) => call(bob, { method: 'POST', path, agent: BOB, body });
    const headline = 'Paper bags for rolls';
    const labels = ['packaging', 'print-design'];
    const listing = { headline, description: 'Bags and boxes that sell bread.', labels, budget_cents: 85_000 };
    await bobs(`/api/agents/${BOB}/cards`, { card_type: 'buying', geo: 'Berlin', price_period: 'once', ...listing });
    const cards = ann.page.getByRole('list', { name: 'Needs your decision' }).getByRole('article');
    const ofMatch = cards.filter({ hasText: headline });
    await open(ann.page);
    await ofMatch.waitFor();
    const href = await ofMatch.getByRole('link', { name: headline }).getAttribute('href');
    const match_id = href?.split('/').at(-1);
    const { conversation_id } = await bobs('/api/matching/feedback', { match_id, action: 'interested' });
    await bobs(`/api/conversations/${conversation_id}/propose`, { amount_cents: 41_000, terms: 'As the match says' });
    await open(ann.page);
    const proposal = cards.filter({ hasText: 'As the match says' });
    await proposal.waitFor();
    expect(await ofMatch.count()).toBe(0);
    await proposal.getByRole('button', { name: /^Approve/ }).click();
    await ann.page.getByText(`The deal with @${BOB} is made, for $410.00.`).waitFor();
    await proposal.waitFor({ state: 'detached' });
    expect(await ofMatch.count()).toBe(0);
    await countsCards(ann.page);
    await open(bob.page);
    await countsCards(bob.page);
    ann.complaints.length = 0;
  });

  test('activity tells one payment into escrow once', async () => {
    const { page } = ann;
    await open(page, 'activity');
    await page.getByText('$200.00 is held for Bread for a year').waitFor();
    expect(await page.getByText(`${ANN} put $200.00 in escrow for ${BOB}`).count()).toBe(0);
    await page.getByRole('link', { name: '$200.00 is held for Bread for a year' }).click();
    await page.waitForURL('**/escrows/*');
    // All that the row tells is marked, one after the other, before the page is left.
    const unread = { method: 'GET', path: '/api/notifications?unread=true&limit=100', agent: ANN, body: undefined };
    await until(async () => !/Bread for a year|put \$200\.00/.test(JSON.stringify(await call(ann, unread))));
    await open(page, 'activity?show=notifications');
    await page.getByText('$90.00 is held for A cake').waitFor();
    expect(await page.getByText('Bread for a year').count()).toBe(0);
    expect(await page.getByText(`${ANN} put $200.00 in escrow for ${BOB}`).count()).toBe(0);
  });

  test('activity is one list with filters, to which the earlier addresses lead', async () => {
    const { page } = ann;
    for (const [path, filter] of [
      ['inbox', 'Inbox of this agent'],
      ['notifications', 'Unread'],
      ['approvals', 'Approvals'],
    ] as const) {
      await open(page, path);
      await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
      await page.getByRole('button', { name: filter, pressed: true }).waitFor();
      await judgeLooks(ann, `activity-${path}`);
    }
    await open(page, 'activity?show=notifications');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You have read everything.').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText(`New match with ${BOB}`).first().waitFor();
    expect(new URL(page.url()).searchParams.get('show')).toBe('all');
    expect(ann.complaints).toEqual([]);
  });
});
