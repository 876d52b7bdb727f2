// What the owner of a listing is told of the candidates that are none of its matches: how many each rule kept apart, what could
// be changed about it, and nothing that others keep to themselves.
import { beforeEach, describe, expect, test } from 'bun:test';
import { MATCHES_BEST } from '../../src/domain/match/rank.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf, feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import { freshService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = freshService();
let bob: TestAgent;
let seek_id: string;
beforeEach(async () => {
  bob = await newAgent(t, { handle: 'bob', verified: true, pro: true });
  seek_id = '';
});

type Body = TestAnswer['body'];

let sellers = 0;

/** Its owner does not talk about its budget, so that each cent above it counts. */
const FIRM = { conditions: { price_firm: true } };

async function offers(...listings: object[]): Promise<TestAgent[]> {
  const agents: TestAgent[] = [];
  for (const listing of listings) {
    sellers += 1;
    const agent = await newAgent(t, { handle: `seller_${sellers}`, verified: true });
    await publish(t, agent, { ...LOGO_OFFER, ...listing });
    agents.push(agent);
  }
  return agents;
}

async function seek(more: object = {}): Promise<void> {
  seek_id = await publish(t, bob, { ...LOGO_SEEK, ...FIRM, ...more });
}

async function run(agent = bob, body: object = {}): Promise<Body> {
  const answer = await t.call('POST', '/api/matching/run', { key: agent.key, agent: agent.handle, body });
  expect(answer.status).toBe(200);
  return answer.body;
}

function lack(answer: Body, rule: string): Body {
  return answer.missing.find((each: Body) => each.rule === rule) ?? null;
}

async function become(agent: TestAgent, visibility: string): Promise<void> {
  await t.call('PATCH', `/api/agents/${agent.handle}`, { key: agent.key, body: { visibility } });
}

describe('a run tells what fell out by', () => {
  test('geography, and where a listing would have to be', async () => {
    await seek({ geo: 'Portland, Oregon, US' });
    await offers(
      { geo: 'Berlin, Germany' },
      { geo: 'Hamburg, Germany' },
      { geo: 'Lyon, France' },
      { geo: 'Portland, OR, US' },
    );
    const answer = await run();
    expect(answer).toMatchObject({ considered: 4, matches: [expect.anything()] });
    expect(answer.missing).toMatchObject([
      {
        rule: 'geography',
        count: 3,
        change: 'They are in other places. Naming remote in geo would bring in 3, Germany (DE) 2, France (FR) 1.',
        values: {
          direction: 'seek',
          remote: 3,
          countries: [
            { name: 'DE', count: 2 },
            { name: 'FR', count: 1 },
          ],
        },
      },
    ]);
  });

  test('geography where naming the place alone would not do', async () => {
    await seek({ geo: 'US' });
    await offers({ geo: 'France', price_cents: 200_000 });
    expect(lack(await run(), 'geography')).toMatchObject({
      rule: 'geography',
      count: 1,
      change: 'They are in other places, and naming one of these alone would bring none of them in.',
    });
  });

  test('price, and by how much a budget would have to be higher', async () => {
    await seek({ budget_cents: 50_000 });
    await offers({ price_cents: 60_000 }, { price_cents: 75_000 }, { price_cents: 70_000 }, { price_cents: 900_000 });
    expect(await run()).toMatchObject({
      considered: 4,
      matches: [],
      missing: [
        {
          rule: 'price',
          count: 4,
          change:
            'They cost more than the budget. A budget higher by $200 would bring in 2, a budget higher by $8,500 4.',
        },
      ],
    });
  });

  test('price, and by how much a price would have to be lower', async () => {
    const [ann] = await offers({ price_cents: 120_000, price_period: 'hour' });
    await seek({ price_period: 'hour' });
    expect(lack(await run(ann), 'price')).toMatchObject({
      rule: 'price',
      count: 1,
      change: 'Their budgets are below the price. A price lower by $300 an hour would bring in 1.',
      values: { direction: 'offer', steps: [{ cents: 30_000, period: 'hour', count: 1 }] },
    });
  });

  test('dealbreakers, and which of one’s own cost how many', async () => {
    await offers(
      { description: 'A friendly agency for logos of small shops.' },
      { description: 'We are an agency that draws logos, and print on paper.' },
      { description: 'We draw friendly logos for small shops, and print on paper.' },
      { conditions: { dealbreakers: ['bakery'] } },
    );
    await seek({ conditions: { dealbreakers: ['no agency', 'paper'] } });
    expect(await run()).toMatchObject({
      considered: 4,
      matches: [],
      missing: [
        {
          rule: 'dealbreaker',
          count: 4,
          change:
            'Of your dealbreakers “no agency” keeps 2 apart, “paper” keeps 2 apart. ' +
            '1 name among their own what your listing says.',
        },
      ],
    });
  });

  test('an answer that was given before', async () => {
    await offers({});
    await seek();
    const [match] = await matchesOf(t, bob);
    await feedback(t, bob, match.match_id, 'not_a_fit');
    expect((await run()).missing).toMatchObject([
      {
        rule: 'declined',
        count: 1,
        change: 'Nothing: a pair of listings that a side declined is not matched again.',
      },
    ]);
  });

  test('too little in common', async () => {
    await seek({
      labels: ['tax-advice'],
      headline: 'Filing of a yearly return',
      description: 'Somebody who knows the law.',
    });
    await offers({ labels: ['welding'], headline: 'Steel gates', description: 'Pipes and railings, made to measure.' });
    const { considered, missing, matches } = await run();
    expect(matches).toEqual([]);
    expect(missing.map(({ rule, count }: Body) => [rule, count])).toEqual(
      considered === 0 ? [] : [['floor', considered]],
    );
  });
});

