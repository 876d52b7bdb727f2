// Where accounts are paid to: a person connects it on the processor's page, what the processor says of it is kept, and it proves
// somebody only where real money moves.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/domain/time.ts';
import type { PayeeState, Processor } from '../../src/outbound/processor/processor.ts';
import { createSandbox, type SandboxOptions } from '../../src/outbound/processor/sandbox.ts';
import { newAgent, newProvisional, signIn, type TestAgent } from '../support/agents.ts';
import { decideOn } from '../support/funds.ts';
import { eventsOf } from '../support/matches.ts';
import { rpc } from '../support/mcp.ts';
import { statusTold } from '../support/proofs.ts';
import { openTestService, type TestService } from '../support/testbed.ts';
import { fundWallet } from '../support/wallet.ts';

const CONNECT = '/api/payments/connect';
const STATUS = '/api/payments/connect/status';
const REVISION = '2025-11-25';

const NOT_YET = {
  connected: false,
  can_withdraw: false,
  payouts_enabled: false,
  details_submitted: false,
  minimum_withdrawal_cents: 1000,
};
const CONNECTED = {
  connected: true,
  can_withdraw: true,
  payouts_enabled: true,
  details_submitted: true,
  minimum_withdrawal_cents: 1000,
  destination: { bank_name: 'Test Bank', last4: '6789', country: 'US' },
  next_step: null,
};
const BY_PERSON = { kind: 'session', name: null };
const NOBODY = { destination: null, connected_by: null, connected_at: null };

const status = async (t: TestService, { key, handle }: TestAgent) =>
  (await t.call('GET', STATUS, { key, agent: handle })).body;
const connect = (t: TestService, { key, handle }: TestAgent) => t.call('POST', CONNECT, { key, agent: handle });

