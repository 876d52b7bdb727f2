// The intake: profile, listings of both sides and wake preferences in one call, sent again without loss, and held for
// the other side until the agent's first verification.
import { describe, expect, test } from 'bun:test';
import { agentById } from '../../db/queries/agent.ts';
import { newAgent, newProvisional, type TestAgent, verifyPhone } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';

const t = sharedService();

const BODY = {
  display_name: 'Ink & Co',
  headline: 'We print',
  offers: [{ headline: 'Letterpress cards', labels: ['Letterpress'], price_cents: 30_000 }],
  seeks: [{ headline: 'A paper supplier', labels: ['paper supply'], budget_cents: 90_000 }],
  geo: { countries: ['DE'], remote: true },
  industry: ['printing'],
  verification: ['phone', 'palmistry'],
  wake: { min_match_score: 60, min_demand_budget_cents: 5_000, mute: ['meeting.scheduled'] },
};

function send(agent: Pick<TestAgent, 'key'>, part: object = {}, headers?: Record<string, string>): Promise<TestAnswer> {
  return t.call('POST', '/api/onboarding/intake', { key: agent.key, body: { ...BODY, ...part }, headers });
}

const row = (agent: TestAgent): Promise<unknown> => t.service.world.store.read(agentById, { id: agent.id });
const states = (answer: TestAnswer): string[] => answer.body.listings.map(({ status }: { status: string }) => status);

describe('a first intake', () => {
  test("fills the profile and publishes a verified agent's listings, beyond the plan's cap", async () => {
    const agent = await newAgent(t, { handle: 'ink', verified: true });
    const card = { card_type: 'selling', headline: 'One', labels: ['print'], price_cents: 1 };
    for (let i = 0; i < 2; i++) await t.call('POST', '/api/agents/ink/cards', { key: agent.key, body: card });
    const { status, body } = await send(agent);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      handle: 'ink',
      listings: [
        {
          headline: 'Letterpress cards',
          card_type: 'selling',
          direction: 'offer',
          status: 'live',
          labels: ['letterpress'],
        },
        { headline: 'A paper supplier', card_type: 'buying', direction: 'seek', budget_cents: 90_000, status: 'live' },
      ],
      matches: [],
      onboarding: { next_step: null, activated: true },
    });
    expect(body.listings[0].geo).toBe('Germany, Remote');
    expect(await row(agent)).toMatchObject({
      display_name: 'Ink & Co',
      headline: 'We print',
      offers: ['Letterpress cards'],
      seeks: ['A paper supplier'],
      industry: ['printing'],
      wake: BODY.wake,
      intake_at: t.clock.now(),
    });
  });

  test('keeps an incomplete item as a draft', async () => {
    const agent = await newAgent(t, { handle: 'ink_draft', verified: true });
    const answer = await send(agent, { offers: [{ headline: 'Priceless', labels: ['print'] }] });
    expect(answer.body.listings[0]).toMatchObject({ status: 'draft', completeness: { missing: ['price_cents'] } });
    const again = await send(agent, { offers: [{ headline: 'Priceless', labels: ['print'], price_cents: 5 }] });
    expect(again.body.listings[0]).toMatchObject({ id: answer.body.listings[0].id, status: 'live' });
  });

  test('takes items of other card types', async () => {
    const agent = await newAgent(t, { handle: 'ink_hires', verified: true });
    const seeks = [{ headline: 'A printer', labels: ['printing'], card_type: 'hiring' }];
    expect((await send(agent, { seeks })).body.listings[1]).toMatchObject({ card_type: 'hiring', status: 'live' });
  });
});

