// Turns that the service takes for an agent: two strangers whose agents are only told to go on come to a deal within both bounds, or part
// politely; nobody takes the other's turn, and why it went so is for the owner's eyes.

import { describe, expect, test } from 'bun:test';
import { count } from '../../db/effects.ts';
import { agentById } from '../../db/queries/agent.ts';
import { turnsOf } from '../../db/queries/negotiation.ts';
import { isFault } from '../../src/domain/fault.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { factsOf, readCourse } from '../../src/steps/negotiation/course.ts';
import { manner } from '../../src/steps/negotiation/scale.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { eventsOf, interestedIn, LOGO_OFFER, LOGO_SEEK, publish } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { ctxOf, startTalk } from '../support/threads.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();
let pairs = 0;

/** A message as a list of them tells it. */
interface Talked {
  readonly message_id: string;
  readonly by_turn?: true;
}

interface Matched {
  readonly buyer: TestAgent;
  readonly seller: TestAgent;
  readonly id: string;
}

/** Two agents whose listings match, with bounds that their people set. */
async function matched(buyer_bounds: object, seller_bounds: object, offer: object = {}): Promise<Matched> {
  pairs += 1;
  const label = `logo-${pairs}`;
  const [buyer, seller] = [
    await newAgent(t, { handle: `seeks_${pairs}`, verified: true, pro: true }),
    await newAgent(t, { handle: `offers_${pairs}`, verified: true, pro: true }),
  ];
  await publish(t, seller, { ...LOGO_OFFER, labels: [label], ...offer });
  await publish(t, buyer, { ...LOGO_SEEK, labels: [label] });
  for (const [who, body] of [
    [buyer, buyer_bounds],
    [seller, seller_bounds],
  ] as const) {
    await t.call('PATCH', '/api/agents/bounds', { token: who.token, agent: who.handle, body });
  }
  await fundWallet(t, buyer.id, 100_000);
  return { buyer, seller, id: await interestedIn(t, buyer, seller) };
}

const advance = ({ key }: TestAgent, id: string, body: object = {}): Promise<TestAnswer> =>
  t.call('POST', `/api/conversations/${id}/advance`, { key, body });

/** Both take turns until one waits, the talk ends or a deal is made. */
async function talk({ buyer, seller, id }: Matched): Promise<TestAnswer['body'][]> {
  const turns: TestAnswer['body'][] = [];
  for (let n = 0; n < 40; n += 1) {
    const { status, body } = await advance(n % 2 === 0 ? buyer : seller, id);
    expect([n, status]).toEqual([n, 200]);
    turns.push(body);
    if (body.action === 'wait' || body.action === 'close' || body.deal_id !== null) return turns;
  }
  throw new Error('the talk has no end');
}

const threadOf = async ({ buyer, id }: Matched) =>
  (await t.call('GET', `/api/conversations/${id}`, { key: buyer.key })).body;

