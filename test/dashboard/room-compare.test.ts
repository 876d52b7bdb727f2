// The offers that an agent compares, in a browser: its person sees them as a table in each of their conversations, best first, and the other
// side sees when the decision is made and nothing of the others.
import { beforeAll, describe, expect, test } from 'bun:test';
import { callAs, hasBrowser, seen, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const BUYER = 'ann_compares';
const SELLERS = ['bob_offers', 'cat_offers'];

describe.skipIf(!hasBrowser)('offers that are compared', () => {
  const { server, browser } = serverAndBrowser();
  let buyer: Visitor;
  const sellers: Visitor[] = [];
  const talks: string[] = [];
  const post = (who: Visitor, agent: string, path: string, body: object) =>
    call(who, { method: 'POST', path, agent, body });

  beforeAll(async () => {
    buyer = await dealer(server, browser, BUYER, '+14155550191');
    await call(buyer, { method: 'PATCH', path: '/api/agents/bounds', agent: BUYER, body: { max_pay_cents: 90_000 } });
    for (const [at, handle] of SELLERS.entries()) {
      const seller = await dealer(server, browser, handle, `+1415555019${at + 2}`);
      await post(seller, handle, `/api/agents/${handle}/cards`, LOGO_OFFER);
      sellers.push(seller);
    }
    await post(buyer, BUYER, `/api/agents/${BUYER}/cards`, { ...LOGO_SEEK, conditions: { decide_within_hours: 6 } });
    for (const [at, seller] of sellers.entries()) {
      const handle = SELLERS[at] ?? '';
      const feed = await callAs(seller, 'GET', '/api/matching/feed', undefined, handle);
      const [match] = feed as { match_id: string }[];
      const said = { match_id: match?.match_id, action: 'interested' };
      const { conversation_id } = (await post(seller, handle, '/api/matching/feedback', said)) as {
        conversation_id: string;
      };
      talks.push(conversation_id);
      const path = `/api/conversations/${conversation_id}`;
      await post(seller, handle, `${path}/propose`, {
        amount_cents: 30_000 - at * 1_000,
        terms: 'Two drafts.',
        issues: at === 0 ? [{ issue: 'days_to_deliver', value: 4 }] : [],
      });
      await post(buyer, BUYER, `${path}/advance`, {});
    }
  });

  test('stand as a table in each conversation, best first', async () => {
    const { page } = buyer;
    await page.goto(`${server.url}/app/conversations/${talks[0]}`);
    const table = page.locator('details#compared table');
    await table.waitFor();
    const cells = await table.locator('tbody td').allInnerTexts();
    expect(cells.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      ...['@cat_offers Conversation', '$290.00', 'not said', 'Choose'],
      ...['@bob_offers This conversation', '$300.00', '4', 'Choose'],
    ]);
    await judgeLooks(buyer, 'room-compared');
    await page.getByRole('button', { name: 'Ask all for what is missing' }).click();
    await seen(
      async () => JSON.stringify(await callAs(buyer, 'GET', `/api/conversations/${talks[1]}`, undefined, BUYER)),
      (text) => text.includes('please also tell me: Days to deliver.'),
    );
    // Who was asked is not asked again.
    await page.getByRole('button', { name: 'Ask all for what is missing' }).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'Conversation' }).click();
    await page.getByRole('heading', { level: 1, name: '@cat_offers' }).waitFor();
  });

  test('show the other side when the decision is made, and no other offer', async () => {
    const [{ page }] = sellers as [Visitor];
    await page.goto(`${server.url}/app/conversations/${talks[0]}`);
    const fold = page.locator('details#compared');
    await fold.getByText('The other side compares your offer with others.').waitFor();
    expect(await page.content()).not.toContain('$290.00');
  });

  test('are declined but for the first, and one is chosen', async () => {
    const { page } = buyer;
    await page.goto(`${server.url}/app/conversations/${talks[1]}`);
    const fold = page.locator('details#compared');
    await fold.getByRole('button', { name: 'Decline all but the first' }).click();
    const asked = page.getByRole('dialog');
    await asked.getByText('Decline all offers but that of @cat_offers?').waitFor();
    await asked.getByRole('button', { name: 'Decline all but the first' }).click();
    await fold.getByText('@bob_offers').waitFor({ state: 'detached' });
    const left = await callAs(buyer, 'GET', '/api/proposals', undefined, BUYER);
    const states = (left as { seller_handle: string; status: string }[]).map(
      (of) => `${of.seller_handle} ${of.status}`,
    );
    expect(states.toSorted()).toEqual(['bob_offers rejected', 'cat_offers open']);
    await fold.getByRole('button', { name: 'Choose the offer of @cat_offers' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('$290.00').first().waitFor();
    await dialog.getByRole('button', { name: 'Choose' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [after] = (await callAs(buyer, 'GET', `/api/proposals`, undefined, BUYER)) as { approved_by: string[] }[];
    expect(after?.approved_by).toContain(BUYER);
    expect(buyer.complaints).toEqual([]);
  });
});
