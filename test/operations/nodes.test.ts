// Two nodes of one service on one database: whoever is asked answers alike. What one signed the other verifies, who is
// connected to one is there for the other, and a rate holds for both together.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedNodes } from '../support/opened.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import { codeFor, type TestAnswer, type TestService } from '../support/testbed.ts';

const server = await sharedPostgres();

describe.skipIf(server === null)('two nodes', () => {
  const [one, other] = sharedNodes(server);

  test('verify the session tokens that either of them signed', async () => {
    for (const [signer, verifier] of [
      [one, other],
      [other, one],
    ] as const) {
      const token = await signIn(signer, 'both@example.org');
      expect((await verifier.call('GET', '/api/developer/keys', { token })).status).toBe(200);
      const jwks = await Promise.all([one, other].map((t) => t.call('GET', '/.well-known/jwks.json')));
      expect(jwks[0]?.body).toEqual(jwks[1]?.body);
    }
  });

  test('give two tabs that refresh a session on both at once the same cookie', async () => {
    const email = 'tabs@example.org';
    await one.call('POST', '/api/auth/session/start', { body: { email } });
    const opened = await one.call('POST', '/api/auth/session/verify', { body: { email, code: codeFor(one, email) } });
    const cookieOf = ({ headers }: TestAnswer): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const refresh = (t: TestService, cookie: string): Promise<TestAnswer> =>
      t.call('POST', '/api/auth/session/refresh', { headers: { cookie } });
    let cookie = cookieOf(opened);
    for (let round = 0; round < 5; round += 1) {
      const tabs = await Promise.all([one, other, one, other].map((t) => refresh(t, cookie)));
      expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(tabs.map(cookieOf)).size).toBe(1);
      cookie = cookieOf(tabs[0] as TestAnswer);
    }
  });

  test('open the answers that either of them sealed', async () => {
    const token = await signIn(one, 'sealer@example.org');
    const mint = (t: TestService): Promise<TestAnswer> =>
      t.call('POST', '/api/developer/keys', { token, body: { name: 'k' }, headers: { 'Idempotency-Key': 'k-1' } });
    const made = await mint(one);
    const again = await mint(other);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(made.body);
  });

  describe('know who is there', () => {
    let agent: TestAgent;
    const presenceOn = async (t: TestService): Promise<TestAnswer['body']> => {
      // What a node was told may be some seconds old.
      one.clock.moveTo(one.clock.now() + 6_000);
      const { body } = await t.call('GET', `/api/agents/public/${agent.handle}`);
      return { ...body.presence, transports: body.transports };
    };
    const streamOn = async (t: TestService): Promise<() => Promise<void>> => {
      const headers = { 'X-API-Key': agent.key, 'X-Agent-Handle': agent.handle };
      const answer = await t.fetch(new Request('http://localhost/api/inbox/stream', { headers }));
      const reader = answer.body?.getReader();
      await reader?.read();
      return async () => reader?.cancel();
    };

    test('an agent with a stream on one is online on the other, until it leaves', async () => {
      agent = await newAgent(one, { handle: 'streamer' });
      const leave = await streamOn(one);
      await one.service.flush();
      one.clock.moveTo(one.clock.now() + MINUTE_MS);
      expect(await presenceOn(other)).toMatchObject({ online: true, transports: expect.arrayContaining(['stream']) });
      await leave();
      await one.service.flush();
      const after = await presenceOn(other);
      expect(after.transports).not.toContain('stream');
      one.clock.moveTo(one.clock.now() + MINUTE_MS);
      expect(await presenceOn(other)).toMatchObject({ online: false });
    });

    test('while the stream stays open the promise is kept up', async () => {
      agent = await newAgent(one, { handle: 'stayer' });
      const leave = await streamOn(one);
      for (let i = 0; i < 12; i += 1) {
        await one.service.flush();
        one.clock.moveTo(one.clock.now() + 30_000);
        expect(await presenceOn(other)).toMatchObject({ online: true });
      }
      await leave();
    });

    test('a node that dies takes its streams along within 90 seconds', async () => {
      agent = await newAgent(one, { handle: 'orphan' });
      await streamOn(one);
      await one.service.flush();
      one.clock.moveTo(one.clock.now() + 80_000);
      expect(await presenceOn(other)).toMatchObject({ online: true });
      // It says no more.
      one.clock.moveTo(one.clock.now() + 10_000);
      expect(await presenceOn(other)).toMatchObject({ online: false });
    });

    test('a stream on each of them: one that ends leaves the other', async () => {
      agent = await newAgent(one, { handle: 'twofold' });
      const leave = [await streamOn(one), await streamOn(other)];
      await Promise.all([one.service.flush(), other.service.flush()]);
      await leave[1]?.();
      await other.service.flush();
      one.clock.moveTo(one.clock.now() + 65_000);
      expect(await presenceOn(other)).toMatchObject({ online: true });
      await leave[0]?.();
    });

    test('answers on either of them make one response time', async () => {
      agent = await newAgent(one, { handle: 'answerer' });
      for (const [t, seconds] of [
        [one, 10],
        [other, 20],
        [one, 60],
      ] as const) {
        t.service.directory.actor(agent.id).addAnswerTime(seconds);
        await t.service.flush();
      }
      for (const t of [one, other]) expect((await presenceOn(t)).median_response_seconds).toBe(20);
    });
  });
});

