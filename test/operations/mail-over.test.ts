// What came to its end before the letter left is not told of: nobody is asked to decide on a proposal that another took the place of, or to
// pay for a deal that was cancelled or paid.
import { expect, test } from 'bun:test';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const PAUSE_MS = 600_000;

const t = sharedService();
let pairs = 0;

interface Pair {
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
  readonly id: string;
}

const person = ({ token, handle: agent }: TestAgent) => ({ token, agent });
const act = (who: TestAgent, path: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', path, { ...person(who), body });
const propose = ({ seller, id }: Pair, amount_cents: number): Promise<TestAnswer> =>
  act(seller, `/api/conversations/${id}/propose`, { amount_cents, terms: 'A logo', side: 'seller' });
const approve = ({ buyer, id }: Pair): Promise<TestAnswer> => act(buyer, `/api/conversations/${id}/approve`);

/** The letters about events to somebody, one after the other, once the pause after the last one is over. */
async function letters({ email }: TestAgent): Promise<string[]> {
  await t.advance(PAUSE_MS);
  await t.service.dispatcher.idle();
  return t.mails.filter(({ to, unsubscribe }) => to === email && unsubscribe !== undefined).map(({ text }) => text);
}

/** Two in a conversation, and in the pause after a letter to the buyer about a first proposal. */
async function pair(): Promise<Pair> {
  pairs += 1;
  const buyer = await newAgent(t, { handle: `reads_${pairs}`, verified: true, pro: true });
  const seller = await newAgent(t, { handle: `writes_${pairs}`, verified: true, pro: true });
  const id = await startTalk(t, buyer, seller.handle, 'Hello');
  await letters(buyer);
  await propose({ buyer, seller, id }, 10_000);
  await t.advance(0);
  await t.service.dispatcher.idle();
  return { buyer, seller, id };
}

test('a proposal that another took the place of is not asked about, the one that stands is', async () => {
  const talk = await pair();
  await propose(talk, 20_000);
  await propose(talk, 30_000);
  const told = (await letters(talk.buyer)).at(-1) ?? '';
  expect(told).toContain('A proposal of $300.00 needs your answer');
  expect(told).toContain('\nThe buyer pays: $300.00\nThe fee in it: $9.00\nThe seller gets: $291.00\n');
  expect(told).not.toContain('A proposal of $200.00 needs');
  // It was said all the same.
  expect(told).toContain('Proposal: $200.00');
});

test.each([
  ['was cancelled', ({ seller }: Pair, deal_id: string) => act(seller, `/api/deals/${deal_id}/cancel`)],
  [
    'was paid for',
    async ({ buyer, seller }: Pair, deal_id: string) => {
      await fundWallet(t, buyer.id, 10_000);
      const milestones = [{ title: 'A logo', amount_cents: 10_000 }];
      return act(buyer, '/api/wallet/escrow', { seller_handle: seller.handle, milestones, deal_id });
    },
  ],
])('nobody is told to pay for a deal that %s meanwhile', async (_name, end) => {
  const talk = await pair();
  const { deal_id, unpaid } = (await approve(talk)).body;
  expect(unpaid).toBe('payment_required');
  expect((await end(talk, deal_id)).status).toBeLessThan(300);
  expect((await letters(talk.buyer)).join('\n')).not.toContain('has yet to pay');
});

test('a deal that is not paid for is told of, with where it is paid for', async () => {
  const talk = await pair();
  await approve(talk);
  const told = (await letters(talk.buyer)).join('\n');
  expect(told).toContain(`${talk.buyer.handle} has yet to pay $100.00, as agreed with ${talk.seller.handle}`);
  expect(told).toContain('It is paid for under Deals');
});
