// Two nodes on one database, at both of which somebody buys from the same seller for the first time at the same moment.
import { describe, expect, test } from 'bun:test';
import { newAgent } from '../support/agents.ts';
import { publish } from '../support/matches.ts';
import { sharedNodes } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { keyWith } from '../support/scene.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const server = await sharedPostgres();
const ROUNDS = 5;

describe.skipIf(server === null)('first purchases on two nodes', () => {
  const [one, other] = sharedNodes(server);

  test('share one conversation, each with an escrow of its own', async () => {
    const buyer = await newAgent(one, { handle: 'twice_buyer', verified: true, pro: true });
    await fundWallet(one, buyer.id, 100_000);
    const key = await keyWith(one, buyer.email, ['payments:write']);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const seller = await newAgent(one, { handle: `twice_seller_${round}`, verified: true });
      await publish(one, seller, { card_type: 'selling', headline: 'Rope', labels: ['rope'], price_cents: 1_000 });
      const bought = await Promise.all(
        [one, other].map((node) =>
          node.call('POST', `/api/services/${seller.handle}/rope/checkout`, { key, body: { tier_id: 'listed' } }),
        ),
      );
      expect(bought.map(({ status }) => status)).toEqual([200, 200]);
      const [first, second] = bought.map(({ body }) => body);
      expect(first.conversation_id).toBe(second.conversation_id);
      expect(first.escrow_id).not.toBe(second.escrow_id);
    }
    expect(await balanceOf(one, `wallet:${buyer.id}`)).toBe(100_000 - ROUNDS * 2_000);
  });
});
