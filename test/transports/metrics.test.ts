// The metrics, who may read them, and whose address counts behind a proxy.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { registry } from '../../src/operations/registry.ts';
import { openStreams } from '../../src/transports/sse.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const FORWARDED = { 'X-Forwarded-For': '203.0.113.9' };

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ HOST: '0.0.0.0', BASE_URL: 'http://localhost' });
  token = (await Bun.file(`${server.data_dir}/internal-token`).text()).trim();
});

afterAll(() => server.stop());

/** An address of this machine that is not loopback; undefined on one without a network. */
const outward = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (!outward) console.warn('skipped: this machine has no address but loopback to ask for metrics from');

function read(host: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://${host}:${server.port}/metrics`, { headers });
}

/** Told with PostgreSQL alone, and with TLS alone. */
const ELSEWHERE = new Set([
  'meshwork_follower_lag_seconds',
  'meshwork_matching_requests',
  'meshwork_pool',
  'meshwork_certificate_ends_seconds',
]);

describe('the metrics', () => {
  test('are for nobody who names this machine by a host of his own, unless he has the token', async () => {
    const strange = { Host: 'evil.example' };
    const refused = await read('127.0.0.1', strange);
    expect([refused.status, refused.headers.get('x-content-type-options')]).toEqual([401, 'nosniff']);
    expect((await read('127.0.0.1', { ...strange, 'X-Internal-Token': token })).status).toBe(200);
  });

  test('count requests by operation and status, turns by commit, and what is open', async () => {
    const post = (body: unknown): Promise<Response> =>
      fetch(`http://127.0.0.1:${server.port}/api/auth/signup/start`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post({ email: 'metrics@meshwork.test' });
    await post({});
    await post({});
    const response = await read('127.0.0.1');
    const text = await response.text();
    expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    for (const line of [
      'meshwork_requests_total{door="rest",operation="signup.start",status="200"} 1',
      'meshwork_requests_total{door="rest",operation="signup.start",status="400"} 2',
      'meshwork_request_duration_seconds_count{door="rest",operation="signup.start"} 3',
      // Other files of the same process may have left some.
      `meshwork_open_streams ${openStreams()}`,
      'meshwork_pushes_running 0',
      'meshwork_pushes_total 0',
      'meshwork_mail_readings_total 0',
      '# TYPE meshwork_event_loop_held_seconds histogram',
      'meshwork_store_work_seconds_count{work="commit"} ',
      '# TYPE meshwork_event_loop_lag_seconds gauge',
      'meshwork_overdue{kind="reminders"}',
      'meshwork_overdue{kind="matching"} 0',
      'meshwork_overdue{kind="letters"} 0',
      'meshwork_overdue{kind="inboxes"} 0',
      'meshwork_overdue_oldest_seconds{kind="inboxes"} 0',
      'meshwork_overdue{kind="payouts"} 0',
      'meshwork_overdue{kind="fundings"} 0',
      'meshwork_overdue{kind="disputes"} 0',
      'meshwork_escrows_held 0',
      'meshwork_escrows_held_cents 0',
      'meshwork_receivables 0',
      'meshwork_receivables_cents 0',
      'meshwork_webhooks_off 0',
      'meshwork_idempotent_replays_total 0',
      'meshwork_index_listings 0',
      'meshwork_overdue{kind="router_calls"} 0',
      'meshwork_overdue_oldest_seconds{kind="letters"} 0',
      'meshwork_clock_doubted 0',
      '# TYPE meshwork_store_errors_total counter',
      '# TYPE meshwork_refusals_total counter',
      'meshwork_descriptors_short_total 0',
      'meshwork_build_info{version="',
      'process_open_fds ',
      'process_max_fds ',
    ]) {
      expect(text).toContain(line);
    }
    for (const name of [
      'meshwork_group_commit_turns_count',
      'meshwork_actors',
      'meshwork_database_bytes\\{part="database"\\}',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} [1-9\\d.e+-]+`, 'm'));
    }
  });

  test('tell steps between a quarter of a second and five', async () => {
    const text = await (await read('127.0.0.1')).text();
    for (const le of [0.25, 0.5, 1, 2.5, 5, 10]) expect(text).toContain(`_duration_seconds_bucket{le="${le}",`);
  });

  test.each([
    ['the dashboard', 'grafana.json'],
    ['the alert rules', 'alerts.yml'],
  ])('have every name in %s', async (_what, file) => {
    const text = await (await read('127.0.0.1')).text();
    const served = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
    const written = await Bun.file(join(import.meta.dir, '../../src/docs/watch', file)).text();
    const named = [...written.matchAll(/\b(?:meshwork|process|nodejs)_\w+/g)].map(([name]) => name);
    const bare = (name: string): string => (served.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''));
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(bare).filter((name) => !served.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  });

  test('are called slow by a rule that leaves out operations there are, among them all that take minutes', async () => {
    const rules = await Bun.file(join(import.meta.dir, '../../src/docs/watch/alerts.yml')).text();
    const [, left_out = ''] = /operation!~"([^"]*)"/.exec(rules) ?? [];
    const operations = registry();
    const unknown = left_out.split('|').filter((name) => !operations.some((each) => each.name === name));
    expect(unknown).toEqual([]);
    const slow = operations.filter((each) => each.slow).map(({ name }) => name);
    expect(slow.toSorted()).toEqual(['ledger.check', 'ledger.reseal', 'platform.doctor']);
    expect(left_out.split('|')).toEqual(expect.arrayContaining(slow));
  });

  test('are read from the machine itself, whatever X-Forwarded-For claims', async () => {
    expect((await read('127.0.0.1', FORWARDED)).status).toBe(200);
  });

  test.skipIf(!outward)('are read from elsewhere only with the token', async () => {
    const host = outward ?? '';
    const refused = await read(host);
    expect([refused.status, (await refused.json()).error]).toEqual([401, 'unauthorized']);
    expect(refused.headers.get('www-authenticate')).toBeString();
    expect((await read(host, { 'X-Forwarded-For': '127.0.0.1' })).status).toBe(401);
    expect((await read(host, { 'X-Internal-Token': `${token}x` })).status).toBe(401);
    expect((await read(host, { 'X-Internal-Token': token })).status).toBe(200);
  });

  test('are not read with a wrong token, not even from the machine itself', async () => {
    expect((await read('127.0.0.1', { 'X-Internal-Token': 'wrong' })).status).toBe(401);
  });
});

/** Anonymous callers are limited by address: whose turn is used up tells which address counted. */
async function untilLimited(port: number, addresses: (at: number) => string): Promise<number> {
  for (let at = 0; at < 400; at++) {
    const headers = { 'X-Forwarded-For': addresses(at) };
    const response = await fetch(`http://127.0.0.1:${port}/api/billing/plans`, { headers });
    await response.arrayBuffer();
    if (response.status === 429) return at;
  }
  return Number.POSITIVE_INFINITY;
}

describe('the address of a caller', () => {
  test('is that of the socket: nobody escapes a limit by naming another', async () => {
    const plain = await startTestServer({ RATE_LIMITS: 'on' });
    expect(await untilLimited(plain.port, (at) => `198.51.100.${at % 250}`)).toBeLessThan(400);
    await plain.stop();
  });

  test('behind a trusted proxy is the last that the proxy names, whatever stands before it', async () => {
    const proxied = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' });
    expect(await untilLimited(proxied.port, (at) => `10.0.0.1, 198.51.${at >> 8}.${at & 255}`)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(await untilLimited(proxied.port, (at) => `198.51.100.${at % 250}, 203.0.113.7`)).toBeLessThan(400);
    const metrics = await fetch(`${proxied.url}/metrics`, { headers: FORWARDED });
    expect(metrics.status).toBe(401);
    await proxied.stop();
  });
});
