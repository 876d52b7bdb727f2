// Withdrawals through two nodes at once: what one wallet covers, what a proof limits, what one key names, and one follower a payout.

import { describe, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { putFunds } from '../support/funds.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedNodes } from '../support/opened.ts';
import { connectPayee } from '../support/payee.ts';
import { sharedPostgres } from '../support/postgres.ts';
import type { TestAnswer, TestService } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const server = await sharedPostgres();
const ROUNDS = 6;

describe.skipIf(server === null)('two nodes', () => {
  const [one, other] = sharedNodes(server);
  let agents = 0;

  async function richAgent(cents: number): Promise<TestAgent> {
    agents += 1;
    const agent = await newAgent(one, { handle: `twice${agents}`, verified: true });
    await fundWallet(one, agent.id, cents);
    await connectPayee(one, agent);
    return agent;
  }

  const withdraw = (t: TestService, agent: TestAgent, body: object): Promise<TestAnswer> =>
    t.call('POST', '/api/wallet/withdraw', { token: agent.token, agent: agent.handle, body });
  const onBoth = (agent: TestAgent, body: object): Promise<TestAnswer[]> =>
    Promise.all([one, other, one, other].map((t) => withdraw(t, agent, body)));
  const statuses = (answers: readonly TestAnswer[]): number[] => answers.map(({ status }) => status).toSorted();

  test('leave what a card paid in lately', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const agent = await richAgent(2_000);
      await putFunds(one, agent.id, 6_000, 7 * DAY_MS);
      expect(statuses(await onBoth(agent, { amount_cents: 2_000 }))).toEqual([201, 402, 402, 402]);
      expect(await balanceOf(one, `wallet:${agent.id}`)).toBe(6_000);
    }
  });

  test('let no more through without a stronger proof than may be', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const agent = await richAgent(200_000);
      await one.service.world.store.turn({
        attempt: async (read) => {
          const row = await read(agentById, { id: agent.id });
          return { reply: null, effects: row ? [patch('agents', row, { credentials: ['github'] })] : [] };
        },
      });
      expect(statuses(await onBoth(agent, { amount_cents: 20_000 }))).toEqual([201, 201, 403, 403]);
    }
  });

  test('take one key for one withdrawal, which arrives once', async () => {
    const agent = await richAgent(9_000);
    const answers = await onBoth(agent, { amount_cents: 2_000, idempotency_key: 'one' });
    expect(statuses(answers)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.payout_id)).size).toBe(1);
    expect(await balanceOf(other, `wallet:${agent.id}`)).toBe(7_000);
    await one.advance(3 * DAY_MS);
    expect(await eventsOf(one, agent, 'payment.succeeded')).toHaveLength(1);
  });
});
