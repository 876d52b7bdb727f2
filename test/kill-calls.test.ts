// kill -9 between a provider's answer and the settlement of its call, again and again, and the same calls under their keys on whoever
// serves next: a provider is asked once for each call, an answer is charged once or not at all, and what was held of calls that were
// cut off goes back. KILL_ROUNDS=30 for more.

import { afterAll, expect, test } from 'bun:test';
import type { ServerChild } from './support/child.ts';
import { type House, openSite } from './support/kill-house.ts';
import { often } from './support/nightly.ts';
import { fundBy, type Json, type RestClient, restClient, verifiedAgent } from './support/rest-client.ts';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? often(2, 4));
const SIDE_BY_SIDE = 16;
const ANSWERS_PER_ROUND = 40;
const TOKEN = 'token-of-the-kill-test';
const AS_PLATFORM = { 'X-Internal-Token': TOKEN };
const FUNDED_CENTS = 1_000_000;
const PRICE_CENTS = 100;
const FEE_CENTS = 5;
/** As long as a provider takes, so that a kill finds calls under way. */
const TAKES_MS = 3;

/** How often the provider was asked for each call. */
const asked = new Map<string, number>();
/** While set, the provider tells of a call that it was asked for and does not answer it before the server is dead. */
let cutOff: { readonly asked: () => void; readonly dead: Promise<void> } | null = null;
const provider = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const id = request.headers.get('x-service-call-id') ?? '';
    if (request.headers.get('x-service-test') === null) asked.set(id, (asked.get(id) ?? 0) + 1);
    cutOff?.asked();
    await (cutOff?.dead ?? Bun.sleep(TAKES_MS));
    return Response.json({ id });
  },
});

const site = await openSite();
afterAll(async () => {
  site.clear();
  await provider.stop(true);
});

const ENV = { INTERNAL_TOKEN: TOKEN, TEST_CLOCK: '1', EGRESS_ALLOW: `127.0.0.1:${provider.port}` };

interface Keys {
  readonly caller: string;
  readonly serves: string;
}

/** A caller with money, and a provider of what it calls. */
async function people(client: RestClient): Promise<Keys> {
  const caller = await verifiedAgent(client, TOKEN, 'kill_caller', '+14155550121');
  const serves = await verifiedAgent(client, TOKEN, 'kill_serves', '+14155550122');
  await fundBy(client, caller, FUNDED_CENTS);
  // Its person lets the key spend more in a day than a key may by itself.
  const spending_limit = { per_transaction_cents: null, per_day_cents: null };
  await client.ask('PATCH', '/api/wallet/', { token: caller.token }, { spending_limit });
  const endpoint_url = `http://127.0.0.1:${provider.port}/`;
  const offer = { capability: 'demo.kill', endpoint_url, price_cents: PRICE_CENTS };
  await client.ask('POST', '/api/router/providers', { key: serves.key }, offer);
  return { caller: caller.key, serves: serves.key };
}

