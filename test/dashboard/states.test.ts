// What a list shows when it is not there: while it loads, where it is refused or fails, without a network, and where nothing is in
// it. Each screen's own answer is held, refused, lost or emptied on its way, so that one loop tries all of them.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page, Route } from 'playwright-core';
import { registry } from '../../src/operations/registry.ts';
import { clientTable } from '../../src/transports/openapi/client-table.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

/** Each list by its screen, and the operation that reads it. */
const LISTS = [
  ['activity', 'notification.list'],
  ['listings', 'listing.mine'],
  ['matches', 'match.feed'],
  ['conversations', 'conversation.list'],
  ['wallet', 'wallet.transactions'],
  ['escrows', 'escrow.list'],
  ['activity?show=approvals', 'proposal.list'],
  ['deals', 'deal.list'],
  ['subscriptions', 'subscription.list'],
  ['payouts', 'payout.list'],
  ['webhooks', 'webhook.list'],
  ['keys', 'key.list'],
  ['passkeys', 'passkey.list'],
  ['people', 'agent.registry'],
  ['market', 'marketplace.explore'],
  ['market/selling', 'marketplace.my_listings'],
  ['market/earnings', 'marketplace.earnings'],
  ['demand', 'demand.list'],
  ['demand', 'demand.mine'],
  ['calls', 'router_call.list'],
  ['calls', 'capability.list'],
  ['calls', 'provider.list'],
  ['people', 'agent.list_blocks'],
  ['knowledge', 'knowledge.list'],
  ['account/notifications', 'browser.list'],
  ['agents', 'agent.list'],
  ['account', 'program.list'],
] as const;

const REQUEST_ID = '0198aaaa-0000-7000-8000-000000000001';

/** How the service is made to answer. */
type Answering = 'held' | 'denied' | 'failed' | 'lost' | 'empty';

/** An answer as it is with nothing in its lists. */
function emptied(answer: unknown): unknown {
  if (Array.isArray(answer)) return [];
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, Array.isArray(value) ? [] : value]));
}

/** Answers what a screen asks for as a test wants it. */
class Interposed {
  answering: Answering = 'held';
  readonly #held: Route[] = [];
  readonly #asked = Promise.withResolvers<void>();
  /** Until the screen has asked: before, what loads is the screen itself. */
  readonly asked = this.#asked.promise;

  async take(route: Route): Promise<void> {
    this.#asked.resolve();
    if (this.answering === 'held') this.#held.push(route);
    else await this.#answer(route);
  }

  /** Answers what is held, and what comes, in another way. */
  async become(answering: Answering): Promise<void> {
    this.answering = answering;
    await Promise.all(this.#held.splice(0).map((route) => this.#answer(route)));
  }

  async #answer(route: Route): Promise<void> {
    if (this.answering === 'empty') {
      const response = await route.fetch();
      return route.fulfill({ response, json: emptied(await response.json()) });
    }
    if (this.answering === 'lost') return route.abort('internetdisconnected');
    const denied = this.answering === 'denied';
    return route.fulfill({
      status: denied ? 403 : 422,
      headers: { 'X-Request-Id': REQUEST_ID },
      json: { error: denied ? 'forbidden' : 'unprocessable', message: 'It cannot be read now.' },
    });
  }
}

describe.skipIf(!hasBrowser)('what a list shows when it is not there', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  const table = clientTable(registry());

  beforeAll(async () => {
    ann = await dealer(server, browser, 'ann_sails', '+14155550111');
    // What has lists asked for again while a test looks at them: that the app finds the person's agent, and news. The one is done before,
    // the other comes neither to a page nor from one beside it.
    await ann.page.goto(`${server.url}/app`);
    await ann.page.waitForFunction(() => localStorage.getItem('meshwork-agent') === 'ann_sails');
    await ann.context.route('**/api/notifications/stream*', () => {});
    await ann.page.close();
  });

  /** Stands between a page and an operation. */
  async function between(page: Page, operation: string): Promise<Interposed> {
    const address = table[operation];
    if (!address) throw new Error(`no screen calls ${operation}`);
    const path = new RegExp(`^${address.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const interposed = new Interposed();
    await page.route(
      ({ pathname }) => path.test(pathname),
      (route) => interposed.take(route),
    );
    return interposed;
  }

  test('home does not say that nothing is to be decided where one of its lists could not be loaded', async () => {
    const page = await ann.context.newPage();
    const answers = await between(page, 'proposal.list');
    await page.goto(`${server.url}/app`);
    await answers.asked;
    await answers.become('failed');
    const failure = page.locator('.failure');
    await failure.getByText('This could not be loaded').waitFor();
    expect(await page.locator('.empty').count()).toBe(0);
    answers.answering = 'empty';
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.empty').getByText('Nothing needs a decision.').waitFor();
    await page.close();
  });

  test.each(LISTS)(
    '%s, %s: it loads, is refused, fails, and comes once it is asked for again',
    async (screen, operation) => {
      const page = await ann.context.newPage();
      const answers = await between(page, operation);
      await page.goto(`${server.url}/app/${screen}`);
      const loading = page.getByRole('status').filter({ hasText: 'Loading' });
      await loading.first().waitFor();
      await answers.become('denied');
      const failure = page.locator('.failure');
      await failure.getByText('You do not have access to this page.').waitFor();
      expect(await failure.getAttribute('role')).toBe('alert');
      const retry = failure.getByRole('button', { name: 'Try again' });
      answers.answering = 'failed';
      await retry.click();
      await failure.getByText('This could not be loaded').waitFor();
      await failure.getByText(`Request ${REQUEST_ID}`).waitFor();
      answers.answering = 'empty';
      await retry.click();
      await failure.waitFor({ state: 'detached' });
      const empty = page.locator('.empty').first();
      await empty.waitFor();
      expect((await empty.textContent())?.length).toBeGreaterThan(20);
      await page.close();
    },
  );

  test('without a network lists say so, and come once there is one', async () => {
    const lists = [LISTS[0], ...LISTS.slice(-6)];
    const pages = await Promise.all(
      lists.map(async ([screen, operation]) => {
        const page = await ann.context.newPage();
        const answers = await between(page, operation);
        await page.goto(`${server.url}/app/${screen}`);
        await answers.asked;
        return { page, answers };
      }),
    );
    await ann.context.setOffline(true);
    await Promise.all(
      pages.map(async ({ page, answers }) => {
        await answers.become('lost');
        await page.locator('.failure').getByText('You are offline.').first().waitFor();
        answers.answering = 'empty';
      }),
    );
    await ann.context.setOffline(false);
    for (const { page } of pages) {
      await page.locator('.empty').first().waitFor();
      await page.close();
    }
  });
});
