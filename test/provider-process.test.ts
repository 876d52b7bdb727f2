// Providers as a process of their own, over real TLS under an authority of theirs, called by the real server in another process: each
// trouble ends as it should, none is charged, and other calls are served meanwhile.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHORITY } from './support/authority.ts';
import { endServers, startServer } from './support/child.ts';
import { startDnsServer } from './support/dns-server.ts';
import { PROVIDER_HOST } from './support/provider.ts';
import { type ProviderProgram, startProviderProgram } from './support/provider-program.ts';
import { type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';

const TOKEN = 'token-of-the-provider-test';
const PRICE_CENTS = 100;
const FUNDED_CENTS = 100_000;
const OTHERS = 100;
const SIDE_BY_SIDE = 8;

/** What each trouble is told as, and how often at once. */
const TROUBLES = {
  drip: 'timeout',
  hang: 'timeout',
  huge: 'too_large',
  gigabytes: 'too_large',
  reset: 'reset',
  half: 'reset',
  away: 'http_status',
  fail: 'http_status',
  refuse: 'http_status',
  html: 'not_json',
  events: 'not_json',
  broken: 'not_json',
  none: 'empty',
  empty: 'empty',
} as const;

const folder = mkdtempSync(join(tmpdir(), 'meshwork-providers-'));
afterAll(() => {
  endServers();
  rmSync(folder, { recursive: true, force: true });
});

async function call(url: string, key: string, capability: string): Promise<{ status: number; body: Json; ms: number }> {
  const began = performance.now();
  const response = await fetch(`${url}/api/router/call`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ capability, payload: { about: capability } }),
  });
  return { status: response.status, body: await response.json(), ms: performance.now() - began };
}

/** Offers everything that the program does, and answers the key of who calls, with money. */
async function prepare(client: RestClient, program: ProviderProgram): Promise<string> {
  const caller = await verifiedAgent(client, TOKEN, 'proc_caller', '+14155550131');
  const serves = await verifiedAgent(client, TOKEN, 'proc_serves', '+14155550132');
  const fund = { amount_cents: FUNDED_CENTS };
  const { checkout_url } = await client.ask('POST', '/api/wallet/fund', { token: caller.token }, fund);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const page = new URL(new URL(checkout_url).pathname, client.url);
  expect((await fetch(page, { method: 'POST', headers: form, body: 'decision=pay' })).status).toBeLessThan(400);
  const spending_limit = { per_transaction_cents: null, per_day_cents: null };
  await client.ask('PATCH', '/api/wallet/', { token: caller.token }, { spending_limit });
  await Promise.all(
    ['serve', ...Object.keys(TROUBLES)].map(async (behaviour) => {
      const offer = {
        capability: `demo.${behaviour}`,
        endpoint_url: program.url(behaviour),
        price_cents: PRICE_CENTS,
      };
      const { signing_secret } = await client.ask('POST', '/api/router/providers', { key: serves.key }, offer);
      await program.trust(signing_secret);
    }),
  );
  return caller.key;
}

/** Other calls, some at a time; answers how long each took. */
async function others(url: string, key: string): Promise<number[]> {
  const took: number[] = [];
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun++ < OTHERS) {
      const { status, ms } = await call(url, key, 'demo.serve');
      expect(status).toBe(200);
      took.push(ms);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return took.toSorted((a, b) => a - b);
}

test('each trouble of a provider ends as it should, uncharged, and other calls are served meanwhile', async () => {
  const program = await startProviderProgram();
  const dns = await startDnsServer({ [PROVIDER_HOST]: { a: ['127.0.0.1'] } });
  try {
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, AUTHORITY);
    const server = await startServer(folder, {
      INTERNAL_TOKEN: TOKEN,
      EGRESS_ALLOW: `${PROVIDER_HOST}:${program.port}`,
      DNS_SERVERS: dns.address,
      NODE_EXTRA_CA_CERTS: authority,
    });
    const client = restClient(server.url);
    const key = await prepare(client, program);
    const calm = await others(server.url, key);
    const troubled = Promise.all(
      Object.entries(TROUBLES).map(async ([behaviour, reason]) => {
        const { status, body } = await call(server.url, key, `demo.${behaviour}`);
        expect([behaviour, status, body.error, body.attempts?.[0]?.reason]).toEqual([
          ...[behaviour, 502, 'providers_failed', reason],
        ]);
      }),
    );
    const meanwhile = await others(server.url, key);
    await troubled;
    const p99 = (took: readonly number[]): string => `${(took[Math.ceil(took.length * 0.99) - 1] ?? 0).toFixed(0)} ms`;
    console.log(`p99 of ${OTHERS} other calls: ${p99(calm)} before, ${p99(meanwhile)} beside the troubles`);
    const paid = (await program.log()).filter((each) => !each.test);
    expect(paid.length).toBe(calm.length + meanwhile.length + Object.keys(TROUBLES).length);
    expect(paid.filter(({ signed }) => !signed)).toEqual([]);
    expect(new Set(paid.map(({ call_id }) => call_id)).size).toBe(paid.length);
    const { balance_cents } = await client.ask('GET', '/api/v1/wallet', { key });
    expect(balance_cents).toBe(FUNDED_CENTS - (calm.length + meanwhile.length) * PRICE_CENTS);
    const headers = { 'X-Internal-Token': TOKEN };
    const checked = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, headers);
    expect(checked).toMatchObject({ ok: true, sum_cents: 0 });
    expect(await server.end('SIGTERM')).toBe(0);
  } finally {
    await program.end();
    dns.close();
  }
}, 600_000);
