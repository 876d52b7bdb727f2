// What operators watch of money that is not settled: escrows, debts, webhooks that are off.
import { expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { readOutstanding } from '../../src/steps/outstanding.ts';
import { newBuyer, newSeller, open } from '../support/escrow.ts';
import { sharedService } from '../support/opened.ts';

const t = sharedService();

test('held escrows, open debts and webhooks that are off are counted, and no longer once they end', async () => {
  const [buyer, seller] = [await newBuyer(t), await newSeller(t)];
  const { store, id, clock } = t.service.world;
  const figures = () => readOutstanding(store.read);
  const nothing = { n: 0, cents: 0 };
  expect(await figures()).toEqual({ escrows: nothing, receivables: nothing, webhooks_off: 0 });
  const escrow = await open(t, buyer, seller, [1_000, 500]);
  const ended = await open(t, buyer, seller, [700]);
  const release = (of: string, milestone_index: number) =>
    t.call('POST', `/api/wallet/escrow/${of}/release`, { key: buyer.pays, body: { milestone_index } });
  expect((await release(ended.id, 0)).status).toBe(200);
  expect((await release(escrow.id, 1)).status).toBe(200);
  const now_ms = clock.now();
  const debt = { account_id: id(), agent_id: buyer.id, funding_id: id(), created_at: now_ms };
  const hook = { agent_id: seller.id, kind: 'developer' as const, url: 'https://x.test', events: ['*'], secret: 's' };
  const effects = [
    insert('receivables', { id: id(), ...debt, amount_cents: 900, repaid_cents: 250, status: 'open' }),
    insert('receivables', { id: id(), ...debt, amount_cents: 700, repaid_cents: 700, status: 'repaid' }),
    insert('webhooks', { id: id(), ...hook, active: 0, created_at: now_ms }),
    insert('webhooks', { id: id(), ...hook, created_at: now_ms }),
  ];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
  expect(await figures()).toEqual({
    escrows: { n: 1, cents: 1_000 },
    receivables: { n: 1, cents: 650 },
    webhooks_off: 1,
  });
});
