// What the app reads again: after a message only what the message touches, once for all who show it; and an answer that is given in one
// tab is seen in the other.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { hasBrowser, seen, signIn, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_reads';
const BOB = 'bob_reads';
/** No read begins for so long: the page is at rest. */
const REST_MS = 1_000;
/** The messages, the conversation, the notifications, and the counts before and after they were noticed. */
const READS_MAX = 5;

/** The paths that a page reads until it is at rest. */
async function readsOf(page: Page, deed: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  let last_at = performance.now();
  const note = (request: { method(): string; url(): string }): void => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' || !pathname.startsWith('/api/')) return;
    paths.push(pathname);
    last_at = performance.now();
  };
  page.on('request', note);
  await deed();
  last_at = performance.now();
  await seen(
    async () => performance.now() - last_at,
    (rest_ms) => rest_ms > REST_MS,
  );
  page.off('request', note);
  return paths.toSorted();
}

describe.skipIf(!hasBrowser)('what the app reads again', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let talk = '';

  const says = (page: Page, text: string): Promise<void> =>
    page.locator('.next-step').getByRole('heading', { level: 2, name: text }).waitFor();
  const bobs = (path: string, body: unknown) =>
    call(bob, { method: 'POST', path: `/api/conversations/${talk}/${path}`, agent: BOB, body });

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550201');
    bob = await dealer(server, browser, BOB, '+14155550202');
    talk = await begin(ann, ANN, BOB, 'A rope, please.');
  });

  test('a page that begins reads once what several of its parts show', async () => {
    const { page } = ann;
    const first = await readsOf(page, () => page.goto(`${server.url}/app/conversations/${talk}`));
    const times = (path: string): number => first.filter((each) => each === path).length;
    expect(['/api/agents', '/api/notifications/unread', '/api/billing/plans'].map(times)).toEqual([1, 1, 1]);
  });

  test('after a message the page of its conversation reads what the message touches', async () => {
    const { page } = ann;
    const again = await readsOf(page, async () => {
      await bobs('messages', { content: 'Of hemp?' });
      await page.getByText('Of hemp?').first().waitFor();
    });
    expect(again.length).toBeLessThanOrEqual(READS_MAX);
    expect(again.filter((path) => /wallet|track-record|plans|account/.test(path))).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });

  test('an answer that is given in one tab is seen in the other', async () => {
    const { page } = ann;
    const other = await ann.context.newPage();
    await other.goto(`${server.url}/app/`);
    await bobs('propose', { amount_cents: 9_000, side: 'seller' });
    const card = other.getByRole('article').filter({ hasText: '$90.00' });
    await card.waitFor();
    await says(page, `Decide on $90.00 with @${BOB}`);
    await page.locator('.next-step').getByRole('button', { name: 'Reject' }).first().click();
    await page.locator('.next-step').getByRole('button', { name: 'Reject' }).last().click();
    await card.waitFor({ state: 'detached' });
    await other.close();
    expect(ann.complaints).toEqual([]);
  });

  test('an answer that was left when the session had ended is sent after the next sign-in, and told', async () => {
    const { page } = ann;
    const listed = (who: Visitor, agent: string, body: object) =>
      call(who, { method: 'POST', path: `/api/agents/${agent}/cards`, agent, body });
    await listed(bob, BOB, LOGO_OFFER);
    await listed(ann, ANN, LOGO_SEEK);
    await page.goto(`${server.url}/app/matches`);
    await page.getByRole('button', { name: 'I am interested' }).first().click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.evaluate(() => fetch('/api/auth/session/end', { method: 'POST' }));
    await page.goto('about:blank');
    await signIn(server, ann, `${ANN}@example.com`, '/app/wallet');
    await page.getByText(`They now know that “${LOGO_OFFER.headline}” interests you.`).waitFor();
    await page.getByRole('status').getByRole('link', { name: 'Go to the conversation' }).click();
    await page.getByRole('log').waitFor();
  });
});