describe('sent again', () => {
  test('updates by headline and side, adds what is new, deletes nothing and keeps what its owner paused', async () => {
    const agent = await newAgent(t, { handle: 'ink_again', verified: true });
    const first = await send(agent);
    const [offer, seek] = first.body.listings;
    await t.call('PATCH', `/api/agents/ink_again/cards/${seek.id}`, { key: agent.key, body: { active: false } });
    const second = await send(agent, {
      offers: [
        { headline: 'Letterpress cards', labels: ['letterpress', 'cards'], price_cents: 20_000 },
        { headline: 'Envelopes', labels: ['envelopes'], price_cents: 1_000 },
      ],
      wake: undefined,
    });
    expect(second.body.listings[0]).toMatchObject({
      id: offer.id,
      price_cents: 20_000,
      labels: ['letterpress', 'cards'],
    });
    expect(states(second)).toEqual(['live', 'live', 'inactive']);
    const all = await t.call('GET', '/api/v1/listings', { key: agent.key });
    expect(all.body).toHaveLength(3);
    expect(await row(agent)).toMatchObject({ wake: BODY.wake });
  });

  test('under one Idempotency-Key answers the same and writes once', async () => {
    const agent = await newAgent(t, { handle: 'ink_key', verified: true });
    const headers = { 'Idempotency-Key': 'intake-1' };
    const [first, again] = [await send(agent, {}, headers), await send(agent, {}, headers)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('while unverified', () => {
  test('finds matches that only it sees, and goes live for both with its first verification', async () => {
    const seller = await newAgent(t, { handle: 'mill', verified: true });
    const card = {
      card_type: 'selling',
      headline: 'Bronze bells for churches',
      labels: ['church bells'],
      price_cents: 70_000,
    };
    await t.call('POST', '/api/agents/mill/cards', { key: seller.key, body: { ...card, geo: 'Remote' } });
    const agent = await newAgent(t, { handle: 'ink_waits' });
    const seeks = [{ headline: 'Foundry for a church bell', labels: ['church bells'], budget_cents: 90_000 }];
    const answer = await send(agent, { seeks, wake: {} });
    expect(states(answer)).toEqual(['pending_verification', 'pending_verification']);
    expect(answer.body.onboarding).toMatchObject({ next_step: 'verification', activated: false });
    expect(answer.body.matches).toMatchObject([{ counterparty_handle: 'mill', status: 'pending' }]);
    const [, seek] = answer.body.listings;
    expect((await t.call('GET', '/api/agents/mill/matches', { key: seller.key })).body).toEqual([]);
    expect((await t.call('GET', '/api/agents/ink_waits/cards')).body).toEqual([]);
    const patched = await t.call('PATCH', `/api/agents/ink_waits/cards/${seek.id}`, {
      key: agent.key,
      body: { active: true },
    });
    expect({ status: patched.status, error: patched.body.error }).toEqual({ status: 409, error: 'pending' });
    await verifyPhone(t, agent.token, agent.handle);
    const cards = await t.call('GET', '/api/agents/ink_waits/cards');
    expect(cards.body.map(({ status }: { status: string }) => status)).toEqual(['live', 'live']);
    const seen = await t.call('GET', '/api/agents/mill/matches', { key: seller.key });
    expect(seen.body).toMatchObject([{ counterparty_handle: 'ink_waits', status: 'pending' }]);
  });
});

describe('refused, with nothing stored', () => {
  const offer = BODY.offers[0];
  test.each<[string, object, string]>([
    ['no offers', { offers: undefined }, 'offers'],
    ['empty seeks', { seeks: [] }, 'seeks'],
    ['an offer without labels', { offers: [{ headline: 'A' }] }, 'offers.0.labels'],
    ['a seek with empty labels', { seeks: [{ headline: 'A', labels: [] }] }, 'seeks.0.labels'],
    ['a label of signs', { offers: [{ ...offer, labels: ['ok', '???'] }] }, 'offers.0.labels.1'],
    ['an offer that is a seek', { offers: [{ ...offer, card_type: 'hiring' }] }, 'offers.0.direction'],
    ['a blank headline', { seeks: [{ headline: ' ', labels: ['a'] }] }, 'seeks.0.headline'],
    ['an unknown muted event', { wake: { mute: ['test.ping', 'sun.rise'] } }, 'wake.mute.1'],
    ['a fractional score', { wake: { min_match_score: 0.6 } }, 'wake.min_match_score'],
    ['a score of 101', { wake: { min_match_score: 101 } }, 'wake.min_match_score'],
    ['a plain http webhook', { webhook_url: 'http://hooks.example/x' }, 'webhook_url'],
    ['a webhook inside the house', { webhook_url: 'https://localhost/x' }, 'webhook_url'],
    ['a webhook by number', { webhook_url: 'https://10.0.0.1/x' }, 'webhook_url'],
    ['a webhook with a password', { webhook_url: 'https://a:b@hooks.example/' }, 'webhook_url'],
    ['a country that is none', { geo: { countries: ['Narnia'] } }, 'geo.countries.0'],
  ])('%s', async (_what, part, path) => {
    const agent = await newAgent(t, {
      handle: `no_${Bun.hash(path + _what).toString(36)}`.slice(0, 30),
      verified: true,
    });
    const { status, body } = await send(agent, part);
    expect({ status, path: body.fields?.[0]?.path }).toEqual({ status: 400, path });
    expect((await t.call('GET', '/api/v1/listings', { key: agent.key })).body).toEqual([]);
    expect(await row(agent)).toMatchObject({ intake_at: null });
  });

  test('a fractional score hints at the percent that was meant', async () => {
    const agent = await newAgent(t, { handle: 'hinted', verified: true });
    expect((await send(agent, { wake: { min_match_score: 0.6 } })).body.fields[0].message).toContain(
      'Did you mean 60?',
    );
  });

  test('a provisional account', async () => {
    const { key } = await newProvisional(t, 'agent_fleeting');
    expect((await send({ key })).body.error).toBe('provisional_account');
  });
});

describe('the standing cap', () => {
  const many = (from: number, count: number): object => {
    const item = (headline: string) => ({ headline, labels: ['letterpress'] });
    const numbers = Array.from({ length: count }, (_, i) => from + i);
    return {
      offers: numbers.map((n) => ({ ...item(`Card ${n}`), price_cents: 100 })),
      seeks: numbers.map((n) => ({ ...item(`Paper ${n}`), budget_cents: 100 })),
    };
  };

  test('an agent has as many listings of its intake as one intake can say, however often it is sent', async () => {
    const agent = await newAgent(t, { handle: 'floods', verified: true });
    expect((await send(agent, many(0, 20))).status).toBe(200);
    expect((await send(agent, many(0, 20))).status).toBe(200);
    const more = await send(agent, many(20, 1));
    expect([more.status, more.body.error, more.body.limit, more.body.used, more.body.resets_at]).toEqual([
      403,
      'plan_limit',
      40,
      40,
      null,
    ]);
    const listed = await t.call('GET', '/api/v1/listings?limit=100', { key: agent.key });
    expect(listed.body).toHaveLength(40);
  });

  test('two agents have it each, and what is deleted makes room', async () => {
    const agent = await newAgent(t, { handle: 'makes_room', verified: true });
    const { body } = await send(agent, many(0, 20));
    expect((await send(agent, many(19, 2))).status).toBe(403);
    for (const { id } of body.listings.slice(0, 2)) {
      await t.call('DELETE', `/api/agents/makes_room/cards/${id}`, { key: agent.key });
    }
    expect((await send(agent, many(19, 2))).status).toBe(200);
  });
});
