// The best of a listing: a better pair that comes later takes the weakest one's place, which both sides see and nobody is
// written to about; what a side acted on stays; and what is freed goes to the next best.
import { beforeEach, expect, test } from 'bun:test';
import { MATCHES_BEST } from '../../src/domain/match/rank.ts';
import { MATCH_TTL_MS } from '../../src/domain/match/state.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { edit, eventsOf, feedback, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = freshService();
let ann: TestAgent;
let bob: TestAgent;
let match_id: string;
let ann_listing: string;
let crowd: { agent: TestAgent; id: string }[];
beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true, pro: true });
  bob = await newAgent(t, { handle: 'bob', verified: true, pro: true });
  crowd = [];
  ann_listing = await publish(t, ann, partner('Baking together', ['bread', 'ovens']));
  await publish(t, bob, partner('Milling together', ['bread', 'mills']));
  const [match] = await matchesOf(t, ann);
  await matchesOf(t, bob);
  match_id = match.match_id;
});

const partner = (headline: string, labels: readonly string[]): object => ({
  card_type: 'partnering',
  direction: 'offer',
  headline,
  description: 'We look for a partner.',
  labels,
});

/** As many as hold all places of a listing, each of which fits both better than these fit each other. */
async function fillPlaces(): Promise<void> {
  for (let n = 0; n < 5; n += 1) {
    const agent = await newAgent(t, { handle: `mill_${n}`, verified: true, pro: true });
    for (let k = 0; k * 5 + n < MATCHES_BEST; k += 1) {
      crowd.push({ agent, id: await publish(t, agent, partner(`Bread ${n} ${k}`, ['bread', 'ovens', 'mills'])) });
    }
  }
  await t.rest();
}

async function statusFor(agent: TestAgent): Promise<string> {
  const found = (await matchesOf(t, agent)).find((match: TestAnswer['body']) => match.match_id === match_id);
  return found.status;
}

const toldOf = async (agent: TestAgent): Promise<TestAnswer['body'][]> =>
  (await eventsOf(t, agent, 'match.created')).filter(({ data }) => data.match_id === match_id);

test('better pairs displace the weakest, both sides see it, and no letter tells of it', async () => {
  expect(await statusFor(ann)).toBe('pending');
  await fillPlaces();
  for (const agent of [ann, bob]) {
    expect(await statusFor(agent)).toBe('superseded');
    const [event, ...more] = await toldOf(agent);
    expect(more).toEqual([]);
    expect(event.actions).toEqual([]);
    const { body } = await t.call('GET', '/api/inbox?limit=100', { key: agent.key });
    const about = body.events.filter(({ data }: TestAnswer['body']) => data.match_id === match_id);
    expect(about).toHaveLength(1);
  }
});

test('an answer to a displaced match is refused by either door with the reason and what to do', async () => {
  await fillPlaces();
  const [event] = await toldOf(ann);
  const answers = [
    await feedback(t, ann, match_id, 'interested'),
    await t.call('POST', `/api/inbox/${event.id}/respond`, { key: ann.key, body: { action: 'interested' } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: 'match_closed', status: 'superseded', reason: 'outranked' });
    expect(body.message).toContain('/api/matching/feed');
  }
  const summary = await t.call('POST', `/api/matching/summary/${match_id}`, { key: ann.key });
  expect(summary.body.summary).toContain('Better matches took its place');
  expect(summary.body.next_steps).toEqual([]);
});

test.each([
  ['saved', 'pending'],
  ['interested', 'approved'],
])('a match that a side answered with %s is never displaced', async (action, status) => {
  await feedback(t, bob, match_id, action);
  await fillPlaces();
  expect(await statusFor(ann)).toBe(status);
  expect(await statusFor(bob)).toBe(status);
});