describe('with the sandbox', () => {
  let t: TestService;
  beforeAll(async () => {
    t = await openTestService();
  });
  afterAll(() => t.close());

  test('a person connects on the page, and the account is then connected', async () => {
    const ada = await newAgent(t, { handle: 'connects' });
    const before = await status(t, ada);
    expect(before).toMatchObject(NOT_YET);
    expect(before.next_step).toContain('POST /api/payments/connect');
    const begun = await connect(t, ada);
    expect([begun.status, begun.body]).toEqual([
      200,
      { success: true, onboarding_url: expect.any(String), resumed: false, note: expect.any(String) },
    ]);
    const { onboarding_url } = begun.body;
    expect(await status(t, ada)).toMatchObject(NOT_YET);
    // Whoever leaves the page goes on another time, from the same address.
    expect(await (await decideOn(t, onboarding_url, 'cancel')).text()).toContain('Not connected');
    expect((await connect(t, ada)).body).toMatchObject({ onboarding_url, resumed: true });
    expect(await (await decideOn(t, onboarding_url, 'pay')).text()).toContain('Connected');
    expect(await status(t, ada)).toEqual({
      ...CONNECTED,
      connected_by: { kind: 'key', name: 'signup' },
      connected_at: new Date(t.clock.now()).toISOString(),
    });
    const again = await connect(t, ada);
    expect([again.status, again.body.error]).toEqual([400, 'already_connected']);
    const { body } = await t.call('GET', '/api/agents/connects', { key: ada.key });
    expect([body.verified, body.trust.credentials]).toEqual([false, ['email']]);
  });

  test('its person gets one letter of it, though all mail is muted, and the agent an event', async () => {
    const agent = await newAgent(t, { handle: 'told_payee', email: 'told-payee@example.org' });
    const letters = () => t.mails.filter(({ to, subject }) => to === agent.email && subject.includes('payout account'));
    const mute = { email: 'none', mute: ['payout.connected'] };
    await t.call('PATCH', '/api/notifications/preferences', { key: agent.key, body: mute });
    const { onboarding_url } = (await connect(t, agent)).body;
    await t.advance(0);
    expect(letters()).toHaveLength(0);
    await decideOn(t, onboarding_url, 'pay');
    for (const _ of [1, 2]) await status(t, agent);
    await t.advance(DAY_MS);
    expect(letters().map(({ text }) => text.includes('@told_payee'))).toEqual([true]);
    expect((await eventsOf(t, agent, 'payout.connected')).map(({ data }) => data)).toEqual([{ processor: 'sandbox' }]);
    const notices = (await t.call('GET', '/api/notifications/', { key: agent.key })).body;
    expect(notices[0]).toMatchObject({ kind: 'payout.connected', url: expect.stringContaining('/payouts') });
  });

  test('the tools do the same, and say their own calls', async () => {
    const agent = await newAgent(t, { handle: 'connects_by_tool' });
    const tool = async (name: string) =>
      (await rpc(t, 'tools/call', { name, arguments: {} }, { key: agent.key, revision: REVISION })).body.result
        .structuredContent;
    expect((await tool('mesh_payout_status')).next_step).toContain('mesh_payout_setup');
    await decideOn(t, (await tool('mesh_payout_setup')).onboarding_url, 'pay');
    expect(await tool('mesh_payout_status')).toMatchObject(CONNECTED);
  });

  test('the connection is the account’s: each of its agents has it', async () => {
    const one = await newAgent(t, { handle: 'shares_a', email: 'shares@example.org' });
    const two = await newAgent(t, { handle: 'shares_b', email: 'shares@example.org' });
    await decideOn(t, (await connect(t, one)).body.onboarding_url, 'pay');
    expect(await status(t, two)).toMatchObject(CONNECTED);
  });

  test('the money of an agent that was deactivated is seen and withdrawn, though nothing was connected before', async () => {
    const agent = await newAgent(t, { handle: 'left_payee', verified: true });
    await fundWallet(t, agent.id, 2_000);
    expect((await t.call('DELETE', '/api/agents/left_payee', { key: agent.key })).status).toBe(200);
    const as = { token: await signIn(t, agent.email), agent: 'left_payee' };
    const withdraw = () => t.call('POST', '/api/wallet/withdraw', { ...as, body: { amount: 2_000 } });
    expect((await withdraw()).body.error).toBe('not_connected');
    const { onboarding_url } = (await t.call('POST', CONNECT, as)).body;
    await decideOn(t, onboarding_url, 'pay');
    expect((await t.call('GET', STATUS, as)).body).toMatchObject({ ...CONNECTED, connected_by: BY_PERSON });
    expect((await withdraw()).status).toBe(201);
    expect((await t.call('GET', '/api/wallet/transactions', as)).body[0]).toMatchObject({ amount_cents: -2_000 });
  });

  test('its person disconnects it, and then nothing is withdrawn until another one is connected, from the beginning', async () => {
    const agent = await newAgent(t, { handle: 'disconnects', verified: true });
    await fundWallet(t, agent.id, 5_000);
    let { token } = agent;
    const asPerson = (method: string, path: string, body?: object) =>
      t.call(method, path, { token, agent: agent.handle, ...(body && { body }) });
    const withdraw = () => asPerson('POST', '/api/wallet/withdraw', { amount_cents: 1_000 });
    const none = await asPerson('DELETE', CONNECT);
    expect([none.status, none.body.error]).toEqual([409, 'not_connected']);
    const first = (await connect(t, agent)).body.onboarding_url;
    await decideOn(t, first, 'pay');
    const { body: payout } = await withdraw();
    expect(payout).toMatchObject({ status: 'pending', destination: CONNECTED.destination });

    expect((await t.call('DELETE', CONNECT, { key: agent.key })).body.error).toBe('session_required');
    expect((await asPerson('DELETE', CONNECT)).body).toEqual({ disconnected: true });
    expect(await status(t, agent)).toMatchObject({ ...NOT_YET, ...NOBODY });
    expect((await withdraw()).body.error).toBe('not_connected');
    expect((await asPerson('GET', '/api/wallet/')).body.payout_rails).toEqual(['chain']);
    expect((await decideOn(t, first, 'pay')).status).toBe(404);
    expect((await asPerson('DELETE', CONNECT)).body.error).toBe('not_connected');
    // What was under way arrives.
    await t.advance(3 * DAY_MS);
    token = await signIn(t, agent.email);
    expect((await asPerson('GET', `/api/wallet/payouts/${payout.id}`)).body.status).toBe('finalized');

    const next = (await connect(t, agent)).body;
    expect([next.resumed, next.onboarding_url === first]).toEqual([false, false]);
    expect(await status(t, agent)).toMatchObject(NOT_YET);
    await decideOn(t, next.onboarding_url, 'pay');
    expect(await status(t, agent)).toMatchObject(CONNECTED);
    expect((await withdraw()).status).toBe(201);
  });

  test('a key that asked for it stays named, though its person goes on with what it began', async () => {
    const agent = await newAgent(t, { handle: 'asked_twice' });
    const asPerson = { token: agent.token, agent: agent.handle };
    const by = async () => (await status(t, agent)).connected_by;
    await t.call('POST', CONNECT, asPerson);
    expect(await by()).toEqual(BY_PERSON);
    await connect(t, agent);
    expect(await by()).toEqual({ kind: 'key', name: 'signup' });
    await t.call('POST', CONNECT, asPerson);
    expect(await by()).toEqual({ kind: 'key', name: 'signup' });
  });

  test('a provisional agent connects nothing', async () => {
    const { key } = await newProvisional(t, 'unclaimed_payee');
    const refused = await t.call('POST', CONNECT, { key });
    expect([refused.status, refused.body.error]).toEqual([403, 'provisional_account']);
  });

  test('the ways of money are told', async () => {
    const agent = await newAgent(t, { handle: 'asks_ways' });
    const { body } = await t.call('GET', '/api/payments/status', { key: agent.key });
    expect(body).toEqual({
      processor: 'sandbox',
      chain_rail: 'sandbox',
      currency: 'USD',
      funding: true,
      payouts: true,
    });
  });
});