/** The answer of a call under its key, whatever it is. */
async function call(url: string, key: string, name: string): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${url}/api/router/call`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': name },
    body: JSON.stringify({ capability: 'demo.kill', payload: { name } }),
  });
  return { status: response.status, body: await response.json() };
}

/** Kills the server while the provider has not answered at least one call that it was asked for. */
async function killDuringCall(server: ServerChild): Promise<void> {
  const [wasAsked, died] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  cutOff = { asked: wasAsked.resolve, dead: died.promise };
  await wasAsked.promise;
  await server.end('SIGKILL');
  died.resolve();
  cutOff = null;
}

/** Calls until enough was answered, then kills; answers what was acknowledged, and what was not. */
async function burst(server: ServerChild, key: string, round: number) {
  const [acknowledged, unsure] = [new Map<string, Json>(), [] as string[]];
  let [begun, dead] = [0, false];
  let killed: Promise<void> | null = null;
  const worker = async (): Promise<void> => {
    while (!dead) {
      const name = `round-${round}-${begun++}`;
      const answer = await call(server.url, key, name).catch((error) => {
        if (killed === null) throw error;
        return null;
      });
      if (answer === null) {
        dead = true;
        unsure.push(name);
      } else {
        expect(answer.status).toBe(200);
        acknowledged.set(name, answer.body);
      }
      if (acknowledged.size >= ANSWERS_PER_ROUND) killed ??= killDuringCall(server);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  await killed;
  return { acknowledged, unsure };
}

/** Every call that was cut off says who was being asked, and that nobody knows what came of it. */
async function tellsOfAll(client: RestClient, key: string, cut_off: number): Promise<void> {
  const unknown: Json[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Json = await client.ask('GET', `/api/router/calls?limit=100${at}`, { key });
    unknown.push(...page.calls.filter(({ status }: Json) => status === 'unknown'));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(unknown.length).toBe(cut_off);
  for (const { attempts } of unknown) {
    expect(attempts).toEqual([expect.objectContaining({ provider_handle: 'kill_serves', outcome: 'unknown' })]);
  }
}

/** Kills round after round, and asks whoever serves then for the same calls. */
async function killRounds(rounds: number, keys: Keys, house: House): Promise<void> {
  const told = { charged: 0, cut_off: 0 };
  for (let round = 0; round < rounds; round++) {
    const { acknowledged, unsure } = await burst(house.victim(round), keys.caller, round);
    const { url } = await house.next(round);
    for (const [name, body] of acknowledged) expect(await call(url, keys.caller, name)).toEqual({ status: 200, body });
    told.charged += acknowledged.size;
    // Each is answered as it was, or not begun and made now, or nobody knows: then it is under way until its time is over.
    for (const name of unsure) {
      const { status, body } = await call(url, keys.caller, name);
      expect([200, 409]).toContain(status);
      if (status === 200) told.charged += 1;
      else {
        expect(body.error).toBe('idempotency_in_flight');
        told.cut_off += 1;
      }
    }
    await house.mend(round);
  }
  const client = restClient(house.victim(rounds).url);
  await client.ask('POST', '/internal/clock', {}, { advance_seconds: 600 }, AS_PLATFORM);
  const checked = await client.ask('GET', '/api/admin/ledger/check', {}, undefined, AS_PLATFORM);
  expect(checked).toMatchObject({ ok: true, problems: [], sum_cents: 0 });
  const balance = async (key: string): Promise<number> =>
    (await client.ask('GET', '/api/v1/wallet', { key })).balance_cents;
  expect(await balance(keys.caller)).toBe(FUNDED_CENTS - told.charged * PRICE_CENTS);
  expect(await balance(keys.serves)).toBe(told.charged * (PRICE_CENTS - FEE_CENTS));
  expect([...asked.values()].filter((times) => times > 1)).toEqual([]);
  expect(asked.size).toBeGreaterThanOrEqual(told.charged);
  const month = (await client.ask('GET', '/api/router/calls?limit=100', { key: keys.caller })).month_to_date;
  expect(month).toEqual({ charged_calls: told.charged, spent_cents: told.charged * PRICE_CENTS });
  await tellsOfAll(client, keys.caller, told.cut_off);
  expect(told.charged).toBeGreaterThanOrEqual(rounds * ANSWERS_PER_ROUND);
  expect(told.cut_off).toBeGreaterThan(0);
}

test(`a call is asked once and charged once at most, over ${ROUNDS} kills`, async () => {
  asked.clear();
  const house = await site.oneMachine(ENV);
  const keys = await people(restClient(house.victim(0).url));
  await killRounds(ROUNDS, keys, house);
  expect(await house.victim(ROUNDS).end('SIGTERM')).toBe(0);
}, 600_000);

test.skipIf(site.postgres === null)(
  'and so on another node',
  async () => {
    asked.clear();
    const house = await site.twoNodes(ENV);
    const keys = await people(restClient(house.victim(0).url));
    await killRounds(2, keys, house);
  },
  600_000,
);
