// The matching engine through its doors: who is matched with whom, who is told, and what never comes back.

import { beforeEach, describe, expect, test } from 'bun:test';
import { insert } from '../../db/effects.ts';
import { listingById } from '../../db/queries/listing.ts';
import { pairsOfListing } from '../../db/queries/match.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { indexListing } from '../../src/steps/listing/derived.ts';
import { newAgent, type TestAgent, verifyPhone } from '../support/agents.ts';
import { edit, eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';

const t = freshService();
let ann: TestAgent;
let bob: TestAgent;
beforeEach(async () => {
  ann = await newAgent(t, { handle: 'ann', verified: true });
  bob = await newAgent(t, { handle: 'bob', verified: true });
});

/** Publishes the offer and the seek, and shows both owners the one match. */
async function matched(
  offer: object = {},
  seek: object = {},
): Promise<{ offer_id: string; seek_id: string; match_id: string }> {
  const offer_id = await publish(t, ann, { ...LOGO_OFFER, ...offer });
  const seek_id = await publish(t, bob, { ...LOGO_SEEK, ...seek });
  const [match] = await matchesOf(t, ann);
  await matchesOf(t, bob);
  return { offer_id, seek_id, match_id: match?.match_id };
}

describe('a pair that fits', () => {
  test('is matched when the second listing goes live, and each owner is told its own view', async () => {
    const { offer_id, seek_id, match_id } = await matched();
    const [mine] = await matchesOf(t, ann);
    const [theirs] = await matchesOf(t, bob);
    expect(mine).toMatchObject({
      match_id,
      status: 'pending',
      counterparty_handle: 'bob',
      my_listing: { id: offer_id, headline: LOGO_OFFER.headline },
      their_listing: { id: seek_id, headline: LOGO_SEEK.headline },
      saved: false,
      conversation_id: null,
    });
    expect(theirs).toMatchObject({ match_id, counterparty_handle: 'ann', my_listing: { id: seek_id } });
    expect(mine.score).toBe(theirs.score);
    expect(mine.reasons).toContain('both name logo-design');
    expect(mine.reasons).toContain('price $500 is within the $900 budget');
    for (const [agent, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const [event, ...more] = await eventsOf(t, agent, 'match.created');
      expect(more).toEqual([]);
      expect(event.data).toEqual({ match_id, counterparty_handle: other.handle, score: mine.score });
      expect(event.respond_by).toBe(new Date(t.clock.now() + 30 * DAY_MS).toISOString());
      expect(event.actions.map((action: { action: string }) => action.action)).toEqual([
        'interested',
        'not_a_fit',
        'saved',
      ]);
    }
  });

  test('is found once, however often matching runs', async () => {
    const { match_id } = await matched();
    for (const agent of [ann, bob]) {
      const run = await t.call('POST', '/api/matching/run', { key: agent.key, body: {} });
      expect(run.body.matches.map((match: { match_id: string }) => match.match_id)).toEqual([match_id]);
      expect(run.body.considered).toBe(1);
    }
    expect(await eventsOf(t, ann, 'match.created')).toHaveLength(1);
    expect(await eventsOf(t, bob, 'match.created')).toHaveLength(1);
  });

  test('is found once by runs at the same moment', async () => {
    await t.call('PATCH', '/api/agents/ann', { key: ann.key, body: { visibility: 'hidden' } });
    await matched();
    expect(await matchesOf(t, bob)).toEqual([]);
    const shown = t.call('PATCH', '/api/agents/ann', { key: ann.key, body: { visibility: 'listed' } });
    const runs = [ann, bob, ann, bob].map((agent) => t.call('POST', '/api/matching/run', { key: agent.key, body: {} }));
    for (const answer of await Promise.all([shown, ...runs])) expect(answer.status).toBe(200);
    expect(await matchesOf(t, ann)).toHaveLength(1);
    expect(await eventsOf(t, ann, 'match.created')).toHaveLength(1);
    expect(await eventsOf(t, bob, 'match.created')).toHaveLength(1);
  });

  test('takes its new score and headline after an edit, and nobody is told again', async () => {
    const { offer_id } = await matched();
    const [before] = await matchesOf(t, bob);
    await edit(t, ann, offer_id, { headline: 'Logo drawing in a week', labels: ['branding', 'drawing'] });
    const [after] = await matchesOf(t, bob);
    expect(after.their_listing.headline).toBe('Logo drawing in a week');
    expect(after.score).toBeLessThan(before.score);
    expect(await eventsOf(t, bob, 'match.created')).toHaveLength(1);
  });

  test('is superseded when an edit makes it fit no more, and its event awaits no answer', async () => {
    const { seek_id } = await matched();
    await edit(t, bob, seek_id, { budget_cents: 10_000 });
    expect((await matchesOf(t, ann))[0].status).toBe('superseded');
    expect((await t.call('GET', '/api/matching/feed', { key: ann.key })).body).toEqual([]);
    expect((await eventsOf(t, ann, 'match.created'))[0].actions).toEqual([]);
    expect((await t.call('GET', '/api/inbox', { key: ann.key })).body.pending.count).toBe(0);
  });

  test('is what the last of many edits at once makes of it', async () => {
    const { offer_id, match_id } = await matched();
    for (let round = 0; round < 10; round += 1) {
      const prices = Array.from({ length: 8 }, (_, n) => ((n + round) % 2 === 0 ? 50_000 : 195_000) + n);
      await Promise.all(prices.map((price_cents) => edit(t, ann, offer_id, { price_cents })));
      const listing = (await t.call('GET', `/api/agents/ann/cards/${offer_id}`, { key: ann.key })).body;
      const [match] = await matchesOf(t, ann);
      expect(match).toMatchObject({ match_id, status: listing.price_cents > 144_000 ? 'superseded' : 'pending' });
    }
  });

  test('is superseded while a listing is paused, and silently open again with it', async () => {
    const { offer_id, match_id } = await matched();
    await edit(t, ann, offer_id, { active: false });
    expect((await matchesOf(t, bob))[0].status).toBe('superseded');
    expect((await feedback(t, bob, match_id, 'interested')).body.error).toBe('match_closed');
    await edit(t, ann, offer_id, { active: true });
    expect((await matchesOf(t, bob))[0]).toMatchObject({ match_id, status: 'pending' });
    expect(await eventsOf(t, bob, 'match.created')).toHaveLength(1);
  });

  test('keeps its words when a listing is deleted', async () => {
    const { offer_id } = await matched();
    await t.call('DELETE', `/api/agents/ann/cards/${offer_id}`, { key: ann.key });
    expect((await matchesOf(t, bob))[0]).toMatchObject({
      status: 'superseded',
      their_listing: { id: offer_id, headline: LOGO_OFFER.headline },
    });
  });

  test('expires after 30 days, and comes back as news only after an edit', async () => {
    const { offer_id } = await matched();
    await t.advance(30 * DAY_MS);
    expect((await matchesOf(t, bob))[0].status).toBe('expired');
    await t.call('POST', '/api/matching/run', { key: bob.key, body: {} });
    expect((await matchesOf(t, bob))[0].status).toBe('expired');
    await edit(t, ann, offer_id, { headline: 'Logo design in one day' });
    expect((await matchesOf(t, bob))[0].status).toBe('pending');
    expect(await eventsOf(t, bob, 'match.created')).toHaveLength(2);
  });

  test('wakes only those who want such a score', async () => {
    const eve = await newAgent(t, { handle: 'eve', verified: true });
    await t.service.world.store.turn({
      attempt: async () => ({
        reply: null,
        effects: [{ do: 'apply', table: 'agents', id: eve.id, change: () => ({ wake: { min_match_score: 99 } }) }],
      }),
    });
    await publish(t, eve, LOGO_OFFER);
    await publish(t, bob, LOGO_SEEK);
    expect(await matchesOf(t, eve)).toHaveLength(1);
    expect(await eventsOf(t, eve, 'match.created')).toEqual([]);
    expect(await eventsOf(t, bob, 'match.created')).toHaveLength(1);
  });
});

describe('types', () => {
  const money = { price_cents: 1_000, budget_cents: 1_000 };
  const text = {
    headline: 'Data science for retail',
    description: 'Forecasts for shops.',
    labels: ['data-science', 'retail'],
  };
  test.each<[string, string | undefined, string, string | undefined, number]>([
    ['selling', undefined, 'buying', undefined, 1],
    ['job_seeking', undefined, 'hiring', undefined, 1],
    ['investing', undefined, 'fundraising', undefined, 1],
    ['partnering', 'offer', 'partnering', 'seek', 1],
    ['partnering', 'offer', 'partnering', 'offer', 1],
    ['partnering', 'seek', 'partnering', 'seek', 1],
    ['link_exchange', 'seek', 'link_exchange', 'seek', 1],
    ['selling', undefined, 'selling', undefined, 0],
    ['selling', undefined, 'hiring', undefined, 0],
    ['job_seeking', undefined, 'buying', undefined, 0],
    ['investing', undefined, 'buying', undefined, 0],
    ['partnering', 'offer', 'buying', undefined, 0],
    ['link_building', 'seek', 'link_building', 'seek', 0],
  ])('%s (%s) meets %s (%s): %d', async (a_type, a_direction, b_type, b_direction, found) => {
    await publish(t, ann, { ...text, ...money, card_type: a_type, direction: a_direction });
    await publish(t, bob, { ...text, ...money, card_type: b_type, direction: b_direction });
    expect(await matchesOf(t, ann)).toHaveLength(found);
    expect(await matchesOf(t, bob)).toHaveLength(found);
  });
});

describe('never matched', () => {
  test.each<[string, object, object]>([
    ['a price far above the budget', {}, { budget_cents: 31_249 }],
    ['a price above a firm budget', {}, { budget_cents: 49_999, conditions: { price_firm: true } }],
    ['known places apart', { geo: 'Berlin, Germany' }, { geo: 'Tokyo, Japan' }],
    [
      "a dealbreaker of the buyer's",
      { description: 'Our agency draws logos.' },
      { conditions: { dealbreakers: ['no agencies'] } },
    ],
    ["a dealbreaker of the seller's", { conditions: { dealbreakers: ['bakery'] } }, {}],
    ['nothing in common', {}, { headline: 'Combine harvester', description: 'For wheat.', labels: ['farming'] }],
  ])('%s', async (_why, offer, seek) => {
    expect((await matched(offer, seek)).match_id).toBeUndefined();
  });

  test('two agents of one account', async () => {
    const twin = await newAgent(t, { handle: 'ann_two', email: ann.email, verified: true });
    await publish(t, ann, LOGO_OFFER);
    const made = await t.call('POST', '/api/agents/ann_two/cards', {
      token: twin.token,
      agent: 'ann_two',
      body: LOGO_SEEK,
    });
    expect(made.body.status).toBe('live');
    const feed = await t.call('GET', '/api/matching/feed', { token: twin.token, agent: 'ann_two' });
    expect(feed.body).toEqual([]);
  });

  test('a declined pair, whatever is edited and run', async () => {
    const { offer_id, seek_id, match_id } = await matched();
    expect((await feedback(t, bob, match_id, 'not_a_fit', { reason: 'price' })).body.status).toBe('declined');
    await edit(t, ann, offer_id, { price_cents: 10_000, headline: 'Logo design for bakeries' });
    await edit(t, bob, seek_id, { active: false });
    await edit(t, bob, seek_id, { active: true });
    await t.advance(40 * DAY_MS);
    for (const agent of [ann, bob]) await t.call('POST', '/api/matching/run', { key: agent.key, body: {} });
    expect((await matchesOf(t, ann)).map((match: { status: string }) => match.status)).toEqual(['declined']);
    expect((await t.call('GET', '/api/matching/feed', { key: ann.key })).body).toEqual([]);
    expect(await eventsOf(t, ann, 'match.created')).toHaveLength(1);
  });
});

describe('visibility', () => {
  test('a hidden agent is matched with nobody, and leaves the lists of others', async () => {
    await matched();
    await t.call('PATCH', '/api/agents/ann', { key: ann.key, body: { visibility: 'hidden' } });
    expect((await t.call('GET', '/api/matching/feed', { key: bob.key })).body).toEqual([]);
    const eve = await newAgent(t, { handle: 'eve', verified: true });
    await publish(t, eve, LOGO_SEEK);
    expect(await matchesOf(t, eve)).toEqual([]);
    const run = await t.call('POST', '/api/matching/run', { key: ann.key, body: {} });
    expect(run.body.considered).toBe(0);
  });

  test('a stealth agent is matched', async () => {
    await t.call('PATCH', '/api/agents/ann', { key: ann.key, body: { visibility: 'stealth' } });
    await matched();
    expect(await matchesOf(t, bob)).toHaveLength(1);
  });

  test('what an unverified agent held at intake finds is its own secret until it is verified', async () => {
    const eve = await newAgent(t, { handle: 'eve' });
    const offer_id = await publish(t, ann, LOGO_OFFER);
    const { store } = t.service.world;
    const offer = await store.read(listingById, { id: offer_id });
    if (!offer) throw new Error('the offer is gone');
    const { vectors, model } = await t.service.world.embedder.embed([LOGO_SEEK.headline]);
    const held = {
      ...offer,
      ...LOGO_SEEK,
      card_type: 'buying' as const,
      direction: 'seek' as const,
      id: t.service.world.id(),
      agent_id: eve.id,
      account_id: 'eve',
      price_cents: null,
      status: 'pending_verification' as const,
      origin: 'intake' as const,
      version: 1,
    };
    const [vector] = vectors;
    if (!vector) throw new Error('no vector');
    await store.turn({
      attempt: async () => ({
        reply: null,
        effects: [insert('listings', held), indexListing(held, { model, vector })],
      }),
    });
    await t.call('POST', '/api/matching/run', { key: ann.key, body: {} });
    expect(await matchesOf(t, ann)).toEqual([]);
    const run = await t.call('POST', '/api/matching/run', { key: eve.key, body: {} });
    expect(run.body.matches).toHaveLength(1);
    expect(await eventsOf(t, eve, 'match.created')).toHaveLength(1);
    const { match_id } = run.body.matches[0];
    for (const path of ['/api/matching/feed', '/api/v1/matches']) {
      expect((await t.call('GET', path, { key: ann.key })).body).toEqual([]);
    }
    expect(await eventsOf(t, ann, 'match.created')).toEqual([]);
    expect((await feedback(t, ann, match_id, 'interested')).status).toBe(404);
    expect((await t.call('POST', `/api/matching/summary/${match_id}`, { key: ann.key })).status).toBe(404);

    await verifyPhone(t, eve.token, 'eve');
    expect((await matchesOf(t, ann)).map((match: { match_id: string }) => match.match_id)).toEqual([match_id]);
    expect(await eventsOf(t, ann, 'match.created')).toHaveLength(1);
    expect(await eventsOf(t, eve, 'match.created')).toHaveLength(1);
  });
});

describe('running', () => {
  test("matches one listing of one's own, and nobody else's", async () => {
    const { offer_id, seek_id } = await matched();
    const one = await t.call('POST', '/api/matching/run', { key: ann.key, body: { listing_id: offer_id, limit: 1 } });
    expect(one.status).toBe(200);
    expect(one.body).toMatchObject({ considered: 1, took_ms: expect.any(Number) });
    expect(one.body.matches).toHaveLength(1);
    const foreign = await t.call('POST', '/api/matching/run', { key: ann.key, body: { listing_id: seek_id } });
    expect(foreign.status).toBe(404);
  });

  test('tells a listing of 50 matches a day, the best ones, and matches it with all who want it', async () => {
    const crowd: TestAgent[] = [];
    for (let n = 0; n < 30; n += 1) crowd.push(await newAgent(t, { handle: `buyer_${n}`, verified: true }));
    await Promise.all(
      crowd.flatMap((agent) => [
        publish(t, agent, LOGO_SEEK),
        publish(t, agent, { ...LOGO_SEEK, budget_cents: 60_000 }),
      ]),
    );
    const listing_id = await publish(t, ann, LOGO_OFFER);
    const told = await eventsOf(t, ann, 'match.created');
    expect(told).toHaveLength(50);
    const scores = told.map((event) => event.data.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    // One run stops at 50; the rest is found in the background.
    await t.rest();
    const pairs = await t.service.world.store.read(pairsOfListing, { listing_id, limit: 500 });
    expect(pairs.filter(({ status }) => status === 'pending')).toHaveLength(60);
    expect(await eventsOf(t, ann, 'match.created')).toHaveLength(50);
    for (const agent of crowd) expect(await eventsOf(t, agent, 'match.created')).toHaveLength(2);
  });
});