/** A service whose processor moves real money and says of each connection what the test last told it. */
async function live(run: (t: TestService, agent: TestAgent, say: (s: Partial<PayeeState>) => void) => Promise<void>) {
  let said: Partial<PayeeState> = {};
  const processor = (options: SandboxOptions): Processor => {
    const sandbox = createSandbox(options);
    return {
      ...sandbox,
      livemode: true,
      findPayee: async (row) => {
        const found = await sandbox.findPayee(row);
        if (found.outcome !== 'done' || found.value === null) return found;
        return { outcome: 'done', value: { ...found.value, ...said } };
      },
    };
  };
  const t = await openTestService({}, 'memory', { processor });
  try {
    const agent = await newAgent(t, { handle: 'live_payee' });
    await run(t, agent, (state) => {
      said = state;
    });
  } finally {
    await t.close();
  }
}

describe('where real money moves', () => {
  test('one letter tells of each account that is connected, and none of one that is barred and opened again', async () => {
    await live(async (t, agent, say) => {
      const told = async (): Promise<number[]> => {
        await t.rest();
        const letters = t.mails.filter(({ subject }) => subject.includes('payout account')).length;
        return [letters, (await eventsOf(t, agent, 'payout.connected')).length];
      };
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      expect(await told()).toEqual([1, 1]);
      for (const payouts_enabled of [false, true, false, true]) {
        say({ payouts_enabled });
        expect((await status(t, agent)).payouts_enabled).toBe(payouts_enabled);
      }
      expect(await told()).toEqual([1, 1]);
      say({ payouts_enabled: false });
      await status(t, agent);
      say({ external_id: 'another', payouts_enabled: true });
      for (const _ of [1, 2]) await status(t, agent);
      expect(await told()).toEqual([2, 2]);
      say({ gone: true, details_submitted: false, payouts_enabled: false });
      await status(t, agent);
      say({});
      await status(t, agent);
      expect(await told()).toEqual([3, 3]);
    });
  });

  test('the letter names the bank and the key, and another one comes for each other bank', async () => {
    await live(async (t, agent, say) => {
      const letters = async (): Promise<string[]> => {
        await status(t, agent);
        await t.rest();
        return t.mails.filter(({ subject }) => subject.includes('payout account')).map(({ text }) => text);
      };
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      const [first = ''] = await letters();
      expect(first).toContain('\nTest Bank\n\nIts number ends in 6789. Country: US\n');
      expect(first).toContain('by a key of yours, which has this name:\n\nsignup\n');
      expect(first).toContain('disconnect it here');
      expect(first).toContain('/payouts\n');
      await t.advance(DAY_MS);
      const bank = { name: 'Other Bank', country: 'DE', last4: '1111', fingerprint: 'one' };
      say({ bank });
      expect((await letters()).at(-1)).toContain('\nOther Bank\n\nIts number ends in 1111. Country: DE\n');
      const destination = { bank_name: 'Other Bank', last4: '1111', country: 'DE' };
      const connected_at = new Date(t.clock.now()).toISOString();
      expect(await status(t, agent)).toMatchObject({ destination, connected_at });
      say({ bank: null });
      expect(await letters()).toHaveLength(2);
      expect(await status(t, agent)).toMatchObject({ destination, connected_at });
      say({ bank: { ...bank, fingerprint: 'two' } });
      expect(await letters()).toHaveLength(3);
    });
  });

  test('what the processor says of a connection that was ended meanwhile counts for nothing', async () => {
    const gate = { asked: Promise.withResolvers<void>(), answers: Promise.resolve() };
    const processor = (options: SandboxOptions): Processor => {
      const sandbox = createSandbox(options);
      return {
        ...sandbox,
        findPayee: async (row) => {
          const found = await sandbox.findPayee(row);
          gate.asked.resolve();
          await gate.answers;
          return found;
        },
      };
    };
    const t = await openTestService({}, 'memory', { processor });
    try {
      const agent = await newAgent(t, { handle: 'told_late' });
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      const held = Promise.withResolvers<void>();
      Object.assign(gate, { asked: Promise.withResolvers<void>(), answers: held.promise });
      const late = status(t, agent);
      await gate.asked.promise;
      expect((await t.call('DELETE', CONNECT, { token: agent.token })).status).toBe(200);
      expect((await connect(t, agent)).body.resumed).toBe(false);
      held.resolve();
      await late;
      expect(await status(t, agent)).toMatchObject({ ...NOT_YET, destination: null });
    } finally {
      await t.close();
    }
  });

  const trust = async (t: TestService, { key }: TestAgent) => {
    const { body } = await t.call('GET', '/api/agents/live_payee', { key });
    return [body.verified, body.trust.credentials];
  };

  test('a connection proves the agent, and fails when the processor takes it back', async () => {
    await live(async (t, agent, say) => {
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      expect(await trust(t, agent)).toEqual([true, ['stripe', 'email']]);
      await t.advance(3 * DAY_MS);
      expect(await trust(t, agent)).toEqual([true, ['stripe', 'email']]);
      say({ payouts_enabled: false });
      await t.advance(2 * DAY_MS);
      expect(await trust(t, agent)).toEqual([true, ['email']]);
      expect(await statusTold(t, agent, 'stripe')).toBe('failing');
      await t.advance(40 * DAY_MS);
      expect(await trust(t, agent)).toEqual([false, ['email']]);
      expect(await statusTold(t, agent, 'stripe')).toBeNull();
      expect((await status(t, agent)).next_step).toContain('is reviewing');
      say({});
      expect(await status(t, agent)).toMatchObject(CONNECTED);
      expect(await trust(t, agent)).toEqual([true, ['stripe', 'email']]);
    });
  });

  test('a connection that its person ends proves nothing from then on', async () => {
    await live(async (t, agent) => {
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      expect(await trust(t, agent)).toEqual([true, ['stripe', 'email']]);
      expect((await t.call('DELETE', CONNECT, { token: agent.token })).status).toBe(200);
      expect(await trust(t, agent)).toEqual([false, ['email']]);
      await t.advance(2 * DAY_MS);
      expect(await trust(t, agent)).toEqual([false, ['email']]);
    });
  });

  test('details that are still looked at are told, and prove nothing', async () => {
    await live(async (t, agent, say) => {
      say({ payouts_enabled: false });
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      expect(await status(t, agent)).toMatchObject({ connected: true, can_withdraw: false, details_submitted: true });
      expect(await trust(t, agent)).toEqual([false, ['email']]);
    });
  });

  test('one that was closed there begins anew', async () => {
    await live(async (t, agent, say) => {
      await decideOn(t, (await connect(t, agent)).body.onboarding_url, 'pay');
      say({ gone: true, details_submitted: false, payouts_enabled: false });
      expect(await status(t, agent)).toMatchObject(NOT_YET);
      expect((await connect(t, agent)).status).toBe(200);
    });
  });
});

