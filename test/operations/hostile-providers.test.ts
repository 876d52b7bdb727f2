// No address that leads into the house is ever dialled for a capability, neither when it is registered nor when a call would go there,
// however it got among the offers. Sockets are counted on a listener at every address of this machine.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { patch } from '../../db/effects.ts';
import { providerOf } from '../../db/queries/router.ts';
import { countingListener, PORTS } from '../outbound/hostile-run.ts';
import { hostileUrls, hostileZone, PUBLIC_V6 } from '../outbound/hostile-urls.ts';
import { newAgent, type TestAgent } from '../support/agents.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { openTestService, type TestService } from '../support/testbed.ts';

const CAPABILITY = 'demo.hostile';
const SIDE_BY_SIDE = 16;

type Listener = Awaited<ReturnType<typeof countingListener>>;
type Dns = Awaited<ReturnType<typeof startDnsServer>>;

let t: TestService;
let dns: Dns;
let listener: Listener;
let urls: readonly string[];
beforeAll(async () => {
  dns = await startDnsServer({ ...hostileZone(), 'nobody.example.com': { aaaa: [PUBLIC_V6] } });
  t = await openTestService({}, 'memory', { dns_servers: [dns.address] });
  listener = await countingListener(PORTS);
  urls = [...new Set(hostileUrls(listener.port).map(({ url }) => url))];
});
afterAll(async () => {
  await t.close();
  dns.close();
  listener.close();
});

/** Each by one of several agents, so that slow ones wait beside each other. */
async function withEach(
  handle: string,
  run: (who: TestAgent, url: string) => Promise<void>,
  given = urls,
): Promise<void> {
  const waiting = [...given];
  const worker = async (_: unknown, at: number): Promise<void> => {
    const who = await newAgent(t, { handle: `${handle}_${at}`, verified: true });
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) await run(who, url);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}

/** Names whose address changes between the look and the call; the second look refuses them, or they lead to an address of nobody. */
const flips = (url: string): boolean => url.includes('//flips-');

test('registering one is refused by its field, or its trial is, and nothing is dialled', async () => {
  let refused = 0;
  await withEach('registers', async ({ key }, endpoint_url) => {
    const body = { capability: CAPABILITY, endpoint_url, price_cents: 0 };
    const made = await t.call('POST', '/api/router/providers', { key, body });
    if (made.status === 400) {
      expect([endpoint_url, made.body.fields?.[0]?.path]).toEqual([endpoint_url, 'endpoint_url']);
      refused += 1;
    } else expect([endpoint_url, made.status, made.body.endpoint_check?.ok]).toEqual([endpoint_url, 201, false]);
  });
  console.log(`${urls.length} hostile addresses of providers: ${refused} refused when given`);
  expect(urls.length).toBeGreaterThanOrEqual(450);
  expect(refused).toBeGreaterThanOrEqual(urls.filter((url) => !flips(url)).length);
  expect(listener.count()).toBe(0);
}, 600_000);

test('one that is among the offers all the same gets no call', async () => {
  const { store } = t.service.world;
  const ada = await newAgent(t, { handle: 'calls_hostile', verified: true });
  const good = { capability: CAPABILITY, endpoint_url: 'https://nobody.example.com/', price_cents: 0, active: true };
  const reasons = new Map<string, number>();
  // PostgreSQL keeps no text with a NUL in it, so no row could hold these.
  const storable = urls.filter((url) => !url.includes('\0'));
  await withEach(
    'offers',
    async ({ id, key, handle }, endpoint_url) => {
      const there = await store.read(providerOf, { agent_id: id, capability: CAPABILITY });
      if (!there) await t.call('POST', '/api/router/providers', { key, body: good });
      await store.turn({
        attempt: async (read) => {
          const row = await read(providerOf, { agent_id: id, capability: CAPABILITY });
          if (!row) throw new Error('the offer stands');
          return { reply: null, effects: [patch('providers', row, { endpoint_url, streak: 0, suspended_at: null })] };
        },
      });
      const body = { capability: CAPABILITY, only: [handle] };
      const called = await t.call('POST', '/api/router/call', { key: ada.key, body });
      expect([endpoint_url, called.status, called.body.error]).toEqual([endpoint_url, 502, 'providers_failed']);
      const [{ reason }] = called.body.attempts;
      if (!flips(endpoint_url)) expect([endpoint_url, reason]).toEqual([endpoint_url, 'refused']);
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    },
    storable,
  );
  console.log(`${storable.length} calls to them: ${JSON.stringify(Object.fromEntries(reasons))}`);
  expect(listener.count()).toBe(0);
}, 600_000);
