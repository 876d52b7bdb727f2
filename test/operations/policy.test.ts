// Policies: of an operation and a counterparty, a program of the agent does it alone, asks or is refused, and never beyond the bounds. What
// is asked waits as long as the person said, and then happens only where they said so and the bounds still let it.

import { describe, expect, test } from 'bun:test';
import { approvalsOf } from '../../db/queries/negotiation.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { eventsOf } from '../support/matches.ts';
import { sharedService } from '../support/opened.ts';
import { keyWith } from '../support/scene.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { balanceOf, fundWallet } from '../support/wallet.ts';

const t = sharedService();
let names = 0;

interface Payer extends TestAgent {
  readonly pays: string;
}

const person = ({ token, handle: agent }: TestAgent) => ({ token, agent });
const setBounds = (who: TestAgent, body: object): Promise<TestAnswer> =>
  t.call('PATCH', '/api/agents/bounds', { ...person(who), body });

async function payerOf(policies: readonly object[], bounds: object = {}): Promise<Payer> {
  const agent = await newAgent(t, { handle: `ruled_${++names}`, verified: true, pro: true });
  await fundWallet(t, agent.id, 50_000);
  expect((await setBounds(agent, { ...bounds, policies })).status).toBe(200);
  return { ...agent, pays: await keyWith(t, agent.email, ['payments:write', 'agents:read', 'agents:write']) };
}
const payeeOf = (): Promise<TestAgent> => newAgent(t, { handle: `payee_${++names}`, verified: true, pro: true });

const said = ({ status, body }: TestAnswer): string => `${status} ${body.error ?? ''}`.trim();
const send = ({ pays: key }: Payer, { handle: to_handle }: TestAgent, amount_cents = 900): Promise<TestAnswer> =>
  t.call('POST', '/api/wallet/send', { key, body: { to_handle, amount_cents } });
/** By a new session: time goes on in these tests, and keys end. */
const actionOf = async (who: Payer, id: string) => {
  const { body } = await t.call('GET', '/api/actions', person({ ...who, token: await signIn(t, who.email) }));
  return (body as { id: string }[]).find((each) => each.id === id);
};
const decide = (who: TestAgent, id: string, decision = 'approve'): Promise<TestAnswer> =>
  t.call('POST', `/api/actions/${id}/decide`, { ...person(who), body: { decision } });

const ASK = { operation: 'wallet.send', outcome: 'ask' };
const WILL = { ...ASK, ask_minutes: 30, on_timeout: 'allow' };

describe('a policy', () => {
  test('that refuses is told as such, asks nobody, and binds programs alone', async () => {
    const [ada, bob] = [await payerOf([{ operation: 'wallet.send', outcome: 'refuse' }]), await payeeOf()];
    const refused = await send(ada, bob);
    expect(said(refused)).toBe('403 outside_bounds');
    expect(refused.body).toMatchObject({
      bound: 'policy',
      policy: { operation: 'wallet.send', handle: null, outcome: 'refuse' },
    });
    expect(refused.body.action_id).toBeUndefined();
    expect((await t.call('GET', '/api/actions', person(ada))).body).toEqual([]);
    const body = { to_handle: bob.handle, amount_cents: 900 };
    expect((await t.call('POST', '/api/wallet/send', { ...person(ada), body })).status).toBe(201);
  });

  test('that asks keeps what was asked for, as often as it comes, and a yes does it', async () => {
    const [ada, bob] = [await payerOf([{ ...ASK, ask_minutes: 45 }]), await payeeOf()];
    for (const left of [49_100, 48_200]) {
      const { body } = await send(ada, bob);
      const { action_id } = (await send(ada, bob)).body;
      expect(action_id).toBe(body.action_id);
      expect(await actionOf(ada, action_id)).toMatchObject({
        ...{ bound: 'policy', bound_cents: null, on_timeout: 'refuse', status: 'pending' },
        expires_at: new Date(t.clock.now() + 45 * MINUTE_MS).toISOString(),
      });
      expect((await decide(ada, action_id)).status).toBe(200);
      expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(left);
    }
  });

  test('of the counterparty counts before that of everybody', async () => {
    const [bob, eve] = [await payeeOf(), await payeeOf()];
    const ada = await payerOf([
      ASK,
      { operation: 'wallet.send', handle: bob.handle, outcome: 'allow' },
      { operation: 'wallet.send', handle: `@${eve.handle.toUpperCase()}`, outcome: 'refuse' },
    ]);
    expect((await send(ada, bob)).status).toBe(201);
    expect((await send(ada, eve)).body.policy).toMatchObject({ handle: eve.handle, outcome: 'refuse' });
    expect((await send(ada, await payeeOf())).body.policy).toMatchObject({ handle: null, outcome: 'ask' });
  });

  test('is never wider than the bounds', async () => {
    const bob = await payeeOf();
    const ada = await payerOf([{ ...WILL, handle: bob.handle }], { max_pay_cents: 500 });
    const beyond = await send(ada, bob, 900);
    expect(beyond.body).toMatchObject({ bound: 'max_pay_cents', bound_cents: 500 });
    expect(await actionOf(ada, beyond.body.action_id)).toMatchObject({ on_timeout: 'refuse' });
    await t.advance(73 * 60 * MINUTE_MS);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(50_000);
  });
});

