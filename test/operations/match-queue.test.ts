// Whose matching is done first: the queued runs of a plan that goes first are, nobody else waits for ever, and between pairs
// that are level such a counterpart is preferred, but never to a better one.
import { beforeEach, expect, test } from 'bun:test';
import { pairsOfListing } from '../../db/queries/match.ts';
import { MATCHES_BEST } from '../../src/domain/match/rank.ts';
import { WorkQueue } from '../../src/matching/work-queue.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';

test('what goes first does so, and of five one is always of the others', async () => {
  const queue = new WorkQueue();
  const done: string[] = [];
  const add = (name: string, first: boolean): Promise<void> =>
    queue.run(
      'account',
      async () => {
        done.push(name);
      },
      first,
    );
  const others = Array.from({ length: 3 }, (_, n) => add(`other ${n}`, false));
  const firsts = Array.from({ length: 10 }, (_, n) => add(`first ${n}`, true));
  await Promise.all([...others, ...firsts]);
  expect(done).toEqual([
    ...['first 0', 'first 1', 'first 2', 'first 3', 'other 0'],
    ...['first 4', 'first 5', 'first 6', 'first 7', 'other 1'],
    ...['first 8', 'first 9', 'other 2'],
  ]);
});

test('work that fails is told to whoever asked for it, and the next one is done', async () => {
  const queue = new WorkQueue();
  const failed = queue.run('one', () => Promise.reject(new Error('broken')));
  const next = queue.run('one', async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

const t = freshService();
let seeker: TestAgent;
beforeEach(async () => {
  seeker = await newAgent(t, { handle: 'seeker', verified: true, pro: true });
});

const offer = (price_cents: number): object => ({
  card_type: 'selling',
  headline: 'Logo design in two days',
  description: 'We draw friendly logos for small shops.',
  labels: ['logo-design', 'branding'],
  price_cents,
});
const SEEK = {
  card_type: 'buying',
  headline: 'A logo for my shop',
  description: 'I want a friendly logo for a small shop.',
  labels: ['logo-design'],
  budget_cents: 100_000,
};

test('a plan that goes first wins where scores are level, and never against a higher one', async () => {
  const make = (handle: string, pro: boolean): Promise<TestAgent> => newAgent(t, { handle, verified: true, pro });
  // Level with those that pay, and by their handles before them.
  const level = await make('a_level', false);
  const better = await make('z_better', false);
  const paying = await Promise.all(['m_one', 'm_two', 'm_three'].map((handle) => make(handle, true)));
  await publish(t, level, offer(90_000));
  await publish(t, better, offer(40_000));
  for (const agent of paying) {
    for (let n = 0; n < MATCHES_BEST / paying.length; n += 1) await publish(t, agent, offer(90_000));
  }
  const listing_id = await publish(t, seeker, SEEK);
  const rows = await t.service.world.store.read(pairsOfListing, { listing_id, limit: 100 });
  const best = rows.filter(({ seek_best }) => seek_best === 1);
  const whose = best.map(({ offer_agent_id }) => offer_agent_id);
  expect(whose).toHaveLength(MATCHES_BEST);
  expect(new Set(best.map(({ score_ppm }) => score_ppm)).size).toBe(2);
  expect(whose).toContain(better.id);
  expect(whose).not.toContain(level.id);
  // It is matched all the same, since it has places free itself.
  expect(rows.find(({ offer_agent_id }) => offer_agent_id === level.id)).toMatchObject({ status: 'pending' });
});
