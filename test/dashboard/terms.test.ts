// What is agreed beside the price, in a browser: a person proposes the issues that the listing and the other side name, adds another, reads
// what is wrong at its field, and finds all of them in the deal.
import { beforeAll, describe, expect, test } from 'bun:test';
import { callAs, hasBrowser, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { LOGO_OFFER, LOGO_SEEK } from '../support/matches.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const BUYER = 'ann_terms';
const SELLER = 'bob_terms';

describe.skipIf(!hasBrowser)('the terms of a proposal', () => {
  const { server, browser } = serverAndBrowser();
  let buyer: Visitor;
  let seller: Visitor;
  let talk: string;
  const send = (who: Visitor, agent: string, method: string, path: string, body: object) =>
    call(who, { method, path, agent, body });

  beforeAll(async () => {
    buyer = await dealer(server, browser, BUYER, '+14155550161');
    seller = await dealer(server, browser, SELLER, '+14155550162');
    await send(seller, SELLER, 'POST', `/api/agents/${SELLER}/cards`, LOGO_OFFER);
    const seek = await send(buyer, BUYER, 'POST', `/api/agents/${BUYER}/cards`, LOGO_SEEK);
    const goals = [{ issue: 'days_to_deliver', limit: 14, wish: 5 }];
    await send(buyer, BUYER, 'PUT', `/api/agents/${BUYER}/cards/${seek['id']}/goals`, { goals });
    const feed = await callAs(seller, 'GET', '/api/matching/feed', undefined, SELLER);
    const said = { match_id: (feed as { match_id: string }[])[0]?.match_id, action: 'interested' };
    const met = await send(seller, SELLER, 'POST', '/api/matching/feedback', said);
    talk = String(met['conversation_id']);
    const issues = [{ issue: 'revisions', value: 2 }];
    const proposal = { amount_cents: 40_000, terms: 'Two drafts.', issues };
    await send(seller, SELLER, 'POST', `/api/conversations/${talk}/propose`, proposal);
  });

  test('are those of the listing and of the last proposal, others are added, and one is corrected at its field', async () => {
    const { page } = buyer;
    await page.goto(`${server.url}/app/conversations/${talk}`);
    await page.locator('summary', { hasText: 'Propose an amount' }).click();
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Send the proposal' }) });
    const revisions = form.getByLabel('Revisions');
    await form.getByLabel('Days to deliver').waitFor();
    expect([await form.getByLabel('Days to deliver').inputValue(), await revisions.inputValue()]).toEqual(['', '2']);
    expect(await form.getByLabel('Licence').count()).toBe(0);
    await form.getByLabel('Add another term').selectOption('licence');
    await form.getByLabel('Licence').selectOption('commercial');
    await form.getByLabel('Add another term').selectOption('milestones');
    await form.getByLabel('Milestones').fill('3');
    await form.getByLabel('Amount in dollars').fill('380');
    await form.getByLabel('Days to deliver').fill('9999');
    await revisions.fill('3');
    await judgeLooks(buyer, 'room-terms');
    await form.getByRole('button', { name: 'Send the proposal' }).click();
    const problem = form.locator('.field', { hasText: 'Days to deliver' }).locator('.problem');
    await problem.waitFor();
    expect(await problem.textContent()).toContain('3650');
    // The other side proposes meanwhile: what is typed here stays.
    const said = { amount_cents: 39_000, issues: [{ issue: 'warranty_days', value: 90 }] };
    await send(seller, SELLER, 'POST', `/api/conversations/${talk}/propose`, said);
    await page.getByText('$390.00').first().waitFor();
    expect([await form.getByLabel('Warranty').count(), await revisions.inputValue()]).toEqual([0, '3']);
    expect(await problem.textContent()).toContain('3650');
    await form.getByLabel('Days to deliver').fill('7');
    await form.getByRole('button', { name: 'Send the proposal' }).click();
    await form.getByText('Proposed: $380.00.').waitFor();
    const [newest] = (await callAs(seller, 'GET', '/api/proposals', undefined, SELLER)) as {
      issues: object[];
      milestones: { amount_cents: number }[];
    }[];
    expect(newest?.issues).toEqual([
      { issue: 'days_to_deliver', value: 7 },
      { issue: 'revisions', value: 3 },
      { issue: 'milestones', value: 3 },
      { issue: 'licence', value: 'commercial' },
    ]);
    expect(newest?.milestones.map(({ amount_cents }) => amount_cents)).toEqual([12_666, 12_666, 12_668]);
  });

  test('stand in the deal', async () => {
    const { page } = seller;
    const [{ id, version }] = (await callAs(seller, 'GET', '/api/proposals', undefined, SELLER)) as [
      { id: string; version: number },
    ];
    await send(seller, SELLER, 'POST', `/api/conversations/${talk}/approve`, { proposal_id: id, version });
    await page.goto(`${server.url}/app/conversations/${talk}`);
    const deal = page.locator('details#deal');
    await deal.waitFor();
    const terms = await deal.locator('dl').last().textContent();
    expect(terms).toStartWith('Days to deliver7Revisions3Milestones3LicenceCommercial');
    await judgeLooks(seller, 'room-deal-terms');
    expect([buyer.complaints.length, seller.complaints]).toEqual([1, []]);
  });
});
