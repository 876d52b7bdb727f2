// Gross, fee and net in the web app: one deal from its proposal to the wallets, and one subscription, with the same figures on each page,
// as who pays reads them and as who is paid does.
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { hasBrowser, seen, type Visitor } from '../support/browser.ts';
import { begin, call, dealer } from '../support/dealer.ts';
import { judgeLooks } from '../support/looks.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_counts';
const BOB = 'bob_counts';
const NAMES = {
  buyer: ['You pay', 'Fee included', 'The seller gets'],
  seller: ['The buyer pays', 'Fee', 'You get'],
} as const;
type Three = readonly [gross: string, fee: string, net: string];

/** Each part bears a fee that is rounded down by itself. */
const PARTS = [
  { title: 'Draft', amount_cents: 15_010 },
  { title: 'Final files', amount_cents: 29_990 },
];
const PAYS: Three = ['$450.00', '$22.49', '$427.51'];
const GETS: Three = ['$450.00', '-$22.49', '$427.51'];

/** Waits until these lines stand there. */
function reads(within: Locator, side: keyof typeof NAMES, sums: Three): Promise<string[]> {
  const wanted = NAMES[side].map((name, n) => `${name}${sums[n]}`);
  return seen(
    () => within.locator('dl > div').allTextContents(),
    (shown) => wanted.every((line) => shown.includes(line)),
  );
}

/** Waits until the cells of a row hold these. */
function holds(row: Locator, cells: readonly string[]): Promise<string[]> {
  return seen(
    () => row.getByRole('cell').allTextContents(),
    (shown) => cells.every((cell) => shown.includes(cell)),
  );
}

describe.skipIf(!hasBrowser)('gross, fee and net in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;
  let bob: Visitor;
  let id: string;

  const anns = (path: string, body: unknown) => call(ann, { method: 'POST', path, agent: ANN, body });
  const bobs = (path: string, body: unknown) => call(bob, { method: 'POST', path, agent: BOB, body });
  const open = ({ page }: Visitor, path: string) => page.goto(`${server.url}/app/${path}`);
  const main = ({ page }: Visitor): Locator => page.getByRole('main');
  const part = ({ page }: Visitor, title: string): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: title }) });
  const row = ({ page }: Visitor, text: string): Locator => page.getByRole('row').filter({ hasText: text });

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550141');
    bob = await dealer(server, browser, BOB, '+14155550142');
    const { checkout_url } = await anns('/api/wallet/fund', { amount_cents: 100_000 });
    const form = new URLSearchParams({ decision: 'pay' });
    await fetch(String(checkout_url), { method: 'POST', body: form, redirect: 'manual' });
    id = await begin(ann, ANN, BOB, 'A logo?');
  });

  test('a proposal says them before its yes, in the dialog too, and the form says what is taken', async () => {
    await bobs(`/api/conversations/${id}/propose`, { amount_cents: 45_000, milestones: PARTS, side: 'seller' });
    await open(bob, `conversations/${id}`);
    await reads(bob.page.getByRole('article'), 'seller', GETS);
    await bob.page.locator('summary', { hasText: 'Propose an amount' }).click();
    await bob.page.getByText('depends on the seller’s plan: 5% on Free and 3% on Pro.').waitFor();
    await open(ann, 'approvals');
    await reads(ann.page.getByRole('article'), 'buyer', PAYS);
    await judgeLooks(ann, 'sums-approval');
    await ann.page.getByRole('button', { name: 'Approve' }).click();
    const sure = ann.page.getByRole('dialog', { name: /^Approve\?/ });
    expect(await reads(sure, 'buyer', PAYS)).toContain(`To@${BOB}`);
    await sure.getByRole('button', { name: 'Approve' }).click();
    await ann.page.getByText('The escrow is open').waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('so do the deal, the escrow with its parts, the list of escrows, and what pays a part', async () => {
    for (const [who, side, sums] of [
      [ann, 'buyer', PAYS],
      [bob, 'seller', GETS],
    ] as const) {
      await open(who, 'deals');
      await reads(who.page.locator('li.deal'), side, sums);
      await judgeLooks(who, `sums-deal-${side}`);
      await open(who, 'escrows');
      await holds(who.page.getByRole('row').last(), PAYS);
      await who.page.getByRole('row').last().getByRole('link').first().click();
      await reads(main(who), side, sums);
      await reads(part(who, 'Draft'), side, ['$150.10', side === 'buyer' ? '$7.50' : '-$7.50', '$142.60']);
      await judgeLooks(who, `sums-escrow-${side}`);
    }
    for (const [title, sums] of [
      ['Draft', ['$150.10', '$7.50', '$142.60']],
      ['Final files', ['$299.90', '$14.99', '$284.91']],
    ] as const) {
      await part(ann, title).getByRole('button', { name: 'Release the money' }).click();
      const sure = ann.page.getByRole('dialog');
      expect(await reads(sure, 'buyer', sums)).toContain(`To@${BOB}`);
      await sure.getByRole('button', { name: 'Release the money' }).click();
      await ann.page.getByText(`Released: ${title}`).waitFor();
    }
    await reads(main(bob), 'seller', GETS);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('the wallets say them line by line, and what is only held bears none', async () => {
    await open(bob, 'wallet');
    const draft = row(bob, '+$142.60');
    await reads(draft, 'seller', ['$150.10', '-$7.50', '$142.60']);
    await reads(row(bob, '+$284.91'), 'seller', ['$299.90', '-$14.99', '$284.91']);
    await judgeLooks(bob, 'sums-wallet');
    await open(ann, 'wallet');
    await row(ann, 'Paid into escrow').getByText('-$450.00').waitFor();
    expect(await row(ann, 'Paid into escrow').locator('dl').count()).toBe(0);
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('a subscription says them with each charge, and is one line of the payer’s wallet', async () => {
    const { id: subscription } = await anns('/api/subscriptions', {
      ...{ seller_handle: BOB, amount_cents: 4_000, interval: 'weekly' },
    });
    for (const [who, side, sums, moved] of [
      [ann, 'buyer', ['$40.00', '$2.00', '$38.00'], '-$40.00'],
      [bob, 'seller', ['$40.00', '-$2.00', '$38.00'], '+$38.00'],
    ] as const) {
      await open(who, 'subscriptions');
      await holds(who.page.getByRole('row').last(), ['$40.00', '$2.00', '$38.00', 'week']);
      await open(who, `subscriptions/${subscription}`);
      await reads(main(who), side, sums);
      await holds(who.page.getByRole('row').last(), sums);
      await judgeLooks(who, `sums-subscription-${side}`);
      await open(who, 'wallet');
      const paid = row(who, 'Subscription');
      await reads(paid, side, sums);
      await holds(paid, [moved]);
      expect(await paid.count()).toBe(1);
    }
    await open(bob, 'notifications');
    await bob.page.getByText('The seller gets: $38.00').waitFor();
    expect([ann.complaints, bob.complaints]).toEqual([[], []]);
  });

  test('the page of the plan names the fees of each', async () => {
    await open(ann, 'billing');
    const plans = ann.page.getByRole('table', { name: 'Plans and fees' });
    await holds(plans.getByRole('row').nth(1), ['Free', '$0.00', '5%', '5%']);
    await holds(plans.getByRole('row').nth(2), ['Pro', '$29.00', '3%', '3%']);
    await judgeLooks(ann, 'sums-plan');
    expect(ann.complaints).toEqual([]);
  });
});