describe.skipIf(server === null)('a rate on two nodes', () => {
  let nodes: [TestService, TestService];
  const COUNTED_IP = '198.51.100.4';
  let exchanges = 0;
  beforeAll(async () => {
    if (server) nodes = await openTestNodes(server, { rate_limits: true });
    for (const { service } of nodes) {
      const { rates } = service.world.store;
      const exchange = rates?.exchange.bind(rates);
      if (!rates || !exchange) continue;
      Object.assign(rates, {
        exchange: (...[own, now_ms]: Parameters<typeof exchange>) => {
          // What others asked before may still be exchanged.
          if ([...own].some(({ caller }) => caller.includes(COUNTED_IP))) exchanges += 1;
          return exchange(own, now_ms);
        },
      });
    }
  });
  afterAll(() => Promise.all(nodes.map((node) => node.close())));

  const plans = (node: number, ip: string): Promise<TestAnswer> =>
    (nodes[node] ?? nodes[0]).call('GET', '/api/billing/plans', { ip });
  /** How many of so many requests pass. */
  async function passing(requests: number, node: (n: number) => number, ip: string): Promise<number> {
    let passed = 0;
    for (let n = 0; n < requests; n += 1) if ((await plans(node(n), ip)).status === 200) passed += 1;
    return passed;
  }

  test('asked in turns they let the published number pass, and one or two more', async () => {
    const passed = await passing(120, (n) => n % 2, '198.51.100.1');
    expect(passed).toBeGreaterThanOrEqual(60);
    expect(passed).toBeLessThanOrEqual(62);
  });

  test('what one let pass the other knows: at most an eighth passes there beyond it', async () => {
    expect(await passing(60, () => 0, '198.51.100.2')).toBe(60);
    expect(await passing(60, () => 1, '198.51.100.2')).toBeLessThanOrEqual(8);
    const refused = await plans(1, '198.51.100.2');
    expect(refused.body.retry_after_seconds).toBeGreaterThan(50);
    nodes[0].clock.moveTo(nodes[0].clock.now() + refused.body.retry_after_seconds * 1000);
    expect((await plans(1, '198.51.100.2')).status).toBe(200);
    expect((await plans(0, '198.51.100.2')).status).toBe(200);
  });

  test('a client of one node alone has all that is published, however many ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => plans(0, '198.51.100.3')));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(60);
  });

  test('the first requests of a caller ask nobody, those near the limit do, and those that are refused do not', async () => {
    exchanges = 0;
    await passing(6, () => 0, COUNTED_IP);
    expect(exchanges).toBe(0);
    await passing(54, () => 0, COUNTED_IP);
    expect(exchanges).toBeLessThan(30);
    exchanges = 0;
    expect(await passing(40, () => 0, COUNTED_IP)).toBe(0);
    expect(exchanges).toBe(0);
  });
});
