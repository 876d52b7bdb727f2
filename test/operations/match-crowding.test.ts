// One account that publishes or asks far more than others takes nothing from them: neither what a listing's owner is told in
// a day, nor the turns of the engine.

import { expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import { WorkQueue } from '../../src/matching/work-queue.ts';
import { newAgent } from '../support/agents.ts';
import { eventsOf, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = freshService();

test('of the listings of one account an owner is told ten times a day, and of others all the same', async () => {
  const ann = await newAgent(t, { handle: 'ann', verified: true, pro: true });
  const bob = await newAgent(t, { handle: 'bob', verified: true });
  const many = await newAgent(t, { handle: 'many', verified: true, pro: true });
  await publish(t, ann, LOGO_OFFER);
  for (let n = 0; n < 25; n += 1) await publish(t, many, LOGO_SEEK);
  await publish(t, bob, LOGO_SEEK);
  await t.rest();
  const toldOf = async (handle: string): Promise<number> => {
    const events: TestAnswer['body'][] = await eventsOf(t, ann, 'match.created');
    return events.filter(({ data }) => data.counterparty_handle === handle).length;
  };
  expect([await toldOf('many'), await toldOf('bob')]).toEqual([10, 1]);
  expect(await matchesOf(t, ann)).toHaveLength(26);
  await t.advance(DAY_MS);
  await publish(t, many, LOGO_SEEK);
  await t.rest();
  expect(await toldOf('many')).toBe(11);
});

test('accounts take turns at the engine, however often one of them asks', async () => {
  const queue = new WorkQueue();
  const done: string[] = [];
  const ask = (account: string, first = false): Promise<void> =>
    queue.run(account, async () => void done.push(first ? `${account}!` : account), first);
  const asked = [...Array.from({ length: 4 }, () => ask('many')), ask('ann'), ask('bob'), ask('ann')];
  await Promise.all(asked);
  expect(done).toEqual(['many', 'ann', 'bob', 'many', 'ann', 'many', 'many']);
  done.length = 0;
  // Who goes first takes turns as well, and leaves every fifth to the others.
  await Promise.all([...Array.from({ length: 5 }, () => ask('many', true)), ask('pro', true), ask('bob')]);
  expect(done).toEqual(['many!', 'pro!', 'many!', 'many!', 'bob', 'many!', 'many!']);
});