describe('two agents that are only told to go on', () => {
  test('come to a deal that is paid for, within both bounds, where their people let it pass', async () => {
    const pair = await matched(
      { max_pay_cents: 45_000, auto_approve_below_cents: 45_000 },
      { min_charge_cents: 30_000, auto_approve_below_cents: 90_000 },
    );
    const turns = await talk(pair);
    const last = turns.at(-1);
    expect(last).toMatchObject({ action: 'approve', reason: 'approve_within_bounds' });
    const deal = (await t.call('GET', `/api/deals/${last.deal_id}`, { key: pair.buyer.key })).body;
    expect(deal).toMatchObject({
      status: 'funded',
      buyer_handle: pair.buyer.handle,
      seller_handle: pair.seller.handle,
    });
    expect(deal.amount_cents).toBeGreaterThanOrEqual(30_000);
    expect(deal.amount_cents).toBeLessThanOrEqual(45_000);
    const { phase, messages } = await threadOf(pair);
    expect(phase).toBe('closing');
    const said: { sender: string; content: string }[] = messages;
    expect(new Set(said.map(({ content }) => content)).size).toBe(said.length);
    // The seller may come to ask just that.
    const offered = said.filter(({ sender }) => sender === pair.buyer.handle);
    expect(offered.map(({ content }) => content).join('\n')).not.toContain('$450.00');
    const thanks = await advance(pair.seller.handle === last.message.sender ? pair.buyer : pair.seller, pair.id);
    expect(thanks.body).toMatchObject({ action: 'say', reason: 'agreed' });
  });

  test('leave the last word to people who set nothing to be approved alone', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const last = (await talk(pair)).at(-1);
    expect(last).toMatchObject({ action: 'wait', reason: 'person_decides', deal_id: null });
    const { proposal } = await threadOf(pair);
    for (const { token, handle: agent } of [pair.buyer, pair.seller]) {
      const body = { proposal_id: proposal.id, version: proposal.version };
      const said = await t.call('POST', `/api/conversations/${pair.id}/approve`, { token, agent, body });
      expect(said.status).toBe(200);
    }
    expect((await t.call('GET', '/api/deals', { key: pair.buyer.key })).body[0].status).toBe('funded');
  });

  test('part politely where they cannot agree', async () => {
    const pair = await matched({ max_pay_cents: 20_000 }, { min_charge_cents: 45_000 });
    const last = (await talk(pair)).at(-1);
    expect(last).toMatchObject({ action: 'close', reason: 'too_far_apart' });
    expect(last.message.content).toContain('Thank you');
    const { status, proposal } = await threadOf(pair);
    expect([status, proposal]).toEqual(['declined', null]);
    for (const [who, other] of [
      [pair.buyer, pair.seller],
      [pair.seller, pair.buyer],
    ] as const) {
      const ended = await eventsOf(t, who, 'conversation.completed');
      const data = { conversation_id: pair.id, counterparty_handle: other.handle };
      expect(ended.map((event) => event.data)).toEqual([data]);
    }
    expect((await advance(pair.buyer, pair.id)).body.error).toBe('conversation_closed');
  });
});

describe('what the listings ask', () => {
  test('is paid at most, however much more the buyer could pay', async () => {
    const pair = await matched({ max_pay_cents: 85_000 }, { min_charge_cents: 45_000 });
    const turns = await talk(pair);
    const named = turns.flatMap(({ proposal }) => (proposal === null ? [] : [proposal.amount_cents]));
    expect(named.length).toBeGreaterThan(0);
    expect(Math.max(...named)).toBeLessThanOrEqual(LOGO_OFFER.price_cents);
  });

  test('for an hour, or in several tiers, is not taken for the whole: without a bound its person is asked', async () => {
    const tiers = [
      { name: 'One', price_cents: 40_000, billing: 'one_time' },
      { name: 'Three', price_cents: 70_000, billing: 'one_time' },
    ];
    for (const offer of [
      { price_cents: 8_000, price_period: 'hour' },
      { price_cents: null, conditions: { tiers } },
    ]) {
      const pair = await matched({ max_pay_cents: 45_000 }, {}, offer);
      const last = (await talk(pair)).at(-1);
      expect(last).toMatchObject({ action: 'wait', reason: 'no_limit_known', proposal: null });
    }
  });
});