describe('of what is not the owner’s to know', () => {
  test('a block is told as if nobody were there', async () => {
    const [ann] = await offers({ geo: 'France' });
    await seek({ geo: 'US' });
    expect((await run()).considered).toBe(1);
    await t.call('POST', `/api/agents/bob/block`, { key: ann?.key ?? '' });
    expect(await run()).toMatchObject({ considered: 0, missing: [] });
  });

  test('an agent out of the public lists is counted, and none of its figures shown', async () => {
    const [ann] = await offers({ price_cents: 123_400 });
    if (ann) await become(ann, 'stealth');
    await seek();
    expect(await run()).toMatchObject({
      considered: 1,
      missing: [
        {
          rule: 'price',
          count: 1,
          change: 'They cost more than the budget, and another one alone would bring in none whose price is public.',
        },
      ],
    });
  });

  test('its place is not told either, nor what it refuses', async () => {
    const [ann, eve] = await offers({ geo: 'France' }, { conditions: { dealbreakers: ['bakery'] } });
    for (const agent of [ann, eve]) if (agent) await become(agent, 'stealth');
    await seek({ geo: 'US' });
    const answer = await run();
    expect(answer.considered).toBe(1);
    expect(answer.missing.map(({ rule }: Body) => rule)).toEqual(['geography']);
    expect(JSON.stringify(answer)).not.toContain('France');
  });

  test('a hidden agent and one’s own account are as if they were not there', async () => {
    const [ann] = await offers({ price_cents: 123_400 });
    if (ann) await become(ann, 'hidden');
    const own = await newAgent(t, { handle: 'bobs_other', email: bob.email, verified: true });
    await publish(t, own, { ...LOGO_OFFER, price_cents: 123_400 });
    seek_id = (await t.call('POST', '/api/agents/bob/cards', { key: bob.key, agent: 'bob', body: LOGO_SEEK })).body.id;
    expect(await run()).toMatchObject({ considered: 0, missing: [], listings: [{ listing_id: seek_id }] });
  });
});

test('a run of several listings adds them up, and tells each by itself', async () => {
  await offers({ price_cents: 100_000 }, { price_cents: 110_000 });
  await seek();
  const other = await publish(t, bob, { ...LOGO_SEEK, ...FIRM, headline: 'A logo for my shop', budget_cents: 105_000 });
  const answer = await run();
  expect(answer.considered).toBe(4);
  expect(answer.missing).toMatchObject([
    {
      rule: 'price',
      count: 3,
      change:
        'Of 2 listings “A logo for my bakery” misses most, 2. ' +
        'They cost more than the budget. A budget higher by $100 would bring in 1, a budget higher by $200 2.',
    },
  ]);
  expect(answer.listings.map(({ listing_id, considered }: Body) => [listing_id, considered])).toEqual([
    [other, 2],
    [seek_id, 2],
  ]);
  expect(answer.listings[0].missing).toMatchObject([{ rule: 'price', count: 1 }]);
});

test('what fits and is among the best of neither side is told as such', async () => {
  const ann = await newAgent(t, { handle: 'ann', verified: true, pro: true });
  // The cheaper an offer the better for every seek, and the larger a budget the better for every offer.
  const ids: string[] = [];
  for (let n = 0; n <= MATCHES_BEST; n += 1)
    ids.push(await publish(t, bob, { ...LOGO_SEEK, budget_cents: 100_000 + 2_000 * n }));
  for (let n = 0; n <= MATCHES_BEST; n += 1) await publish(t, ann, { ...LOGO_OFFER, price_cents: 60_000 + 1_000 * n });
  const considered = MATCHES_BEST + 1;
  const change = 'Nothing: they fit, but better ones fill the places of this listing and theirs.';
  for (const [listing_id, missing] of [
    [ids[0], [{ rule: 'rank', count: 1, change }]],
    [ids[MATCHES_BEST], []],
  ] as const) {
    const answer = await run(bob, { listing_id, limit: 50 });
    expect(answer).toMatchObject({ considered, missing });
    expect(answer.matches).toHaveLength(considered - missing.length);
    const { match_id } = answer.matches[0];
    const { body } = await t.call('POST', `/api/matching/summary/${match_id}`, { key: bob.key });
    expect(body).toMatchObject({ considered, missing });
  }
});

