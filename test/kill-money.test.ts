// kill -9 in the middle of payments and disputes, again and again: what was acknowledged is there after the restart, or on another
// node, what was not is there or not, nothing is half, and the same call again under its key is the same payment. In the end every
// cent is accounted for, and the ledger proves it after each kill. KILL_ROUNDS=30 for more.

import { afterAll, expect, test } from 'bun:test';
import type { ServerChild } from './support/child.ts';
import { type House, openSite } from './support/kill-house.ts';
import { often } from './support/nightly.ts';
import { fundBy, type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? often(2, 10));
const SIDE_BY_SIDE = 16;
const ANSWERS_PER_ROUND = 60;
const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };

const FUNDED_CENTS = 10_000_000;
const SENT_CENTS = 7;
const ESCROW_CENTS = 101;
/** 3 % of that, rounded down. */
const FEE_CENTS = 3;

/** What a proposal gives back; the seller gets the rest less 3 % of it, rounded down. */
const SPLIT = { refund_cents: 51, release_cents: 50 };
const SPLIT_FEE_CENTS = 1;

const site = await openSite();
afterAll(() => site.clear());

type Role = 'buyer' | 'seller';
/** What each call does, as far as money is concerned. */
type Deed = 'send' | 'open' | 'release' | 'dispute' | 'withdraw' | 'concede' | 'propose' | 'accept';

