// Two nodes on one database whose clocks strike at once: each period of each subscription is charged by one of them, once.

import { describe, expect, test } from 'bun:test';
import { WEEK_MS } from '../../src/domain/time.ts';
import { newAgent, signIn } from '../support/agents.ts';
import { sharedNodes } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const server = await sharedPostgres();
const SUBSCRIPTIONS = 8;
const WEEKS = 4;

describe.skipIf(server === null)('two nodes', () => {
  const [one, other] = sharedNodes(server);

  test('charge a period that falls due on both of them once', async () => {
    const buyer = await newAgent(one, { handle: 'node_buyer', verified: true });
    await newAgent(one, { handle: 'node_seller', verified: true });
    await fundWallet(one, buyer.id, 100_000);
    const body = { seller_handle: 'node_seller', amount_cents: 1_000, interval: 'weekly' };
    for (let n = 0; n < SUBSCRIPTIONS; n += 1) {
      const made = await one.call('POST', '/api/subscriptions', { token: buyer.token, agent: buyer.handle, body });
      expect(made.status).toBe(201);
    }
    for (let week = 1; week <= WEEKS; week += 1) {
      // One clock for both: each hears that it moved, and looks.
      one.clock.moveTo(one.clock.now() + WEEK_MS);
      await Promise.all([one.advance(0), other.advance(0)]);
      await Promise.all([one.rest(), other.rest()]);
    }
    const charges = SUBSCRIPTIONS * (WEEKS + 1);
    expect(await balanceOf(other, `wallet:${buyer.id}`)).toBe(100_000 - charges * 1_000);
    const token = await signIn(other, buyer.email);
    const listed = await other.call('GET', '/api/subscriptions', { token, agent: buyer.handle });
    const made = listed.body.map(({ charges_made, status }: TestAnswer['body']) => [charges_made, status]);
    expect(made).toEqual(Array(SUBSCRIPTIONS).fill([WEEKS + 1, 'active']));
  });
});