describe('what nobody answered', () => {
  test('happens by itself where the policy says so, once, and is written down as done by the program', async () => {
    const bob = await payeeOf();
    const ada = await payerOf([{ ...WILL, handle: bob.handle }]);
    const { action_id } = (await send(ada, bob)).body;
    const [asked] = await eventsOf(t, ada, 'negotiation.escalated');
    expect(asked.data).toMatchObject({ bound: 'policy', done_at: asked.respond_by });
    await t.advance(29 * MINUTE_MS);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(50_000);
    await t.advance(2 * MINUTE_MS);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(49_100);
    expect(await actionOf(ada, action_id)).toMatchObject({ status: 'approved', result: { amount_cents: 900 } });
    const recorded = await t.service.world.store.read(approvalsOf, { agent_id: ada.id, after: '', limit: 10 });
    const [word] = recorded;
    expect([recorded.length, word?.by, word?.subject_id, word?.decision]).toEqual([1, 'policy', action_id, 'approve']);
    // For good, and so by ids alone: names go with whom they are of.
    const kept = { operation: 'wallet.send', on_timeout: 'allow', agent_id: bob.id, handle: null };
    expect(word?.bounds.policies).toMatchObject([kept]);
    await t.advance(60 * MINUTE_MS);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(49_100);
    expect(said(await decide({ ...ada, token: await signIn(t, ada.email) }, action_id))).toBe('409 already_answered');
  });

  test('does not happen where the person said no, or nothing of it was said', async () => {
    const [ada, bob] = [await payerOf([WILL]), await payeeOf()];
    await decide(ada, (await send(ada, bob)).body.action_id, 'reject');
    const [eve, max] = [await payerOf([{ ...ASK, ask_minutes: 30 }]), await payeeOf()];
    const { action_id } = (await send(eve, max)).body;
    await t.advance(60 * MINUTE_MS);
    expect([await balanceOf(t, `wallet:${ada.id}`), await balanceOf(t, `wallet:${eve.id}`)]).toEqual([50_000, 50_000]);
    expect(await actionOf(eve, action_id)).toMatchObject({ status: 'expired' });
  });

  test('does not happen where bounds, policies, the key or the agent came to say otherwise meanwhile', async () => {
    const bob = await payeeOf();
    const since: Readonly<Record<string, (ada: Payer) => Promise<unknown>>> = {
      outside_bounds: (ada) => setBounds(ada, { max_pay_cents: 100 }),
      'outside_bounds ': (ada) => setBounds(ada, { policies: [{ operation: 'wallet.send', outcome: 'refuse' }] }),
      'outside_bounds  ': (ada) => setBounds(ada, { policies: [ASK] }),
      unauthorized: async (ada) => {
        const { body } = await t.call('GET', '/api/developer/keys', person(ada));
        for (const { id } of body) await t.call('DELETE', `/api/developer/keys/${id}`, person(ada));
      },
      spending_limit: (ada) =>
        t.call('PATCH', '/api/wallet/', { ...person(ada), body: { spending_limit: { per_transaction_cents: 100 } } }),
    };
    for (const [error, change] of Object.entries(since)) {
      const ada = await payerOf([WILL]);
      const { action_id } = (await send(ada, bob)).body;
      await change(ada);
      await t.advance(31 * MINUTE_MS);
      expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(50_000);
      expect(await actionOf(ada, action_id)).toMatchObject({ status: 'expired', result: { error: error.trim() } });
    }
  });

  test('happens once where its program asks again before it has, though the time is over', async () => {
    const [ada, bob] = [await payerOf([WILL]), await payeeOf()];
    const { action_id } = (await send(ada, bob)).body;
    // Nothing that is due has run yet.
    t.clock.moveTo(t.clock.now() + 30 * MINUTE_MS + 1);
    expect((await send(ada, bob)).body.action_id).toBe(action_id);
    await t.advance(60 * MINUTE_MS);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(49_100);
  });

  test('does not happen twice where it is done while a person answers', async () => {
    const [ada, bob] = [await payerOf([WILL]), await payeeOf()];
    const { action_id } = (await send(ada, bob)).body;
    await Promise.all([t.advance(30 * MINUTE_MS), decide(ada, action_id), decide(ada, action_id)]);
    expect(await balanceOf(t, `wallet:${ada.id}`)).toBe(49_100);
  });
});