/** A call about money, under the key by which it is one however often it is made. */
interface Payment {
  readonly deed: Deed;
  readonly by: Role;
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

type Keys = Readonly<Record<Role, string>>;

/** A buyer with money and a key that may spend it, and a seller. */
async function people(client: RestClient): Promise<Keys> {
  const buyer = await verifiedAgent(client, TOKEN, 'kill_payer', '+14155550111');
  const seller = await verifiedAgent(client, TOKEN, 'kill_payee', '+14155550112');
  for (const email of ['kill_payer@example.org', 'kill_payee@example.org'])
    await client.ask('POST', '/internal/admin/set-plan', {}, { email, plan: 'pro' }, AS_PLATFORM);
  await fundBy(client, buyer, FUNDED_CENTS);
  const wanted = { name: 'spends', scopes: ['payments:write', 'agents:read', 'deals:write'] };
  const { api_key } = await client.ask('POST', '/api/developer/keys', { token: buyer.token }, wanted);
  // A settlement gives money away, which takes a key that may spend.
  const settles = await client.ask('POST', '/api/developer/keys', { token: seller.token }, wanted);
  return { buyer: api_key, seller: settles.api_key };
}

function pay(client: RestClient, keys: Keys, { by, path, body, key }: Payment): Promise<Json> {
  return client.ask('POST', path, { key: keys[by] }, body, { 'Idempotency-Key': key });
}

const send = (key: string): Payment => ({
  deed: 'send',
  by: 'buyer',
  path: '/api/wallet/send',
  body: { to_handle: 'kill_payee', amount_cents: SENT_CENTS },
  key,
});
const open = (key: string): Payment => ({
  deed: 'open',
  by: 'buyer',
  path: '/api/wallet/escrow',
  body: { seller_handle: 'kill_payee', milestones: [{ title: 'All of it', amount_cents: ESCROW_CENTS }] },
  key,
});

/** The ways in which an escrow goes on, each a call after the other. */
const COURSES: readonly (readonly [deed: Deed, by: Role, path: string, body: object][])[] = [
  [['release', 'buyer', 'release', { milestone_index: 0 }]],
  [
    ['dispute', 'buyer', 'dispute', { reason: 'It is not what was agreed.' }],
    ['concede', 'seller', 'dispute/concede', {}],
  ],
  [
    ['dispute', 'buyer', 'dispute', { reason: 'It is not what was agreed.' }],
    ['withdraw', 'buyer', 'dispute/withdraw', {}],
    ['release', 'buyer', 'release', { milestone_index: 0 }],
  ],
  [
    ['dispute', 'buyer', 'dispute', { reason: 'It is not what was agreed.' }],
    ['propose', 'seller', 'dispute/propose', SPLIT],
    ['accept', 'buyer', 'dispute/accept', SPLIT],
  ],
];

const ENDS: readonly Deed[] = ['release', 'withdraw', 'concede', 'accept'];

/** Pays until enough was acknowledged, each end of an escrow included, then kills. Answers what was acknowledged, with its answer, and
 * what was not. */
async function burst(server: ServerChild, keys: Keys, round: number) {
  const client = restClient(server.url);
  const acknowledged = new Map<Payment, Json>();
  const unsure: Payment[] = [];
  let [begun, dead] = [0, false];
  const made = async (payment: Payment): Promise<Json | null> => {
    if (dead) return null;
    try {
      const answer = await pay(client, keys, payment);
      acknowledged.set(payment, answer);
      return answer;
    } catch (error) {
      if (!dead) throw error;
      unsure.push(payment);
      return null;
    }
  };
  const escrowed = async (key: string, n: number): Promise<void> => {
    const escrow = await made(open(key));
    for (const [deed, by, path, body] of COURSES[n % COURSES.length] ?? []) {
      if (escrow === null) return;
      const at = `/api/wallet/escrow/${escrow.id}/${path}`;
      if ((await made({ deed, by, path: at, body, key: `${deed}-${escrow.id}` })) === null) return;
    }
  };
  const worker = async (): Promise<void> => {
    while (!dead) {
      const n = begun++;
      const key = `round-${round}-${n}`;
      await (n % 3 === 0 ? escrowed(key, n / 3) : made(send(key)));
      const deeds = new Set([...acknowledged.keys()].map(({ deed }) => deed));
      if (acknowledged.size >= ANSWERS_PER_ROUND && ENDS.every((end) => deeds.has(end)) && !dead) {
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

/** Kills round after round. It repeats each call on whoever serves then, and holds the wallets to what was done. */
async function killRounds(rounds: number, keys: Keys, house: House): Promise<void> {
  const done = new Map<Deed, Set<string>>();
  const note = ({ deed, key }: Payment): unknown => done.set(deed, (done.get(deed) ?? new Set()).add(key));
  const n = (deed: Deed): number => done.get(deed)?.size ?? 0;
  for (let round = 0; round < rounds; round++) {
    const { acknowledged, unsure } = await burst(house.victim(round), keys, round);
    const client = restClient((await house.next(round)).url);
    await check(client);
    // Each was done before, or is done now: under its key it is one.
    for (const [payment, answer] of acknowledged) {
      expect(await pay(client, keys, payment)).toEqual(answer);
      note(payment);
    }
    for (const payment of unsure) {
      await pay(client, keys, payment);
      note(payment);
    }
    await check(client);
    await house.mend(round);
  }
  const client = restClient(house.victim(rounds).url);
  const balance = async (by: Role): Promise<number> =>
    (await client.ask('GET', '/api/v1/wallet', { key: keys[by] })).balance_cents;
  const back = n('concede') * ESCROW_CENTS + n('accept') * SPLIT.refund_cents;
  const settled = n('accept') * (SPLIT.release_cents - SPLIT_FEE_CENTS);
  expect(await balance('buyer')).toBe(FUNDED_CENTS - n('send') * SENT_CENTS - n('open') * ESCROW_CENTS + back);
  expect(await balance('seller')).toBe(n('send') * SENT_CENTS + n('release') * (ESCROW_CENTS - FEE_CENTS) + settled);
  const all = [...done.values()].reduce((sum, { size }) => sum + size, 0);
  expect(all).toBeGreaterThanOrEqual(rounds * ANSWERS_PER_ROUND);
}

test(`every acknowledged payment survives kill -9, once, over ${ROUNDS} rounds`, async () => {
  const house = await site.oneMachine({ INTERNAL_TOKEN: TOKEN });
  const keys = await people(restClient(house.victim(0).url));
  await killRounds(ROUNDS, keys, house);
  expect(await house.victim(ROUNDS).end('SIGTERM')).toBe(0);
}, 600_000);

const NODE_ROUNDS = Math.ceil(ROUNDS / 3);
test.skipIf(site.postgres === null)(
  `a node that is killed leaves nothing half: the same call on another node is the same payment, over ${NODE_ROUNDS} rounds`,
  async () => {
    const house = await site.twoNodes({ INTERNAL_TOKEN: TOKEN });
    const keys = await people(restClient(house.victim(0).url));
    await killRounds(NODE_ROUNDS, keys, house);
  },
  600_000,
);