describe('a turn', () => {
  test('says yes behind the other side alone: nobody finds by proposing up to which amount it agrees', async () => {
    const auto_approve_below_cents = 30_000;
    const heard = [];
    for (const amount_cents of [auto_approve_below_cents - 1_000, auto_approve_below_cents + 1_000]) {
      const { buyer, seller, id } = await matched({ max_pay_cents: 80_000, auto_approve_below_cents }, {});
      const put = await t.call('POST', `/api/conversations/${id}/propose`, { key: seller.key, body: { amount_cents } });
      const first = (await advance(buyer, id)).body;
      expect([put.status, first.action, first.message]).toEqual([201, 'wait', null]);
      const { proposal, messages } = (await t.call('GET', `/api/conversations/${id}`, { key: seller.key })).body;
      heard.push([proposal.approved_by, messages.length]);
      await t.call('POST', `/api/conversations/${id}/approve`, { token: seller.token, agent: seller.handle });
      const { action } = (await advance(buyer, id)).body;
      expect(action).toBe(amount_cents < auto_approve_below_cents ? 'approve' : 'wait');
    }
    expect(heard[1]).toEqual(heard[0]);
  });

  test('that proposes tells the other side nothing of what its person lets pass unseen', async () => {
    const seen = [];
    for (const auto_approve_below_cents of [1, 80_000]) {
      const { buyer, seller, id } = await matched({ max_pay_cents: 80_000, auto_approve_below_cents }, {});
      const body = { amount_cents: 20_000, side: 'buyer' };
      const put = (await t.call('POST', `/api/conversations/${id}/propose`, { key: buyer.key, body })).body;
      expect(put.approved_by).toEqual(auto_approve_below_cents > 1 ? [buyer.handle] : []);
      const { proposal, messages, status, phase } = (
        await t.call('GET', `/api/conversations/${id}`, { key: seller.key })
      ).body;
      const waiting = (await t.call('GET', '/api/proposals?waiting=true', { key: seller.key })).body;
      const { approved_by, bound, escalated } = proposal;
      seen.push({ approved_by, bound, escalated, status, phase, messages: messages.length, waiting: waiting.length });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ approved_by: [], waiting: 1 });
  });

  test('is whoever’s was written to, and taken once', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    expect((await advance(pair.seller, pair.id)).body.error).toBe('not_your_turn');
    const both = await Promise.all([advance(pair.buyer, pair.id), advance(pair.buyer, pair.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await advance(pair.buyer, pair.id)).body.error).toBe('not_your_turn');
    expect((await threadOf(pair)).messages).toHaveLength(1);
  });

  test('is one of five hundred on a day, in all conversations, and the next day begins anew', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const day = new Date(t.clock.now()).toISOString().slice(0, 10);
    const taken = count(`turns:${pair.buyer.id}:${day}`, 1_000, 'again', null, 499);
    await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: [taken] }) });
    expect((await advance(pair.buyer, pair.id)).status).toBe(200);
    expect((await advance(pair.seller, pair.id)).status).toBe(200);
    const full = await advance(pair.buyer, pair.id);
    const left = 86_400 - Math.floor((t.clock.now() % DAY_MS) / 1_000);
    expect([full.status, full.body.error, full.body.retry_after_seconds]).toEqual([429, 'rate_limited', left]);
    expect((await threadOf(pair)).messages).toHaveLength(2);
    await t.advance(DAY_MS);
    expect((await advance(pair.buyer, pair.id)).status).toBe(200);
  });

  test('is bargained in a temper that is drawn by a secret of the service for each limit, whoever the other side is', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const { store, secrets } = t.service.world;
    const me = await store.read(agentById, { id: pair.buyer.id });
    if (!me) throw new Error('the buyer is gone');
    const ctx = ctxOf(t, me.account_id);
    const course = await store.turn({
      attempt: async (read) => ({ reply: await readCourse(read, pair.id, me, ctx, null) }),
    });
    if (isFault(course) || !course.reply) throw new Error('nothing to take a turn from');
    const { reply } = course;
    const { mine, me: agent } = reply.talk;
    // The other side is no part of what it is drawn from.
    const temper = (code_key: Uint8Array, max_pay_cents = 45_000) => {
      const bounds = { ...agent.bounds, max_pay_cents };
      return manner({ secrets: { ...secrets, code_key } }, { ...agent, bounds }, mine, 'buyer').temper;
    };
    const key = secrets.code_key;
    expect(factsOf(ctx, reply, null).temper).toEqual(temper(key));
    for (const share of Object.values(temper(key))) expect([share >= 0, share < 1]).toEqual([true, true]);
    // A limit that is no secret, since it is listed, tells nothing of another.
    const drawn = [temper(key), temper(new Uint8Array(32).fill(7)), temper(key, 45_001)];
    for (const share of ['begins', 'pace', 'ends'] as const) {
      expect(new Set(drawn.map((one) => one[share])).size).toBe(3);
    }
  });

  test('says why, to its owner alone', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const turns = await talk(pair);
    const named = turns.find(({ reason }) => reason === 'concede' || reason === 'first_offer');
    const writer = named.message.sender === pair.buyer.handle ? pair.buyer : pair.seller;
    const other = writer === pair.buyer ? pair.seller : pair.buyer;
    const path = `/api/conversations/${pair.id}/why/${named.message.message_id}`;
    const why = (await t.call('GET', path, { key: writer.key })).body;
    expect(why).toMatchObject({ rule: named.reason, model: null });
    expect(why.bound_distance_cents).toBeGreaterThanOrEqual(0);
    expect((await t.call('GET', path, { key: other.key })).status).toBe(404);
    // Each side is told which of its own messages turns wrote, in both lists, and nothing about the other side's.
    await t.call('POST', `/api/messages/${pair.id}`, { key: writer.key, body: { content: 'This I write myself.' } });
    for (const { key, handle } of [writer, other]) {
      const list: Talked[] = (await t.call('GET', `/api/messages/${pair.id}?limit=100`, { key })).body;
      const byTurn = (all: readonly Talked[]) => all.filter(({ by_turn }) => by_turn === true);
      const told = byTurn(list).map(({ message_id }) => message_id);
      const taken = turns.filter(({ message }) => message?.sender === handle).map(({ message }) => message.message_id);
      expect(told.toSorted()).toEqual(taken.toSorted());
      expect(list.filter((message) => !told.includes(message.message_id) && 'by_turn' in message)).toEqual([]);
      const { messages } = (await t.call('GET', `/api/conversations/${pair.id}`, { key })).body;
      expect(byTurn(messages)).toEqual(byTurn(list.slice(0, messages.length)));
    }
  });

  test('does as its owner says, and discloses nothing even then', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const leak = await advance(pair.buyer, pair.id, { instruction: 'Write to me at ada@example.org instead.' });
    expect([leak.status, leak.body.error]).toEqual([400, 'disclosure_refused']);
    const asked = await advance(pair.buyer, pair.id, { instruction: 'Blue is a must.' });
    expect(asked.body.message.content).toEndWith('Blue is a must.');
    const stopped = await advance(pair.seller, pair.id, { instruction: 'stop' });
    expect(stopped.body).toMatchObject({ action: 'close', reason: 'told_to_stop' });
  });

  test('answers a question from what the agent knows and may tell, and from nothing else', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const { key } = pair.seller;
    const add = (text: string, is_public: boolean) =>
      t.call('POST', '/api/knowledge', { key, body: { text, public: is_public } });
    await add('Logos are delivered as vector files within five days.', true);
    await add('Vector files within two days for friends, and we never say so.', false);
    await advance(pair.buyer, pair.id);
    await t.call('POST', `/api/messages/${pair.id}`, {
      key: pair.buyer.key,
      body: { content: 'Are the logos delivered as vector files, and within how many days?' },
    });
    const { content } = (await advance(pair.seller, pair.id)).body.message;
    expect(content).toStartWith('Logos are delivered as vector files within five days.');
    expect(content).not.toContain('friends');
  });

  test('answers each question of a message, in other words than it was asked too, and only what was asked last', async () => {
    const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
    const { key } = pair.seller;
    for (const text of ['An audit takes five working days.', 'We write in English, German and Danish.'])
      await t.call('POST', '/api/knowledge', { key, body: { text, public: true } });
    await t.rest();
    await t.service.world.tasks.idle();
    const ask = async (content: string): Promise<string> => {
      await t.call('POST', `/api/messages/${pair.id}`, { key: pair.buyer.key, body: { content } });
      return (await advance(pair.seller, pair.id)).body.message.content;
    };
    const both = await ask('Hello! How long does an audit last? And do you write in German?');
    expect(both).toStartWith('An audit takes five working days. We write in English, German and Danish.');
    expect(await ask('Thank you, that is fine. We are a bakery.')).not.toContain('five working days');
    expect(await ask('What is your favourite colour?')).not.toContain('audit takes');
    // What would tell a limit is told by nobody, though it was made public.
    const text = 'Our lowest price for an audit is 300 dollars.';
    await t.call('POST', '/api/knowledge', { key, body: { text, public: true } });
    expect(await ask('What is your lowest price for an audit?')).not.toContain('300');
    // Nor the limit that a listing has of its own.
    const { seller } = pair;
    const [offer] = (await t.call('GET', `/api/agents/${seller.handle}/cards`, { key })).body;
    const goals = [{ issue: 'price', limit: 35_000, wish: 60_000 }];
    const path = `/api/agents/${seller.handle}/cards/${offer.id}/goals`;
    const set = await t.call('PUT', path, { token: seller.token, agent: seller.handle, body: { goals } });
    expect(set.status).toBe(200);
    const rush = 'For a rush order of an audit the least is 350 dollars.';
    await t.call('POST', '/api/knowledge', { key, body: { text: rush, public: true } });
    expect(await ask('What is the least for a rush order of an audit?')).not.toContain('350');
    const told = await advance(pair.buyer, pair.id, { instruction: 'Do not go above $450, that is my limit.' });
    expect([told.status, told.body.fields?.[0]?.path]).toEqual([400, 'instruction']);
    // Nor the one below which nobody is asked, where it does not count because a policy asks.
    const { buyer } = pair;
    const body = { auto_approve_below_cents: 31_000, policies: [{ operation: 'proposal.approve', outcome: 'ask' }] };
    await t.call('PATCH', '/api/agents/bounds', { token: buyer.token, agent: buyer.handle, body });
    const small = await advance(buyer, pair.id, { instruction: 'Up to $310 I need nobody’s yes.' });
    expect([small.status, small.body.fields?.[0]?.path]).toEqual([400, 'instruction']);
    const { message } = (await advance(buyer, pair.id)).body;
    const why = await t.call('GET', `/api/conversations/${pair.id}/why/${message.message_id}`, { key: buyer.key });
    expect(why.body.inputs).toMatchObject({ agrees_alone: false, auto_approve_below_cents: 31_000 });
  });

  test('waits for bounds where nothing says how far it may go', async () => {
    const buyer = await newAgent(t, { handle: 'boundless', verified: true, pro: true });
    const seller = await newAgent(t, { handle: 'sells_something', verified: true, pro: true });
    const id = await startTalk(t, seller, buyer.handle, 'I sell ropes.');
    for (let n = 0; n < 3; n += 1) {
      expect((await advance(buyer, id)).body.action).toBe('say');
      await t.call('POST', `/api/messages/${id}`, { key: seller.key, body: { content: `Yes ${n}` } });
    }
    const waits = (await advance(buyer, id)).body;
    expect(waits).toMatchObject({ action: 'wait', reason: 'side_unknown', message: null });
    expect(waits.how).toContain(`say your side, POST /api/conversations/${id}/propose`);
  });
});

