// kill -9 between a payment processor's answer and the commit of what it said: the double of Stripe has done what it was asked and
// ends the service, before its answer leaves or as it leaves. All else that moves money is under way meanwhile. After the restart
// each errand is done to its end under the same keys: what was acknowledged is answered as before, each payout went out once, and
// no money is both outside and back in the wallet. KILL_ROUNDS=30 for more.

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, type ServerChild, startServer } from './support/child.ts';
import { often } from './support/nightly.ts';
import { type Credential, type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';
import { StripeDouble } from './support/stripe-double/stripe-double.ts';
import { until } from './support/until.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? often(2, 6));
const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };
const FUNDED_CENTS = 1_000_000;
const WITHDRAWN_CENTS = 1_000;
/** The calls upon whose end the service is killed, in turn. */
const FATAL = [/POST .*transfers$/, /POST .*payouts$/, /POST .*sessions$/];

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-kill-processor-'));
const double = new StripeDouble(Date.now);
afterAll(async () => {
  endServers();
  await double.close();
  rmSync(data_dir, { recursive: true, force: true });
});

/** A port that was free a moment ago. */
function freePort(): number {
  const held = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  held.stop();
  return held.port;
}

const ENV = {
  INTERNAL_TOKEN: TOKEN,
  // Tokens of sessions name the address, and outlive a restart on the same one.
  PORT: String(freePort()),
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: double.secret_key,
  STRIPE_WEBHOOK_SECRET: double.webhook_secret,
  STRIPE_API_BASE: double.url,
  FUNDING_HOLD_DAYS: '0',
  TEST_CLOCK: '1',
};

/** An administrator asks with the platform's token, everybody else with their own credential. */
function headersOf(key: string, who: Credential): Record<string, string> {
  return { 'Idempotency-Key': key, ...(who.key === undefined && who.token === undefined && AS_PLATFORM) };
}

interface People {
  /** The buyer's session, and a key of theirs that may spend. */
  readonly buyer: Credential;
  readonly spends: Credential;
  readonly seller: Credential;
}

/** Asks under a key, by which it is one payment however often it is asked. */
type Ask = (key: string, who: Credential, path: string, body: object) => Promise<Json>;
/** Something that people do with money, in one call or several; what it comes to for the buyer and the seller. */
interface Errand {
  readonly run: (ask: Ask) => Promise<unknown>;
  readonly cents: readonly [buyer: number, seller: number];
}

async function tellAll(client: RestClient): Promise<void> {
  for (const { body } of double.world.events) {
    const headers = { 'Stripe-Signature': double.world.sign(body), 'Content-Type': 'application/json' };
    const told = await fetch(`${client.url}/webhooks/stripe`, { method: 'POST', headers, body });
    expect(told.status).toBe(200);
  }
}

/** A buyer with money, connected for payouts, and a seller. */
async function people(client: RestClient): Promise<People> {
  const { token } = await verifiedAgent(client, TOKEN, 'kill_payer', '+14155550111');
  const seller = await verifiedAgent(client, TOKEN, 'kill_payee', '+14155550112');
  const plan = { email: 'kill_payer@example.org', plan: 'pro' };
  await client.ask('POST', '/internal/admin/set-plan', {}, plan, AS_PLATFORM);
  await client.ask('POST', '/api/wallet/fund', { token }, { amount_cents: FUNDED_CENTS });
  double.world.pay(double.world.all('checkout.session')[0]?.id ?? '');
  await client.ask('POST', '/api/payments/connect', { token }, {});
  double.world.finishAccount(double.world.all('account')[0]?.id ?? '');
  await client.ask('GET', '/api/payments/connect/status', { token });
  await tellAll(client);
  const wanted = { name: 'spends', scopes: ['payments:write', 'agents:read'] };
  const { api_key } = await client.ask('POST', '/api/developer/keys', { token }, wanted);
  return { buyer: { token }, spends: { key: api_key }, seller: { key: seller.key } };
}

const escrowOf = { seller_handle: 'kill_payee', milestones: [{ title: 'All of it', amount_cents: 101 }] };

/** What is done in a round; every fee is five in a hundred, rounded down. */
function errandsOf(round: string, { buyer, spends }: People): Errand[] {
  const sends = (n: number): Errand => ({
    run: (ask) => ask(`${round}-send-${n}`, spends, '/api/wallet/send', { to_handle: 'kill_payee', amount_cents: 7 }),
    cents: [-7, 7],
  });
  const releases: Errand = {
    run: async (ask) => {
      const { id } = await ask(`${round}-open`, spends, '/api/wallet/escrow', escrowOf);
      await ask(`${round}-release`, spends, `/api/wallet/escrow/${id}/release`, { milestone_index: 0 });
    },
    cents: [-101, 96],
  };
  const disputes: Errand = {
    run: async (ask) => {
      const { id } = await ask(`${round}-other`, spends, '/api/wallet/escrow', escrowOf);
      const { id: dispute_id } = await ask(`${round}-dispute`, spends, `/api/wallet/escrow/${id}/dispute`, {
        reason: 'Short.',
      });
      const split = { refund_cents: 41, release_cents: 60, note: 'So be it.' };
      await ask(`${round}-rule`, {}, `/api/admin/disputes/${dispute_id}/rule`, split);
    },
    cents: [-60, 57],
  };
  const subscribes: Errand = {
    run: (ask) =>
      ask(`${round}-subscribe`, buyer, '/api/subscriptions', {
        seller_handle: 'kill_payee',
        amount_cents: 50,
        interval: 'monthly',
      }),
    cents: [-50, 48],
  };
  const withdraws = (n: number): Errand => ({
    run: (ask) =>
      ask(`${round}-out-${n}`, buyer, '/api/wallet/withdraw', {
        amount_cents: WITHDRAWN_CENTS,
        idempotency_key: `${round}-out-${n}`,
      }),
    cents: [-WITHDRAWN_CENTS, 0],
  });
  const funds: Errand = {
    run: (ask) => ask(`${round}-fund`, buyer, '/api/wallet/fund', { amount_cents: 500 }),
    cents: [0, 0],
  };
  return [withdraws(0), sends(0), releases, funds, disputes, sends(1), subscribes, withdraws(1)];
}

