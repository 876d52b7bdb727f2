// Two nodes on one database, and people and programs that speak at once through both: one proposal stands, an agreement is one deal with
// one escrow, a person's yes is done once, each turn of an autopilot is taken by one node, and a model costs no more than its caps. So too
// where the clock of one of them is behind.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { count } from '../../db/effects.ts';
import { counterById } from '../../db/queries/turn.ts';
import { MODEL_CAPS, modelKey, UNDER_WAY_MS } from '../../src/domain/negotiation/model-turn.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { feedback, LOGO_OFFER, LOGO_SEEK, matchesOf, publish } from '../support/matches.ts';
import {
  type AskedForm,
  chatAnswer,
  type ModelDouble,
  negotiatorAt,
  openModelDouble,
} from '../support/model-double.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { keyWith } from '../support/scene.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import type { TestAnswer, TestService } from '../support/testbed.ts';
import { startTalk } from '../support/threads.ts';
import { until } from '../support/until.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const server = await sharedPostgres();
const FUNDS_CENTS = 100_000;
/** As many as try at once. */
const AT_ONCE = 12;

/** As far as clocks may lie apart: an agent's one question at a time takes no more (domain/negotiation/model-turn.ts). */
const APART_MS = UNDER_WAY_MS / 2;

describe.each([
  ['of one time', 0],
  ['whose clocks differ', APART_MS],
])('two nodes %s', (_which, behind_ms) => {
  if (server === null) return;
  let nodes: readonly TestService[] = [];
  let double: ModelDouble;
  /** The rules decide, but where a test is about a model. */
  let rests = true;
  let made = 0;
  const node = (n: number): TestService => nodes[n % 2] as TestService;
  const atOnce = <T>(ask: (t: TestService, n: number) => Promise<T>, times = AT_ONCE): Promise<T[]> =>
    Promise.all(Array.from({ length: times }, (_, n) => ask(node(n), n)));

  beforeAll(async () => {
    double = openModelDouble();
    const asking = negotiatorAt(double);
    const negotiator = { ...asking, rests: () => rests };
    nodes = await openTestNodes(server, {}, { negotiator }, behind_ms);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((t) => t.close()));
    await double.close();
  });

  interface Pair {
    readonly buyer: TestAgent;
    readonly seller: TestAgent;
    readonly id: string;
  }
  const person = ({ token, handle }: TestAgent) => ({ token, agent: handle });
  const bound = (who: TestAgent, body: object): Promise<TestAnswer> =>
    node(0).call('PATCH', '/api/agents/bounds', { ...person(who), body });

  async function pair(): Promise<Pair> {
    made += 1;
    const t = node(0);
    const buyer = await newAgent(t, { handle: `buys_${made}`, verified: true, pro: true });
    const seller = await newAgent(t, { handle: `sells_${made}`, verified: true, pro: true });
    await fundWallet(t, buyer.id, FUNDS_CENTS);
    const id = await startTalk(t, buyer, seller.handle, 'Hello');
    return { buyer, seller, id };
  }
  const propose = (t: TestService, who: TestAgent, id: string, amount_cents: number, side: string) =>
    t.call('POST', `/api/conversations/${id}/propose`, { key: who.key, body: { amount_cents, side } });
  const approve = (t: TestService, who: TestAgent, id: string, body: object = {}) =>
    t.call('POST', `/api/conversations/${id}/approve`, { ...person(who), body });
  const proposals = async ({ buyer, id }: Pair): Promise<TestAnswer['body'][]> => {
    const { body } = await node(1).call('GET', '/api/proposals?limit=100', person(buyer));
    return body.filter(({ conversation_id }: { conversation_id: string }) => conversation_id === id);
  };
  const deals = async ({ buyer }: Pair): Promise<TestAnswer['body'][]> =>
    (await node(1).call('GET', '/api/deals', person(buyer))).body;
  const balance = ({ buyer }: Pair): Promise<number> => balanceOf(node(1), `wallet:${buyer.id}`);

  afterEach(async () => {
    const asked = { headers: { 'X-Internal-Token': node(1).internal_token } };
    expect((await node(1).call('GET', '/api/admin/ledger/check', asked)).body.problems).toEqual([]);
  });

  test('let one proposal stand of many that are put at once, and number them without a hole', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    const put = await atOnce((t, n) =>
      n % 3 === 0 ? propose(t, buyer, id, 1_000 + n, 'buyer') : propose(t, seller, id, 1_000 + n, 'seller'),
    );
    for (const { status } of put) expect([201, 409]).toContain(status);
    const stored = await proposals(both);
    expect(stored).toHaveLength(put.filter(({ status }) => status === 201).length);
    const versions = stored.map(({ version }) => version).toSorted((a, b) => a - b);
    expect(versions).toEqual(versions.map((_, n) => n + 1));
    expect(stored.filter(({ status }) => status === 'open').map(({ version }) => version)).toEqual([stored.length]);
  });

  test('make one deal of a yes that is said at once, again and by both', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    await propose(node(0), seller, id, 4_000, 'seller');
    const said = await atOnce((t, n) => approve(t, n % 4 < 2 ? buyer : seller, id));
    for (const { status } of said) expect([200, 409]).toContain(status);
    const [deal, ...more] = await deals(both);
    expect([deal.status, deal.amount_cents, more]).toEqual(['funded', 4_000, []]);
    expect(await balance(both)).toBe(FUNDS_CENTS - 4_000);
  });

  test('agree to a proposal or replace it, whichever comes first, and never both', async () => {
    for (let round = 0; round < 6; round += 1) {
      const both = await pair();
      const { buyer, seller, id } = both;
      await approve(node(0), seller, id, {
        proposal_id: (await propose(node(0), seller, id, 4_000, 'seller')).body.id,
      });
      const first = (await proposals(both))[0];
      const [agreed, put] = await Promise.all([
        approve(node(round), buyer, id, { proposal_id: first.id }),
        propose(node(round + 1), seller, id, 5_000, 'seller'),
      ]);
      const stands = (await proposals(both)).find((proposal) => proposal.id === first.id);
      const made_of = await deals(both);
      expect(made_of).toHaveLength(agreed.status === 200 ? 1 : 0);
      expect(stands.status).toBe(agreed.status === 200 ? 'approved' : 'replaced');
      if (agreed.status !== 200) expect([agreed.body.error, put.status]).toEqual(['proposal_replaced', 201]);
      expect(await balance(both)).toBe(FUNDS_CENTS - (agreed.status === 200 ? 4_000 : 0));
    }
  });

  test('count the yes that a side said last, through whichever of them it was said', async () => {
    const both = await pair();
    const { buyer, seller, id } = both;
    for (const who of [buyer, seller]) await bound(who, { auto_approve_below_cents: 4_000 });
    const spends = ['payments:write', 'conversations:write', 'agents:read'];
    const body = { name: 'spends', scopes: spends };
    const program = (await node(0).call('POST', '/api/developer/keys', { token: buyer.token, body })).body;
    await propose(node(0), seller, id, 4_000, 'seller');
    // Neither program's yes stands when the other side says its own.
    await bound(seller, { auto_approve_below_cents: null });
    const agrees = { key: program.api_key, body: {} };
    const first = await node(0).call('POST', `/api/conversations/${id}/approve`, agrees);
    expect(first.body.proposal.approved_by).toEqual([buyer.handle]);
    await node(0).call('DELETE', `/api/developer/keys/${program.id}`, { token: buyer.token });
    expect((await approve(node(1), seller, id)).body.proposal.approved_by).toEqual([seller.handle]);
    expect((await approve(node(0), buyer, id)).body.proposal.status).toBe('approved');
    expect(await balance(both)).toBe(FUNDS_CENTS - 4_000);
  });

  test('do once what a person lets a program do, who says it at once through both', async () => {
    const both = await pair();
    const { buyer, seller } = both;
    await bound(buyer, { max_pay_cents: 200 });
    const key = await keyWith(node(0), buyer.email, ['payments:write', 'agents:read']);
    const send = { to_handle: seller.handle, amount_cents: 700 };
    const { action_id } = (await node(0).call('POST', '/api/wallet/send', { key, body: send })).body;
    const decide = (t: TestService, n: number): Promise<TestAnswer> =>
      t.call('POST', `/api/actions/${action_id}/decide`, {
        ...person(buyer),
        body: { decision: n % 4 === 3 ? 'reject' : 'approve' },
      });
    const said = await atOnce(decide);
    const done = said.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    for (const { status, body } of said) if (status !== 200) expect(body.error).toBe('already_answered');
    const paid = done[0]?.body.action.status === 'approved' ? 700 : 0;
    expect(await balance(both)).toBe(FUNDS_CENTS - paid);
  });

  test('keep one action of what is asked for at once through both, and no more of others than may wait', async () => {
    const { buyer, seller } = await pair();
    await bound(buyer, { max_pay_cents: 200 });
    const key = await keyWith(node(0), buyer.email, ['payments:write', 'agents:read']);
    const ask = (t: TestService, amount_cents: number): Promise<TestAnswer> =>
      t.call('POST', '/api/wallet/send', { key, body: { to_handle: seller.handle, amount_cents } });
    const same = await atOnce((t) => ask(t, 700));
    expect(new Set(same.map(({ body }) => body.action_id)).size).toBe(1);
    const others = await atOnce((t, n) => ask(t, 800 + n), 2 * AT_ONCE + 4);
    for (const { body } of [...same, ...others]) expect(body.error).toBe('outside_bounds');
    const waiting = (await node(1).call('GET', '/api/actions?waiting=true&limit=100', person(buyer))).body;
    expect(waiting).toHaveLength(25);
    expect(others.filter(({ body }) => body.waiting === 25)).toHaveLength(4);
  });

  test('do once what a policy lets silence count for, whoever answers in the same moment', async () => {
    const [silent, spoken] = [await pair(), await pair()];
    const asks = { operation: 'wallet.send', outcome: 'ask', ask_minutes: 60, on_timeout: 'allow' };
    for (const { buyer, seller } of [silent, spoken]) {
      await bound(buyer, { policies: [asks] });
      const key = await keyWith(node(0), buyer.email, ['payments:write', 'agents:read']);
      const body = { to_handle: seller.handle, amount_cents: 300 };
      expect((await node(0).call('POST', '/api/wallet/send', { key, body })).body.error).toBe('outside_bounds');
    }
    const [{ id }] = (await node(0).call('GET', '/api/actions?waiting=true', person(spoken.buyer))).body;
    node(0).clock.moveTo(node(0).clock.now() + HOUR_MS);
    const rejected = { ...person(spoken.buyer), body: { decision: 'reject' } };
    const [said] = await Promise.all([
      node(1).call('POST', `/api/actions/${id}/decide`, rejected),
      node(0).advance(0),
      node(1).advance(0),
    ]);
    await Promise.all([node(0).rest(), node(1).rest()]);
    expect(await balance(silent)).toBe(FUNDS_CENTS - 300);
    expect(await balance(spoken)).toBe(FUNDS_CENTS - (said.status === 200 ? 0 : 300));
  });

  test('take each turn of agents on autopilot once, however both strike', async () => {
    const buyer = await newAgent(node(0), { handle: 'pilot_buys', verified: true, pro: true });
    const seller = await newAgent(node(0), { handle: 'pilot_sells', verified: true, pro: true });
    await fundWallet(node(0), buyer.id, FUNDS_CENTS);
    await bound(buyer, { max_pay_cents: 60_000, auto_approve_below_cents: 60_000 });
    await bound(seller, { min_charge_cents: 50_000, auto_approve_below_cents: 99_000 });
    for (const who of [buyer, seller])
      await node(0).call('PATCH', `/api/agents/${who.handle}`, { ...person(who), body: { autopilot: true } });
    await publish(node(0), seller, { ...LOGO_OFFER, labels: ['pilots'] });
    await publish(node(0), buyer, { ...LOGO_SEEK, labels: ['pilots'] });
    const [match] = await matchesOf(node(0), buyer);
    const { conversation_id } = (await feedback(node(0), buyer, match.match_id, 'interested')).body;
    for (let turn = 0; turn < 40; turn += 1) {
      node(0).clock.moveTo(node(0).clock.now() + 15_000);
      await Promise.all(nodes.map((t) => t.advance(0)));
      await Promise.all(nodes.map((t) => t.rest()));
    }
    const asked = { key: buyer.key };
    const { messages, phase } = (await node(1).call('GET', `/api/conversations/${conversation_id}`, asked)).body;
    expect(phase).toBe('closing');
    const said: string[] = messages.map(({ sender, content }: Record<string, string>) => `${sender}: ${content}`);
    expect(new Set(said).size).toBe(said.length);
    expect((await deals({ buyer, seller, id: conversation_id })).map(({ status }) => status)).toEqual(['funded']);
  });

  /** An agent that was written to by so many others, for as many turns at once. */
  async function asksOf(handle: string, many: number) {
    const asker = await newAgent(node(0), { handle, verified: true });
    const ids: string[] = [];
    for (let n = 0; n < many; n += 1) {
      const { key } = await newAgent(node(0), { handle: `${handle}_${n}`, verified: true });
      const body = { handle: asker.handle, content: 'What is it for?' };
      ids.push((await node(0).call('POST', '/tools/mesh_start_conversation', { key, body })).body.conversation_id);
    }
    const advance = async (n: number): Promise<string> => {
      const { body } = await node(n).call('POST', `/api/conversations/${ids[n]}/advance`, { key: asker.key });
      return body.reason ?? body.error;
    };
    return { asker, advance };
  }
  const turn = { action: 'say', text: 'For a shop.', amount_cents: null, terms: null, milestones: null };

  test('ask a model one question at a time for an agent, whichever of them asks', async () => {
    rests = false;
    const [one, other] = [await asksOf('is_asked', 6), await asksOf('is_asked_too', 1)];
    let [at_once, most, others] = [0, 0, 0];
    const answers = Promise.withResolvers<void>();
    double.answer(async ({ form, body }) => {
      if (JSON.stringify(body).includes('@is_asked_too')) {
        others += 1;
        return chatAnswer(form, turn);
      }
      at_once += 1;
      most = Math.max(most, at_once);
      await answers.promise;
      at_once -= 1;
      return chatAnswer(form, turn);
    });
    const turns = [0, 1, 2, 3, 4, 5].map(one.advance);
    await until(() => at_once > 0);
    // Another agent's question is no part of it.
    expect([await other.advance(0), others]).toEqual(['model_says', 1]);
    answers.resolve();
    expect(await Promise.all(turns)).toEqual(turns.map(() => 'model_says'));
    expect(most).toBe(1);
  });

  test('ask a model for an agent no more than its caps leave room for, though one question is under way elsewhere', async () => {
    rests = false;
    const { asker, advance } = await asksOf('is_capped', 2);
    const { store } = node(0).service.world;
    const key = modelKey('tokens', asker.id, node(0).clock.now());
    const used = async (): Promise<number> => (await store.read(counterById, { id: key }))?.n ?? 0;
    const answers = Promise.withResolvers<Response>();
    const before = double.asked.length;
    let form: AskedForm = 'tool';
    double.answer((request) => {
      form = request.form;
      return answers.promise;
    });
    const under_way = advance(0);
    await until(() => double.asked.length > before);
    const most = await used();
    expect(most).toBeGreaterThan(1_000);
    // Of the day there is left what is under way, and half a question more.
    const spent = count(key, MODEL_CAPS.tokens, 'again', null, MODEL_CAPS.tokens - Math.ceil(1.5 * most));
    await store.turn({ attempt: async () => ({ reply: null, effects: [spent] }) });
    const waits = advance(1);
    answers.resolve(chatAnswer(form, turn, { total_tokens: most }));
    expect(await under_way).toBe('model_says');
    expect(await waits).toBe('answer_and_ask');
    expect(double.asked).toHaveLength(before + 1);
    expect(await used()).toBe(MODEL_CAPS.tokens - Math.ceil(0.5 * most));
  });
});
