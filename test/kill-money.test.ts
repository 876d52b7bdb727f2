// kill -9 in the middle of payments, again and again: what was acknowledged is there after the restart, what was not is there or
// not, nothing is half, and the same call again under its key is the same payment. In the end every cent is accounted for, and
// the ledger proves it after each kill. KILL_ROUNDS=30 for more.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, type ServerChild, startServer } from './support/child.ts';
import { type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 10);
const SIDE_BY_SIDE = 16;
const ANSWERS_PER_ROUND = 60;
const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };

const FUNDED_CENTS = 10_000_000;
const SENT_CENTS = 7;
const ESCROW_CENTS = 101;
/** 5 % of that, rounded down. */
const FEE_CENTS = 5;

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-kill-money-'));
afterAll(() => {
  endServers();
  rmSync(data_dir, { recursive: true, force: true });
});

/** A call that moves money, under the key by which it is one payment however often it is made. */
interface Payment {
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

/** A buyer with money and a key that may spend it, and a seller. */
async function people(client: RestClient): Promise<{ buyer: string; seller: string }> {
  const buyer = await verifiedAgent(client, TOKEN, 'kill_payer', '+14155550111');
  const seller = await verifiedAgent(client, TOKEN, 'kill_payee', '+14155550112');
  await client.ask(
    'POST',
    '/internal/admin/set-plan',
    {},
    { email: 'kill_payer@example.org', plan: 'pro' },
    AS_PLATFORM,
  );
  const asked = { amount_cents: FUNDED_CENTS };
  const { checkout_url } = await client.ask('POST', '/api/wallet/fund', { token: buyer.token }, asked);
  const paid = await fetch(new URL(new URL(checkout_url).pathname, client.url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'decision=pay',
  });
  expect(paid.status).toBeLessThan(400);
  const wanted = { name: 'spends', scopes: ['payments:write', 'agents:read'] };
  const { api_key } = await client.ask('POST', '/api/developer/keys', { token: buyer.token }, wanted);
  return { buyer: api_key, seller: seller.key };
}

function pay(client: RestClient, credential: string, { path, body, key }: Payment): Promise<Json> {
  return client.ask('POST', path, { key: credential }, body, { 'Idempotency-Key': key });
}

const send = (key: string): Payment => ({
  path: '/api/wallet/send',
  body: { to_handle: 'kill_payee', amount_cents: SENT_CENTS },
  key,
});
const open = (key: string): Payment => ({
  path: '/api/wallet/escrow',
  body: { seller_handle: 'kill_payee', milestones: [{ title: 'All of it', amount_cents: ESCROW_CENTS }] },
  key,
});
const release = (escrow_id: string): Payment => ({
  path: `/api/wallet/escrow/${escrow_id}/release`,
  body: { milestone_index: 0 },
  key: `release-${escrow_id}`,
});

/** Pays until enough was acknowledged, then kills; answers what was acknowledged, with its answer, and what was not. */
async function burst(server: ServerChild, buyer: string, round: number) {
  const client = restClient(server.url);
  const acknowledged = new Map<Payment, Json>();
  const unsure: Payment[] = [];
  let [begun, dead] = [0, false];
  const made = async (payment: Payment): Promise<Json | null> => {
    try {
      const answer = await pay(client, buyer, payment);
      acknowledged.set(payment, answer);
      return answer;
    } catch (error) {
      if (!dead) throw error;
      unsure.push(payment);
      return null;
    }
  };
  const worker = async (): Promise<void> => {
    while (!dead) {
      const key = `round-${round}-${begun++}`;
      const escrow = begun % 3 === 0 ? await made(open(key)) : null;
      if (escrow && !dead) await made(release(escrow.id));
      else if (!dead) await made(send(key));
      if (acknowledged.size >= ANSWERS_PER_ROUND && !dead) {
        dead = true;
        await server.end('SIGKILL');
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return { acknowledged, unsure };
}

async function check(client: RestClient): Promise<void> {
  const checked = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, AS_PLATFORM);
  expect(checked).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
}

test(`every acknowledged payment survives kill -9, once, over ${ROUNDS} rounds`, async () => {
  const env = { INTERNAL_TOKEN: TOKEN };
  let server = await startServer(data_dir, env);
  const { buyer, seller } = await people(restClient(server.url));
  const [sends, opened, released] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const note = ({ path, key }: Payment): unknown =>
    (path.endsWith('/send') ? sends : path.endsWith('/escrow') ? opened : released).add(key);
  for (let round = 0; round < ROUNDS; round++) {
    const { acknowledged, unsure } = await burst(server, buyer, round);
    server = await startServer(data_dir, env);
    const client = restClient(server.url);
    await check(client);
    // Each was done before, or is done now: under its key it is one payment.
    for (const [payment, answer] of acknowledged) {
      expect((await pay(client, buyer, payment)).id).toBe(answer.id);
      note(payment);
    }
    for (const payment of unsure) {
      await pay(client, buyer, payment);
      note(payment);
    }
    await check(client);
  }
  const client = restClient(server.url);
  const balance = async (key: string): Promise<number> =>
    (await client.ask('GET', '/api/v1/wallet', { key })).balance_cents;
  expect(await balance(buyer)).toBe(FUNDED_CENTS - sends.size * SENT_CENTS - opened.size * ESCROW_CENTS);
  expect(await balance(seller)).toBe(sends.size * SENT_CENTS + released.size * (ESCROW_CENTS - FEE_CENTS));
  expect(sends.size + opened.size + released.size).toBeGreaterThanOrEqual(ROUNDS * ANSWERS_PER_ROUND);
  expect(await server.end('SIGTERM')).toBe(0);
}, 600_000);