/** Runs errands until the processor kills the service; what was acknowledged is kept with its answer. */
async function burst(server: ServerChild, round: number, errands: readonly Errand[]): Promise<Map<string, Json>> {
  const client = restClient(server.url);
  const acknowledged = new Map<string, Json>();
  let died: Promise<number> | null = null;
  double.onDone = (called) => {
    if (died !== null || !FATAL[round % FATAL.length]?.test(called)) return;
    const kill = (): Promise<number> => server.end('SIGKILL');
    // In every other round the answer is still let go; of a kind too.
    died = (round + Math.floor(round / FATAL.length)) % 2 === 0 ? kill() : Bun.sleep(0).then(kill);
  };
  const ask: Ask = async (key, who, path, body) => {
    const answer = await client.ask('POST', path, who, body, headersOf(key, who));
    acknowledged.set(key, answer);
    return answer;
  };
  const ran = await Promise.allSettled(errands.map(({ run }) => run(ask)));
  // Whoever was not answered was cut off; no call was refused.
  for (const each of ran) if (each.status === 'rejected') expect(String(each.reason)).not.toContain(' answered ');
  await until(() => died !== null);
  await died;
  double.onDone = () => {};
  return acknowledged;
}

/** Does all errands to their end under the same keys. */
async function again(client: RestClient, errands: readonly Errand[], before: Map<string, Json>): Promise<void> {
  const ask: Ask = async (key, who, path, body) => {
    const answer = await client.ask('POST', path, who, body, headersOf(key, who));
    if (before.has(key)) expect(answer).toEqual(before.get(key));
    return answer;
  };
  for (const { run } of errands) await run(ask);
}

async function check(client: RestClient): Promise<void> {
  const checked = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, AS_PLATFORM);
  expect(checked).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
}

test(`money goes out once, whenever the service dies of the processor's answer, over ${ROUNDS} rounds`, async () => {
  double.world.available = 10_000_000;
  let server = await startServer(data_dir, ENV);
  const who = await people(restClient(server.url));
  const done: Errand[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const errands = errandsOf(`r${round}`, who);
    const acknowledged = await burst(server, round, errands);
    server = await startServer(data_dir, ENV);
    await check(restClient(server.url));
    await again(restClient(server.url), errands, acknowledged);
    for (const { id } of double.world.all('checkout.session')) double.world.pay(id);
    await tellAll(restClient(server.url));
    done.push(...errands);
  }
  const client = restClient(server.url);
  const [transfers, payouts] = [() => double.world.all('transfer'), () => double.world.all('payout')];
  // What a death left unknown is asked after a minute later.
  await client.ask('POST', '/internal/clock', {}, { advance_seconds: 300 }, AS_PLATFORM);
  await until(() => payouts().length >= 2 * ROUNDS);
  const failing = payouts().filter((_, n) => n % 3 === 0);
  for (const { id } of payouts())
    double.world.settlePayout(id, failing.some((each) => each.id === id) ? 'failed' : 'paid');
  await tellAll(client);
  const listed = async (): Promise<Json[]> => client.ask('GET', '/api/wallet/payouts?limit=100', who.buyer);
  await until(async () => (await listed()).every(({ status }) => status === 'finalized' || status === 'reversed'));
  // Each withdrawal has one transfer and one payout, and those that the bank refused are back, and no longer outside.
  expect(await listed()).toHaveLength(2 * ROUNDS);
  expect([transfers().length, payouts().length]).toEqual([2 * ROUNDS, 2 * ROUNDS]);
  expect((await listed()).filter(({ status }) => status === 'reversed')).toHaveLength(failing.length);
  expect(transfers().filter(({ reversed }) => reversed)).toHaveLength(failing.length);
  await check(client);
  const paid = double.world.all('checkout.session').reduce((cents, { amount_total }) => cents + amount_total, 0);
  const sum = (side: 0 | 1): number => done.reduce((cents, each) => cents + each.cents[side], 0);
  const balance = async (of: Credential): Promise<number> =>
    (await client.ask('GET', '/api/v1/wallet', of)).balance_cents;
  expect(await balance(who.spends)).toBe(paid + sum(0) + failing.length * WITHDRAWN_CENTS);
  expect(await balance(who.seller)).toBe(sum(1));
  expect(await server.end('SIGTERM')).toBe(0);
}, 600_000);