test('a displaced pair that is among the best again is open again, and nobody is told twice', async () => {
  await fillPlaces();
  expect(await statusFor(ann)).toBe('superseded');
  const [gone] = crowd;
  await t.call('DELETE', `/api/agents/${gone?.agent.handle}/cards/${gone?.id}`, { key: gone?.agent.key });
  await t.call('POST', '/api/matching/run', { key: ann.key, body: {} });
  expect(await statusFor(bob)).toBe('pending');
  const events = await toldOf(bob);
  expect(events).toHaveLength(1);
  // What was closed stays closed, and says where the answer goes now; nothing is taken that the event would not hold.
  const [event] = events;
  expect(event.actions).toEqual([]);
  const late = await t.call('POST', `/api/inbox/${event.id}/respond`, { key: bob.key, body: { action: 'not_a_fit' } });
  expect([late.status, late.body.error]).toEqual([409, 'match_closed']);
  expect(late.body.message).toContain('/api/matching/feedback');
  expect(await statusFor(bob)).toBe('pending');
  expect((await feedback(t, bob, match_id, 'not_a_fit')).status).toBe(200);
});

test('what an answer frees is given to the next best a few seconds later', async () => {
  await fillPlaces();
  const best = (await matchesOf(t, ann)).find(({ status }: TestAnswer['body']) => status === 'pending');
  await feedback(t, ann, best.match_id, 'not_a_fit');
  expect(await statusFor(ann)).toBe('superseded');
  await t.advance(10_000);
  expect(await statusFor(ann)).toBe('pending');
});

const thresholdOf = (listing_id: string): number =>
  t.service.world.store.vectors.thresholdOf(listing_id, t.clock.now());

test('what a pair has to beat to be among the best is known once all places are taken', async () => {
  expect(thresholdOf(ann_listing)).toBe(0);
  await fillPlaces();
  const scores = (await matchesOf(t, ann)).flatMap((match: TestAnswer['body']) =>
    match.status === 'pending' ? [match.score] : [],
  );
  expect(scores).toHaveLength(MATCHES_BEST);
  expect(thresholdOf(ann_listing)).toBe(Math.min(...scores));
});

test.each<[string, (best: TestAnswer['body'], theirs: { agent: TestAgent; id: string }) => Promise<unknown>]>([
  ["the listing's own agent declines", (best) => feedback(t, ann, best.match_id, 'not_a_fit')],
  ['the other side saves', (best, { agent }) => feedback(t, agent, best.match_id, 'saved')],
  ['the other side is interested', (best, { agent }) => feedback(t, agent, best.match_id, 'interested')],
  [
    'the other listing is deleted',
    (_best, { agent, id }) => t.call('DELETE', `/api/agents/${agent.handle}/cards/${id}`, { key: agent.key }),
  ],
  [
    'an edit of the other listing makes it fit no more',
    (_best, { agent, id }) => edit(t, agent, id, { geo: 'Berlin' }),
  ],
  [
    'an edit of the other listing makes it fit less',
    (_best, { agent, id }) => edit(t, agent, id, { labels: ['bread'] }),
  ],
  ['the first of its pairs expires', () => t.advance(MATCH_TTL_MS)],
])('any pair may be among the best of a listing again as soon as %s', async (_what, free) => {
  await edit(t, ann, ann_listing, { geo: 'Tokyo, Japan' });
  await fillPlaces();
  expect(thresholdOf(ann_listing)).toBeGreaterThan(0);
  const matches = await matchesOf(t, ann);
  const best = matches.find(({ status }: TestAnswer['body']) => status === 'pending');
  const theirs = crowd.find(({ id }) => id === best.their_listing.id);
  if (!theirs) throw new Error('the match is with nobody of the crowd');
  await matchesOf(t, theirs.agent);
  await free(best, theirs);
  expect(thresholdOf(ann_listing)).toBe(0);
});

test('an edit that makes the pair better brings it back in place of another', async () => {
  await fillPlaces();
  await edit(t, ann, ann_listing, { labels: ['bread', 'ovens', 'mills'] });
  expect(await statusFor(ann)).toBe('pending');
});
