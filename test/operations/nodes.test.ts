// Two nodes of one service on one database: whoever is asked answers alike. What one signed the other verifies, who is
// connected to one is there for the other, and a rate holds for both together.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { newAgent, signIn, type TestAgent } from '../support/agents.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { openTestNodes } from '../support/test-nodes.ts';
import type { TestAnswer, TestService } from '../support/testbed.ts';

const server = await sharedPostgres();
const MINUTE_MS = 60_000;

describe.skipIf(server === null)('two nodes', () => {
  let one: TestService;
  let other: TestService;
  beforeAll(async () => {
    if (server) [one, other] = await openTestNodes(server);
  });
  afterAll(() => Promise.all([one.close(), other.close()]));

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
        t.service.directory.actor(agent.id).answered(seconds);
        await t.service.flush();
      }
      for (const t of [one, other]) expect((await presenceOn(t)).median_response_seconds).toBe(20);
    });
  });
});
