// Proposals and deals in the web app: a person lets one go that its agent may not send alone, approves what others ask, is told when
// somebody was faster, makes one deal however often the button is pressed, and says afterwards how it went.

import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { barriers } from '../support/barriers.ts';
import { hasBrowser, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { PICTURES } from '../support/looks.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const NAUGHTY = `"><img src=x onerror="throw 1">`;
const ANN = 'ann_asks';
const BOB = 'bob_bids';
const CID = 'cid_draws';

/** Who pays is asked first what leaves the wallet. */
async function approve(within: Page | Locator): Promise<void> {
  await within.getByRole('button', { name: 'Approve' }).click();
  await within
    .getByRole('group', { name: /^Approve\?/ })
    .getByRole('button', { name: 'Approve' })
    .click();
}

describe.skipIf(!hasBrowser)('proposals and deals in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let cid: Visitor;
  let id: string;
  let other: string;

  /** A call of ann's, who pays, or of bob's, who is paid; as they are signed in. */
  const anns = (method: string, path: string, body: unknown = {}) => call(ann, { method, path, agent: ANN, body });
  const bobs = (method: string, path: string, body: unknown = {}) => call(bob, { method, path, agent: BOB, body });
  const asks = (dollars: number, more: object = {}) =>
    bobs('POST', `/api/conversations/${id}/propose`, {
      amount_cents: dollars * 100,
      terms: 'A logo',
      side: 'seller',
      ...more,
    });

  const dealsOf = async ({ page }: Visitor, agent: string): Promise<unknown[]> =>
    page.evaluate(async (agent) => {
      const session = await (await fetch('/api/auth/session/refresh', { method: 'POST' })).json();
      const headers = { Authorization: `Bearer ${session.access_token}`, 'X-Agent-Handle': agent };
      return (await fetch('/api/deals', { headers })).json();
    }, agent);

  async function fund(dollars: number): Promise<void> {
    const { checkout_url } = await anns('POST', '/api/wallet/fund', { amount_cents: dollars * 100 });
    const form = new URLSearchParams({ decision: 'pay' });
    await fetch(String(checkout_url), { method: 'POST', body: form, redirect: 'manual' });
  }

  const open = (page: Page, path: string) => page.goto(`${server.url}/app/${path}`);

  /** As it looks by light, by dark and on a phone; nothing keeps anybody out, and nothing sticks out. */
  async function judge({ page }: Visitor, name: string): Promise<void> {
    for (const [look, colorScheme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      expect([name, look, await barriers(page)]).toEqual([name, look, []]);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect([name, look, scrollWidth]).toEqual([name, look, clientWidth]);
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-${look}.png`), fullPage: true });
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550171');
    bob = await dealer(server, browser, BOB, '+14155550172');
    cid = await dealer(server, browser, CID, '+14155550173');
    await anns('PATCH', '/api/agents/bounds', { max_pay_cents: 40_000 });
    id = await begin(ann, ANN, BOB, 'I need a logo.');
  });

  test('where nothing waits, the way to the bounds is shown', async () => {
    const { page } = ann;
    await open(page, 'approvals');
    await page.getByText('Nothing needs your decision.').waitFor();
    await page.getByRole('link', { name: 'Set limits' }).click();
    await page.getByLabel('Pays at most, in dollars').waitFor();
    expect(await page.getByLabel('Pays at most, in dollars').inputValue()).toBe('400');
  });

  test('one that the agent may not send alone is let go by its person', async () => {
    const { api_key } = await anns('POST', '/api/developer/keys', {
      name: 'deals',
      scopes: ['conversations:read', 'conversations:write'],
      agent_handle: ANN,
    });
    const put = await fetch(`${server.url}/api/conversations/${id}/propose`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount_cents: 45_000, terms: `A logo ${NAUGHTY}`, side: 'buyer' }),
    });
    expect([put.status, (await put.json()).status]).toEqual([201, 'withheld']);
    const { page } = ann;
    await open(page, 'approvals');
    const card = page.getByRole('article', { name: `Your agent offers $450.00 to @${BOB}` });
    await card.getByText('This is $50.00 above your agent’s payment limit of $400.00.').waitFor();
    await card.getByText('Not sent yet').waitFor();
    await card.getByText(/^Trust \d+ of 100$/).waitFor();
    await page.getByTitle('1 waiting').first().waitFor();
    await judge(ann, 'approvals-withheld');
    await approve(card);
    await page.getByText(`Sent: $450.00. Now @${BOB} has to approve it.`).waitFor();
    await page.getByRole('cell', { name: 'Waiting for them' }).waitFor();
    expect(await card.count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });

  test('the other side rejects it with a reason', async () => {
    const { page } = bob;
    await open(page, 'approvals');
    const card = page.getByRole('article', { name: `@${ANN} offers $450.00` });
    await card.getByRole('button', { name: 'Reject' }).click();
    await card.getByRole('button', { name: 'The price' }).click();
    await judge(bob, 'approvals-reject');
    const sent = page.waitForRequest((request) => request.url().endsWith('/approve'));
    await card.getByRole('button', { name: 'Reject the proposal' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ version: 1, decision: 'reject', reason: 'price' });
    await page.getByText(`Rejected: $450.00. @${ANN} is notified.`).waitFor();
    expect(bob.complaints).toEqual([]);
  });

  test('what was replaced meanwhile is not approved, and what stands now is shown', async () => {
    const { page } = ann;
    await asks(500);
    await open(page, 'approvals');
    await page.getByRole('article', { name: `@${BOB} asks $500.00` }).waitFor();
    // News come at once; somebody may still press before they are there.
    await page.route('**/api/proposals**', (route) => route.abort());
    await asks(480, {
      milestones: [
        { title: 'Draft', amount_cents: 18_000 },
        { title: NAUGHTY, amount_cents: 30_000 },
      ],
    });
    await page.route('**/approve', async (route) => {
      await page.unroute('**/api/proposals**');
      await route.continue();
    });
    await approve(page);
    await page.getByText('Nothing was done: the proposal of $500.00 has been replaced.').waitFor();
    await page.getByText('The current proposal is $480.00.').waitFor();
    const card = page.getByRole('article', { name: `@${BOB} asks $480.00` });
    await card.getByText('Previous amount: $500.00 · $20.00 less').waitFor();
    await card.getByText('This is $80.00 above').waitFor();
    await page.unroute('**/approve');
    await judge(ann, 'approvals-replaced');
    expect(await dealsOf(ann, ANN)).toEqual([]);
    ann.complaints.length = 0;
  });

  test('a wallet that is short makes a deal all the same, and leads to paying for it', async () => {
    const { page } = ann;
    await approve(page);
    await page.getByText(`The deal with @${BOB} is made, for $480.00.`).waitFor();
    await page.getByText('$480.00 is missing. Add money, then pay for the deal.').waitFor();
    await judge(ann, 'approvals-unpaid');
    await fund(2_000);
    // The parts are the deal's: however many proposals came after, they are found.
    await page.route('**/api/proposals?limit=100**', (route) => route.fulfill({ json: [] }));
    await page.getByRole('link', { name: 'Pay for the deal' }).click();
    await page.getByText('Agreed, not paid').first().waitFor();
    await judge(ann, 'deals-agreed');
    await page.getByRole('button', { name: 'Pay into escrow' }).click();
    const sure = page.getByRole('group', {
      name: `Pay $480.00? It leaves your wallet now and is held in escrow for @${BOB}.`,
    });
    await sure.getByRole('button', { name: 'Pay into escrow' }).click();
    await page.getByRole('heading', { level: 3, name: 'Draft' }).waitFor();
    expect(page.url()).toContain('/conversations/');
    await page.unroute('**/api/proposals?limit=100**');
    expect(await dealsOf(ann, ANN)).toMatchObject([{ status: 'funded', amount_cents: 48_000 }]);
    expect(ann.complaints).toEqual([]);
  });

  test('a button that is pressed twice makes one deal, with its escrow', async () => {
    const { page } = ann;
    await asks(500);
    await open(page, 'approvals');
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/approve') && sent.push(request.url()));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByRole('group', { name: /^Approve\?/ })
      .getByRole('button', { name: 'Approve' })
      .dblclick();
    await page.getByText('The escrow is open: $500.00 is held until you release it.').waitFor();
    await judge(ann, 'approvals-made');
    expect(sent).toHaveLength(1);
    expect(await dealsOf(ann, ANN)).toHaveLength(2);
    await page.getByRole('link', { name: 'Open the deal' }).click();
    await page.locator('.figure-big', { hasText: '$500.00' }).waitFor();
    expect(ann.complaints).toEqual([]);
  });

  test('a deal that is done is reviewed with stars and words, once', async () => {
    const { page } = ann;
    const [{ escrow_id }] = (await dealsOf(ann, ANN)) as [{ escrow_id: string }];
    await anns('POST', `/api/wallet/escrow/${escrow_id}/release`, { milestone_index: 0 });
    await open(page, 'deals');
    await page.getByRole('button', { name: 'Completed' }).click();
    await page.getByRole('link', { name: 'Open the deal' }).click();
    await page.getByRole('radio', { name: '4 of 5 stars' }).check();
    await page.getByLabel('Your review').fill(`Fast and careful. ${NAUGHTY}`);
    await judge(ann, 'deals-review');
    await page.getByRole('button', { name: 'Send review' }).click();
    await page.getByText(`Fast and careful. ${NAUGHTY}`).waitFor();
    await page.getByRole('button', { name: 'Send review' }).waitFor({ state: 'detached' });
    await open(bob.page, 'deals');
    await bob.page.getByRole('button', { name: 'Completed' }).click();
    await bob.page.getByRole('link', { name: 'Open the deal' }).click();
    await bob.page.locator('details#deal').getByText(`@${ANN}:`).waitFor();
    await open(bob.page, 'deals');
    await bob.page.getByRole('button', { name: 'In dispute' }).click();
    await bob.page.getByText('No deals with this status.').waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('an agent is let to answer, and says why it answered so when it is asked', async () => {
    other = await begin(cid, CID, ANN, 'Do you need a banner?');
    const { page } = ann;
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/why/') && asked.push(request.url()));
    await open(page, `conversations/${other}`);
    await page.locator('summary', { hasText: 'Let my agent reply' }).click();
    await page.getByLabel('Instruction (optional)').fill('Which size is it?');
    await page.getByRole('button', { name: 'Let my agent reply' }).click();
    await page.getByText('Your agent replied.').waitFor();
    expect(asked).toEqual([]);
    await page.getByText('Written by your agent').waitFor();
    // What a person writes says nothing of a turn, and a turn nothing to the other side.
    await open(cid.page, `conversations/${other}`);
    await cid.page.locator('.said.other').waitFor();
    expect(await cid.page.getByText('Written by your agent').count()).toBe(0);
    expect(await cid.page.getByRole('button', { name: /^Why\?/ }).count()).toBe(0);
    await page.getByRole('button', { name: /^Why\?/ }).click();
    await page.getByText('Distance to your limit').waitFor();
    await page.getByText('Pays at most').waitFor();
    // What was opened at the end of the talk is seen.
    await page.waitForFunction(() => {
      const box = document.querySelector('.said-box')?.getBoundingClientRect();
      const reasons = document.querySelector('.reasons')?.getBoundingClientRect();
      return box && reasons && reasons.top >= box.top - 1 && reasons.top < box.bottom - 60;
    });
    expect(asked).toHaveLength(1);
    await judge(ann, 'thread-why');
    expect(ann.complaints).toEqual([]);
    // Where a model was asked, what it was asked, what it answered and what that cost stands beside it.
    await page.route('**/why/**', async (route) => {
      const answer = await route.fetch();
      const of = { model: 'small-1', prompt: `Answer this. ${NAUGHTY}`, answer: '{"action":"say"}', cost_cents: 3 };
      const why = await answer.json();
      const inputs = { ...why.inputs, model_outcome: 'names_no_price' };
      await route.fulfill({ response: answer, json: { ...why, ...of, inputs } });
    });
    await page.reload();
    await page.getByRole('button', { name: /^Why\?/ }).click();
    await page.getByText('small-1').waitFor();
    await page.getByText('$0.03, rounded up').waitFor();
    await page.getByText('not used: it did not name an amount').waitFor();
    await page.getByText('Prompt to the model').click();
    await page.getByText(`Answer this. ${NAUGHTY}`).waitFor();
    await page.getByText('Answer of the model').click();
    await page.getByText('{"action":"say"}').waitFor();
    await judge(ann, 'thread-why-model');
    await page.unroute('**/why/**');
    await page.locator('summary', { hasText: 'Let my agent reply' }).click();
    await page.getByRole('button', { name: 'Let my agent reply' }).click();
    await page.getByText('It is the other side’s turn.').waitFor();
    // The refusal stands in the browser's own record.
    ann.complaints.length = 0;
  });

  test('in the conversation an amount is proposed, and who pays is asked where nothing says it', async () => {
    const { page } = cid;
    await open(page, `conversations/${other}`);
    await page.locator('summary', { hasText: 'Propose an amount' }).click();
    await page.getByLabel('Amount in dollars').fill('300');
    await page.getByLabel('Description').fill('A second logo');
    await page.getByRole('button', { name: 'Send the proposal' }).click();
    await page.getByText('Choose who pays.').waitFor();
    cid.complaints.length = 0;
    await judge(cid, 'thread-side');
    await page.getByLabel('Your role').selectOption('I get paid');
    await page.getByRole('button', { name: 'Send the proposal' }).click();
    await page.getByText(`You approved this. Waiting for @${ANN}.`).waitFor();
    await page.getByText('Proposed: $300.00.').waitFor();
    expect(await page.getByRole('button', { name: /^Why\?/ }).count()).toBe(0);
    expect(cid.complaints).toEqual([]);
    await open(ann.page, `conversations/${other}`);
    const card = ann.page.getByRole('article', { name: `@${CID} asks $300.00` });
    await card.getByText('A second logo').waitFor();
    await judge(ann, 'thread-standing');
    await approve(card);
    await ann.page.getByText('The escrow is open: $300.00 is held until you release it.').waitFor();
    await judge(ann, 'thread-made');
    expect([ann.complaints, cid.complaints]).toEqual([[], []]);
  });

  test('one that is let go in its conversation is sent, and nothing is said to have taken its place', async () => {
    const { page } = ann;
    const talk = await begin(ann, ANN, CID, 'A flyer?');
    const path = `/api/conversations/${talk}`;
    const { api_key } = await anns('POST', '/api/developer/keys', {
      name: 'flyers',
      scopes: ['conversations:read', 'conversations:write'],
      agent_handle: ANN,
    });
    const put = await fetch(`${server.url}${path}/propose`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount_cents: 46_000, side: 'buyer' }),
    });
    expect((await put.json()).status).toBe('withheld');
    await open(page, `conversations/${talk}`);
    const card = page.getByRole('article', { name: `Your agent offers $460.00 to @${CID}` });
    await card.getByText('Not sent yet').waitFor();
    const pulled = page.waitForResponse((response) => response.url().includes('/api/proposals?'));
    await approve(card);
    await card.getByText(`You approved this. Waiting for @${CID}.`).waitFor();
    await pulled;
    await page.getByText(`Sent: $460.00. Now @${CID} has to approve it.`).waitFor();
    // What it was before that is nothing that was asked before.
    expect(await card.getByText('Previous amount: $460.00').count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });

  test('a deal that nobody has paid for is taken back after a second question', async () => {
    const as = (visitor: Visitor, agent: string, path: string, body: unknown) =>
      call(visitor, { method: 'POST', path, agent, body });
    const path = `/api/conversations/${await begin(cid, CID, BOB, 'A poster?')}`;
    await as(bob, BOB, `${path}/propose`, { amount_cents: 7_000, side: 'seller' });
    expect(await as(cid, CID, `${path}/approve`, {})).toMatchObject({ escrow_id: null, unpaid: 'payment_required' });
    const { page } = cid;
    await open(page, 'deals');
    await page.getByRole('listitem').filter({ hasText: '$70.00' }).getByRole('link', { name: 'Open the deal' }).click();
    await page.getByRole('heading', { name: 'Your wallet is $70.00 short: add money, then pay' }).waitFor();
    await judge(cid, 'deals-short');
    await page.getByRole('button', { name: 'Cancel the deal' }).click();
    await page.getByRole('group').getByRole('button', { name: 'Cancel the deal' }).click();
    await page.locator('details#deal').getByText('Cancelled').waitFor();
    expect(await page.getByRole('button', { name: /^(Pay into escrow|Cancel the deal)$/ }).count()).toBe(0);
    expect(cid.complaints).toEqual([]);
  });
});
