// TEST_CLOCK moves the time of the service, not that of a process: all nodes have it, and a restart keeps it.

import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '../../src/domain/time.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { endServers, startServer } from '../support/child.ts';
import { onPostgres, sharedPostgres } from '../support/postgres.ts';
import { restClient } from '../support/rest-client.ts';
import { createSenderDouble } from '../support/sender-double.ts';
import { openTestService, START_MS, type TestService } from '../support/testbed.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const TOKEN = 'token-of-the-time-test';

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-time-'));
afterAll(() => {
  endServers();
  rmSync(data_dir, { recursive: true, force: true });
});

test('a restart keeps how far time was moved', async () => {
  const database: Record<string, string> = onPostgres
    ? { DATABASE_URL: (await (await sharedPostgres())?.migrated()) ?? '' }
    : {};
  const env = { TEST_CLOCK: '1', INTERNAL_TOKEN: TOKEN, ...database };
  const moved = async (url: string, advance_seconds: number): Promise<number> => {
    const headers = { 'X-Internal-Token': TOKEN, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ advance_seconds });
    const answer = await fetch(`${url}/internal/clock`, { method: 'POST', headers, body });
    const { now } = (await answer.json()) as { now: string };
    return Date.parse(now);
  };
  const first = await startServer(data_dir, env);
  const then = await moved(first.url, 864_000);
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await startServer(data_dir, env);
  // What is done before anybody moves the clock again is dated by the time that it was moved to.
  const client = restClient(second.url);
  await client.ask('POST', '/api/auth/signup/start', {}, { email: 'later@example.org' });
  const token = { headers: { 'X-Internal-Token': TOKEN } };
  const letters = await fetch(`${second.url}/internal/outbox?to=later@example.org`, token);
  const [{ created_at }] = (await letters.json()) as [{ created_at: string }];
  expect(Date.parse(created_at)).toBeGreaterThanOrEqual(then);
  expect(await second.end('SIGKILL')).not.toBe(0);
});

const server = await sharedPostgres();

describe.skipIf(server === null)('two nodes with clocks of their own', () => {
  const opened: TestService[] = [];
  afterAll(() => Promise.all(opened.map((t) => t.close())));
  const nodes = async (): Promise<[TestService, TestService]> => {
    const shared = { database_url: (await server?.migrated()) ?? '', mailer: createSenderDouble<Mail>() };
    const open = (): Promise<TestService> =>
      openTestService({}, 'memory', { ...shared, clock: virtualClock(START_MS) });
    const two: [TestService, TestService] = [await open(), await open()];
    opened.push(...two);
    return two;
  };
  const advance = (t: TestService, days: number) =>
    t.call('POST', '/internal/clock', {
      body: { advance_seconds: (days * DAY_MS) / 1_000 },
      headers: { 'X-Internal-Token': t.internal_token },
    });

  test('have the same time from the answer on that moved it', async () => {
    const [one, other] = await nodes();
    expect(Date.parse((await advance(one, 3)).body.now)).toBe(START_MS + 3 * DAY_MS);
    await other.call('GET', '/api/registry');
    expect(other.clock.now()).toBe(START_MS + 3 * DAY_MS);
    const { body } = await other.call('POST', '/internal/clock', {
      body: { advance_seconds: 0 },
      headers: { 'X-Internal-Token': other.internal_token },
    });
    expect(Date.parse(body.now)).toBe(START_MS + 3 * DAY_MS);
  });

  test('move it one after the other, however many ask at once', async () => {
    const [one, other] = await nodes();
    const answers = await Promise.all([one, other, one, other].map((t) => advance(t, 1)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const times = answers.map(({ body }) => (Date.parse(body.now) - START_MS) / DAY_MS);
    expect(Math.max(...times)).toBe(4);
    await Promise.all([one, other].map((t) => t.call('GET', '/api/registry')));
    expect([one, other].map(({ clock }) => clock.now())).toEqual([START_MS + 4 * DAY_MS, START_MS + 4 * DAY_MS]);
  });
});
