// A database that falls silent without closing a connection: a server that stands still, a network that swallows what is
// sent. Every call is answered all the same, nothing is done twice, and all goes on by itself once there is word again.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sharedPostgres } from '../support/postgres.ts';
import { type PostgresProxy, postgresProxy } from '../support/postgres-proxy.ts';
import { openTestService, type TestAnswer, type TestService } from '../support/testbed.ts';
import { agentNamed, openThread, type TestAgent } from '../support/threads.ts';

const server = await sharedPostgres();

/** Shorter than in production, so that the tests need not wait as long. */
const PATIENCE = { silence_ms: 800, wait_ms: 1_200 };

describe.skipIf(server === null)('while the database is silent', () => {
  let proxy: PostgresProxy;
  let t: TestService;
  let agent: TestAgent;
  let thread: string;
  let written = 0;

  beforeAll(async () => {
    proxy = await postgresProxy((await server?.migrated()) ?? '');
    t = await openTestService({}, 'memory', {
      database_url: proxy.url,
      patience: PATIENCE,
    });
    agent = await agentNamed(t, 'writer');
    thread = await openThread(t, agent, await agentNamed(t, 'reader'));
  });
  afterAll(async () => {
    proxy.thaw();
    await t.close();
    await proxy.stop();
  });

  const path = (): string => `/api/conversations/${thread}/messages`;
  const write = (key: string): Promise<TestAnswer> =>
    t.call('POST', path(), { key: agent.key, body: { content: key }, headers: { 'Idempotency-Key': key } });
  const read = (): Promise<TestAnswer> => t.call('GET', `${path()}?limit=50`, { key: agent.key });
  const ready = (): Promise<TestAnswer> => t.call('GET', '/readyz');
  const texts = async (): Promise<string[]> => (await read()).body.map(({ content }: { content: string }) => content);
  /** Asks until it is answered so; what never is runs out of the test's time. */
  const until = async (status: number, ask: () => Promise<TestAnswer>): Promise<TestAnswer> => {
    for (;;) {
      const answer = await ask();
      if (answer.status === status) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const fresh = (): string => `message-${++written}`;

  test.each(['swallows', 'holds'] as const)(
    'writes, reads and /readyz are 503 (%s), and go on after it',
    async (how) => {
      const [known, key] = [fresh(), fresh()];
      const first = await write(known);
      expect((await until(200, ready)).status).toBe(200);
      proxy.freeze(how);
      const answers = await Promise.all([write(key), write(fresh()), read(), read(), until(503, ready)]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
      expect(answers[0]?.body).toMatchObject({ error: 'overloaded', retry_after_seconds: 1 });
      expect(answers[0]?.headers.get('retry-after')).toBe('1');
      // Its key is not in flight for ever: who asks again is told the same, not that it is still running.
      expect((await write(key)).status).toBe(503);
      proxy.thaw();
      expect((await until(200, read)).status).toBe(200);
      const done = await until(200, () => write(key));
      expect((await write(key)).body).toEqual(done.body);
      expect((await write(known)).body).toEqual(first.body);
      expect((await until(200, ready)).status).toBe(200);
      const all = await texts();
      expect(all.filter((text) => text === key)).toHaveLength(1);
      expect(all.filter((text) => text === known)).toHaveLength(1);
    },
  );

  test('where new connections are answered, nobody notices', async () => {
    const key = fresh();
    proxy.freeze('old');
    const answers = await Promise.all([write(key), read(), write(fresh())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await until(200, ready)).status).toBe(200);
    proxy.thaw();
    expect((await texts()).filter((text) => text === key)).toHaveLength(1);
  });

  test.each(['swallows', 'holds'] as const)(
    'a COMMIT without an answer (%s) is 503, and was done once',
    async (how) => {
      const key = fresh();
      // The commits' connection is warm.
      await write(fresh());
      proxy.freezeAtCommit(how);
      expect((await write(key)).status).toBe(503);
      proxy.thaw();
      const answer = await until(200, () => write(key));
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      expect((await texts()).filter((text) => text === key)).toHaveLength(1);
    },
  );

  test('those who wait behind one another are all answered', async () => {
    const keys = Array.from({ length: 40 }, fresh);
    proxy.freeze('swallows');
    const answers = await Promise.all(keys.map(write));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    proxy.thaw();
    await Promise.all(keys.map((key) => until(200, () => write(key))));
    const all = await texts();
    expect(keys.map((key) => all.filter((text) => text === key).length)).toEqual(keys.map(() => 1));
  });

  test('the service stops', async () => {
    const own = await postgresProxy((await server?.migrated()) ?? '');
    const other = await openTestService({}, 'memory', { database_url: own.url, patience: PATIENCE });
    own.freeze('swallows');
    const late = other.call('POST', '/api/auth/login/start', { body: { email: 'latecomer@example.org' } });
    await other.close();
    expect((await late).status).toBe(503);
    await own.stop();
  });

  test('a node does not start, and says why', async () => {
    const own = await postgresProxy((await server?.migrated()) ?? '');
    own.freeze('swallows');
    const starting = openTestService({}, 'memory', { database_url: own.url, patience: PATIENCE });
    expect(await starting.catch((error: unknown) => String(error))).toContain('the database does not answer');
    await own.stop();
  });
});