test('turns, proposals and approvals go with their owner, and reasons are gone when it leaves', async () => {
  const pair = await matched({ max_pay_cents: 45_000 }, { min_charge_cents: 30_000 });
  await talk(pair);
  const { token, handle, id: agent_id } = pair.buyer;
  const said = { token, agent: handle, body: { decision: 'reject' } };
  expect((await t.call('POST', `/api/conversations/${pair.id}/approve`, said)).status).toBe(200);
  const taken = (await t.call('GET', '/api/account/export', { token })).body;
  const of = (section: string) => taken.sections[section] as Record<string, unknown>[];
  expect(of('proposals')).toHaveLength(1);
  expect(of('approvals')[0]).toMatchObject({ agent_id, decision: 'reject', by: 'person' });
  expect(of('turns').length).toBeGreaterThan(2);
  const forfeit = { forfeit: true };
  expect((await t.call('DELETE', '/api/account', { token, body: forfeit })).status).toBeLessThan(300);
  await t.advance(60_000);
  const { store } = t.service.world;
  const left = await store.read(turnsOf, { conversation_id: pair.id, agent_id, limit: 50 });
  expect(left.length).toBeGreaterThan(2);
  expect(left.map(({ reasons }) => reasons.inputs)).toEqual(left.map(() => ({})));
});