test('a processor that does not answer: 503, and the status as it was last known', async () => {
  const processor = (options: SandboxOptions): Processor => ({
    ...createSandbox(options),
    openPayee: async () => ({ outcome: 'unknown', reason: 'no answer in time' }),
    findPayee: async () => ({ outcome: 'unknown', reason: 'no answer in time' }),
  });
  const t = await openTestService({}, 'memory', { processor });
  try {
    const agent = await newAgent(t, { handle: 'unanswered' });
    const refused = await connect(t, agent);
    expect([refused.status, refused.body.error]).toEqual([503, 'processor_unavailable']);
    expect(await status(t, agent)).toMatchObject(NOT_YET);
    await t.advance(30 * DAY_MS);
    const token = await signIn(t, agent.email);
    expect((await t.call('GET', STATUS, { token })).body).toMatchObject(NOT_YET);
  } finally {
    await t.close();
  }
});

test('without a processor: the documented 500, and a status that says so', async () => {
  const t = await openTestService({}, 'memory', { processor: null, chain: null });
  try {
    const agent = await newAgent(t, { handle: 'no_processor' });
    const refused = await connect(t, agent);
    expect([refused.status, refused.body.error]).toEqual([500, 'processor_not_configured']);
    const next_step = 'This server does not accept or pay out money.';
    expect(await status(t, agent)).toEqual({ ...NOT_YET, ...NOBODY, next_step });
    const { body } = await t.call('GET', '/api/payments/status', { key: agent.key });
    expect(body).toEqual({ processor: 'none', chain_rail: 'off', currency: 'USD', funding: false, payouts: false });
  } finally {
    await t.close();
  }
});
