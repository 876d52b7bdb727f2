// Final acts in the web app: each is asked for in the one dialog before anything is called, and a card of the home page offers nothing
// that cannot be done there, whatever its event asks.
import { beforeAll, describe, expect, test } from 'bun:test';
import { FINAL } from '../../src/dashboard/final.ts';
import { actionsOf, EVENT_KINDS, type EventKind } from '../../src/domain/inbox/event.ts';
import { registry } from '../../src/operations/registry.ts';
import { hasBrowser, seen, type Visitor } from '../support/browser.ts';
import { call, dealer } from '../support/dealer.ts';
import { serverAndBrowser } from '../support/server-and-browser.ts';

const ANN = 'ann_acts';
const BOB = 'bob_acts';
const EVENT_ID = '0199d3a2-7c41-7d3e-8a04-5f0c1d2e3a04';
const OTHER_ID = '0199d3a2-7c41-7d3e-8a04-5f0c1d2e3a05';

/** Ids and facts that events of all kinds carry. */
const DATA = {
  ...{ match_id: OTHER_ID, conversation_id: OTHER_ID, escrow_id: OTHER_ID, request_id: OTHER_ID, listing_id: OTHER_ID },
  ...{ counterparty_handle: BOB, amount_cents: 9_000, budget_cents: 9_000, headline: 'Sails' },
};
/** What makes an escalation ask for one thing or another. */
const VARIANTS: Partial<Record<EventKind, readonly object[]>> = {
  'negotiation.proposed': [{ proposal_id: OTHER_ID }],
  'negotiation.escalated': [
    { proposal_id: OTHER_ID },
    { action_id: OTHER_ID, operation: 'wallet.send', bound: 'policy' },
    { bound: 'policy' },
  ],
};
const CASES = EVENT_KINDS.flatMap((kind) =>
  (VARIANTS[kind] ?? [{}]).map((more) => ({ kind, data: { ...DATA, ...more } })),
);

test('every operation of the app that destroys something is final, or is asked for by a form of its own', () => {
  const asksByForm = ['inbox.respond', 'key.renew', 'match.feedback', 'review.decide', 'session.end'];
  const destroys = registry()
    .filter(({ effect }) => effect === 'destroys')
    .map(({ name }) => name as string);
  const sources = new Bun.Glob('src/dashboard/**/*.tsx');
  const used = [...sources.scanSync('.')].map((path) => Bun.file(path).text());
  return Promise.all(used).then((texts) => {
    const called = destroys.filter((name) => texts.some((text) => text.includes(`useAct('${name}'`)));
    expect(called.filter((name) => !(FINAL as readonly string[]).includes(name)).sort()).toEqual(
      asksByForm.filter((name) => called.includes(name)),
    );
  });
});

describe.skipIf(!hasBrowser)('final acts in the web app', () => {
  const { server, browser } = serverAndBrowser();
  let ann: Visitor;

  beforeAll(async () => {
    ann = await dealer(server, browser, ANN, '+14155550191');
  });

  /** What is answered with; the service itself is not asked. */
  async function answering(): Promise<Record<string, unknown>[]> {
    const answers: Record<string, unknown>[] = [];
    await ann.page.route('**/respond', async (route) => {
      answers.push(route.request().postDataJSON());
      await route.fulfill({ json: {} });
    });
    return answers;
  }

  const eventOf = ({ kind, data }: (typeof CASES)[number], n: number) => {
    const id = `${EVENT_ID.slice(0, -2)}${String(n).padStart(2, '0')}`;
    // Home shows one card for each conversation.
    const own = { ...data, conversation_id: id };
    const plain = { id, seq: n + 1, kind, handle: ANN, data: own, read: true, answered: null, respond_by: null };
    const actions = actionsOf({ ...plain, respond_by_ms: null });
    return { ...plain, created_at: '2026-06-15T12:00:00.000Z', actions };
  };

  test('a card of each kind offers what can be done there, and leads to the rest', async () => {
    const { page } = ann;
    const events = CASES.map(eventOf);
    await page.route('**/api/inbox/recent?**', (route) => route.fulfill({ json: events }));
    const answers = await answering();
    await page.goto(`${server.url}/app`);
    const cards = page.getByRole('list', { name: 'Needs your decision' }).getByRole('article');
    await cards.first().waitFor();
    // Proposals, and what programs asked for, are read by themselves.
    expect(await cards.count()).toBe(
      events.filter(({ kind }) => !/^negotiation\.(proposed|escalated)$/.test(kind)).length,
    );
    const places = new Set<string>();
    for (const link of await cards.getByRole('link').all()) places.add(String(await link.getAttribute('href')));
    // Nothing that moves money, or takes words, is done from a card without a question: accepting a settlement asks first.
    const buttons = await cards.getByRole('button').allTextContents();
    expect(buttons.map((text) => text.trim()).sort()).toEqual(['Accept settlement', 'Pass', 'Reject settlement']);
    await cards.getByRole('button', { name: 'Accept settlement' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    expect(answers).toEqual([]);
    expect(await cards.filter({ hasNot: page.getByRole('link') }).count()).toBe(0);
    await cards.getByRole('button', { name: 'Pass' }).click();
    const given = await seen(
      async () => answers.pop(),
      (answer) => answer !== undefined,
    );
    expect(given?.['action']).toBe('pass');
    for (const place of places) {
      await page.goto(`${server.url}${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([place, await page.getByText('Nothing is here').count()]).toEqual([place, 0]);
    }
    await page.unroute('**/api/inbox/recent?**');
    await page.unroute('**/respond');
    ann.complaints.length = 0;
  });

  test('conceding is asked for with the amount, who gets it and what ends, and nothing moves before the yes', async () => {
    const bob = await dealer(server, browser, BOB, '+14155550192');
    const anns = (path: string, body: unknown) => call(ann, { method: 'POST', path, agent: ANN, body });
    const { checkout_url } = await anns('/api/wallet/fund', { amount_cents: 20_000 });
    await fetch(String(checkout_url), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'pay' }),
      redirect: 'manual',
    });
    const milestones = [{ title: 'Sails', amount_cents: 9_000 }];
    const { id } = await anns('/api/wallet/escrow', { seller_handle: BOB, title: 'Sails', milestones });
    await anns(`/api/wallet/escrow/${id}/dispute`, { reason: 'Nothing came.' });
    const { page } = bob;
    await page.goto(`${server.url}/app`);
    const disputed = page.getByRole('article').filter({ hasText: 'Answer a dispute' });
    await disputed.getByText('$90.00').waitFor();
    expect(await disputed.getByRole('button').count()).toBe(0);
    await disputed.getByRole('link', { name: 'Answer the dispute' }).click();
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/concede') && asked.push(request.url()));
    const button = page.getByRole('button', { name: 'Concede', exact: true });
    await button.click();
    const sure = page.getByRole('dialog', { name: /^Concede\? .* This ends the escrow\.$/ });
    await sure.getByText('$90.00').waitFor();
    await sure.getByText(`@${ANN}`).waitFor();
    await sure.getByRole('button', { name: 'Not now' }).click();
    await sure.waitFor({ state: 'detached' });
    // Whoever leaves it by the keyboard is back at the button.
    await button.click();
    await sure.waitFor();
    await page.keyboard.press('Escape');
    await sure.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Concede');
    expect(asked).toEqual([]);
    await button.click();
    await sure.getByRole('button', { name: 'Concede' }).click();
    await page.getByText('Refunded').first().waitFor();
    expect(asked).toHaveLength(1);
    expect(bob.complaints).toEqual([]);
  });
});