test('a run that looked at nothing says why', async () => {
  const noteOf = async (body: object = {}): Promise<string | null> => (await run(bob, body)).note;
  expect(await noteOf()).toContain('no live listing');
  await seek();
  expect(await noteOf()).toContain('shares a label or words with it yet');
  await become(bob, 'hidden');
  expect(await noteOf({ listing_id: seek_id })).toContain('is hidden');
  await become(bob, 'listed');
  await offers({ price_cents: 95_000 });
  expect(await noteOf()).toBeNull();
});

describe('the summary of a match', () => {
  test('tells what its listing misses beside it, to each side its own', async () => {
    const [ann, eve] = await offers({}, { price_cents: 100_000 });
    await seek();
    const [match] = await matchesOf(t, bob);
    const summary = async (agent: TestAgent | undefined): Promise<Body> =>
      (await t.call('POST', `/api/matching/summary/${match.match_id}`, { key: agent?.key ?? '' })).body;
    expect(await summary(bob)).toMatchObject({
      considered: 2,
      missing: [{ rule: 'price', count: 1, change: expect.stringContaining('higher by $100 would bring in 1.') }],
    });
    expect(await summary(ann)).toMatchObject({ considered: 1, missing: [] });
    expect((await summary(eve)).error).toBe('not_found');
  });

  test('of a listing that is gone tells nothing more', async () => {
    await offers({}, { price_cents: 100_000 });
    await seek();
    const [match] = await matchesOf(t, bob);
    await t.call('DELETE', `/api/agents/bob/cards/${seek_id}`, { key: bob.key });
    const { body } = await t.call('POST', `/api/matching/summary/${match.match_id}`, { key: bob.key });
    expect(body).toMatchObject({ considered: 0, missing: [], match: { status: 'superseded' } });
  });
});

describe('an explanation', () => {
  const explained = (agent: TestAgent | undefined, body: object): Promise<TestAnswer> =>
    t.call('POST', '/api/matching/explain', { key: agent?.key ?? '', body });

  test('of a match says why it is there and what its listing misses, to each side its own', async () => {
    const [ann, eve] = await offers({}, { price_cents: 100_000 });
    await seek();
    const [match] = await matchesOf(t, bob);
    const { match_id } = match;
    const change = expect.stringContaining('higher by $100 would bring in 1.');
    const values = { direction: 'seek', steps: [{ cents: 10_000, period: 'once', count: 1 }] };
    expect((await explained(bob, { match_id })).body).toEqual({
      match_id,
      listing_id: seek_id,
      counterparty_handle: ann?.handle,
      reasons: match.reasons,
      considered: 2,
      missing: [{ rule: 'price', count: 1, change, values }],
      note: null,
    });
    expect(match.reasons.length).toBeGreaterThan(0);
    const theirs = await explained(ann, { match_id });
    expect(theirs.body).toMatchObject({ counterparty_handle: 'bob', considered: 1, missing: [] });
    expect(theirs.body.listing_id).not.toBe(seek_id);
    expect((await explained(eve, { match_id })).status).toBe(404);
  });

  test('of a listing tells what it misses, and that of nobody else’s', async () => {
    const [ann] = await offers({ price_cents: 100_000 });
    await seek();
    expect((await explained(bob, { listing_id: seek_id })).body).toMatchObject({
      match_id: null,
      listing_id: seek_id,
      reasons: [],
      considered: 1,
      missing: [{ rule: 'price', count: 1 }],
    });
    expect(await explained(ann, { listing_id: seek_id })).toMatchObject({ status: 404, body: { error: 'not_found' } });
    await become(bob, 'hidden');
    const hidden = (await explained(bob, { listing_id: seek_id })).body;
    expect(hidden).toMatchObject({ considered: 0, missing: [], note: expect.stringContaining('is hidden') });
  });

  test('is of one thing', async () => {
    await offers({});
    await seek();
    const [{ match_id }] = await matchesOf(t, bob);
    for (const [body, path] of [
      [{}, 'match_id'],
      [{ match_id, listing_id: seek_id }, 'listing_id'],
    ] as const) {
      const answer = await explained(bob, body);
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', fields: [{ path }] } });
    }
  });

  test('of a match that was never shown counts to the plan', async () => {
    const free = await newAgent(t, { handle: 'free', verified: true });
    await offers({});
    const own = await publish(t, free, LOGO_SEEK);
    const used = async (): Promise<number> => {
      const { limits } = (await t.call('GET', '/api/billing/limits', { key: free.key })).body;
      return limits.find(({ name }: Body) => name === 'matches').used;
    };
    const [event] = await eventsOf(t, free, 'match.created');
    expect(await used()).toBe(0);
    await explained(free, { listing_id: own });
    expect(await used()).toBe(0);
    for (const _time of [1, 2]) await explained(free, { match_id: event.data.match_id });
    expect(await used()).toBe(1);
  });
});
