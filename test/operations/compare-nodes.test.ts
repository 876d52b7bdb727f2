// Two nodes on one database while an agent compares: both run its decision at once, a person answers on one while the agent decides on the
// other, and a conversation ends in the moment in which a proposal is put. One deal at most, and no proposal stays open where nothing can be
// answered.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import { comparedIn, dealsOf, openMarket, personOf, proposeIn } from '../support/market.ts';
import { often } from '../support/nightly.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import type { TestService } from '../support/testbed.ts';

const server = await sharedPostgres();
const MINUTE_MS = 60_000;
const ROUNDS = often(2, 8);
const THREE = [{}, {}, {}];

describe.skipIf(server === null)('two nodes that compare', () => {
  let nodes: readonly [TestService, TestService];
  beforeAll(async () => {
    if (server) nodes = await openTestNodes(server);
  });
  afterAll(async () => {
    await Promise.all((nodes ?? []).map((t) => t.close()));
  });
  /** Both nodes do what is due, at once. */
  const passOnBoth = async (ms: number): Promise<void> => {
    const [first, second] = nodes;
    await Promise.all([first.advance(ms), second.rest()]);
    await Promise.all([first.rest(), second.rest()]);
  };

  test('make one deal, about the best', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = await openMarket(nodes[0], { sellers: THREE });
      for (const [at, cents] of [30_000, 22_000, 26_000].entries()) await proposeIn(all, at, cents);
      for (let step = 0; step < 3; step += 1) await passOnBoth(30 * MINUTE_MS);
      expect(await dealsOf(all)).toMatchObject([{ amount_cents: 22_000, status: 'funded' }]);
      expect(await comparedIn(all)).toEqual([]);
    }
  }, 120_000);

  test('make one deal where a person chooses another in the moment of the decision', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = await openMarket(nodes[0], { sellers: THREE });
      for (const [at, cents] of [30_000, 22_000, 26_000].entries()) await proposeIn(all, at, cents);
      const path = `/api/conversations/${all.talks[2]}/approve`;
      const choose = () => nodes[1].call('POST', path, { ...personOf(all.buyer), body: {} });
      await nodes[0].advance(HOUR_MS - 5 * MINUTE_MS);
      const [, said] = await Promise.all([passOnBoth(6 * MINUTE_MS), choose()]);
      for (let step = 0; step < 3; step += 1) await passOnBoth(30 * MINUTE_MS);
      const deals = await dealsOf(all);
      // A person may make a deal beside that of the agent; the agent makes none beside the person's.
      const chosen = said.status === 200 && said.body.deal_id !== null;
      expect(deals.length).toBeLessThanOrEqual(chosen ? 2 : 1);
      if (deals.length === 2) expect(deals.at(-1)).toMatchObject({ amount_cents: 22_000 });
      expect(await comparedIn(all)).toEqual([]);
    }
  }, 120_000);

  test('end a conversation or take its new proposal: none stays open in one that has ended', async () => {
    for (let round = 0; round < 2 * ROUNDS; round += 1) {
      const all = await openMarket(nodes[0], { sellers: [{}] });
      const [seller] = all.sellers;
      const [id] = all.talks;
      if (!seller) throw new Error('there is no seller');
      const ends = () => nodes[1].call('POST', `/api/conversations/${id}/close`, { ...personOf(all.buyer), body: {} });
      const puts = () =>
        nodes[0].call('POST', `/api/conversations/${id}/propose`, {
          ...personOf(seller),
          body: { amount_cents: 22_000, terms: 'All.' },
        });
      await Promise.all(round % 2 === 0 ? [ends(), puts()] : [puts(), ends()]);
      const { body: talk } = await nodes[0].call('GET', `/api/conversations/${id}`, { key: all.buyer.key });
      expect(talk.status).toBe('closed');
      const { body } = await nodes[0].call('GET', '/api/proposals', { key: seller.key });
      expect(body.filter(({ status }: { status: string }) => status === 'open')).toEqual([]);
    }
  }, 120_000);
});