describe('policies', () => {
  test('that cannot be are refused, each by its place', async () => {
    const ada = await newAgent(t, { handle: `ruled_${++names}` });
    const wrong: readonly (readonly [object, string])[] = [
      [{ operation: 'wallet.send', outcome: 'allow', ask_minutes: 3 }, 'policies.1.outcome'],
      [{ operation: 'wallet.send', outcome: 'ask', handle: 'nobody_at_all' }, 'policies.1.handle'],
      [{ operation: 'router_call.make', outcome: 'ask', on_timeout: 'allow' }, 'policies.1.on_timeout'],
      [{ operation: 'proposal.approve', outcome: 'refuse' }, 'policies.1.outcome'],
      [{ operation: 'proposal.approve', outcome: 'ask', ask_minutes: 3 }, 'policies.1.operation'],
      [{ operation: 'demand.award', outcome: 'ask' }, 'policies.1'],
      [{ operation: 'wallet.fund', outcome: 'ask' }, 'policies.1.operation'],
      [{ operation: 'wallet.send', outcome: 'ask', ask_minutes: 5_000 }, 'policies.1.ask_minutes'],
    ];
    for (const [policy, path] of wrong) {
      const answer = await setBounds(ada, { policies: [{ operation: 'demand.award', outcome: 'ask' }, policy] });
      expect(said(answer)).toBe('400 invalid_request');
      expect(JSON.stringify(answer.body)).toContain(`"${path}"`);
    }
    const many = Array.from({ length: 51 }, () => ASK);
    expect(said(await setBounds(ada, { policies: many }))).toBe('400 invalid_request');
  });

  test('that a person set are changed by a person alone; a key sets them where none did', async () => {
    const ada = await payerOf([]);
    const by_key = (body: object) => t.call('PATCH', '/api/agents/bounds', { key: ada.pays, body });
    expect((await by_key({ policies: [ASK] })).body.bounds.policies).toEqual([
      { operation: 'wallet.send', outcome: 'ask', handle: null, ask_minutes: null, on_timeout: null },
    ]);
    await setBounds(ada, { policies: [{ ...ASK, ask_minutes: 5 }] });
    expect(said(await by_key({ policies: [] }))).toBe('403 session_required');
    expect((await by_key({ max_pay_cents: 5 })).status).toBe(200);
    await setBounds(ada, { policies: null });
    expect((await by_key({ policies: [ASK] })).status).toBe(200);
  });
});
