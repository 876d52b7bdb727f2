// kill -9 while webhooks are being delivered, again and again: after each start the deliveries go on where they were, under
// the same ids; in the end every event of the inbox reached the receiver, each for the first time in its order.

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, startServer } from './support/child.ts';
import { often } from './support/nightly.ts';
import { type Json, matchedPair, restClient } from './support/rest-client.ts';
import { until } from './support/until.ts';

const ROUNDS = often(2, 5);
const POSTS = 60;
/** As long as a receiver takes, so that a kill finds deliveries under way. */
const RECEIVER_MS = 5;
const TOKEN = 'token-of-the-kill-test';

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-kill-'));
const reached: { id: string; seq: number }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { id, seq }: Json = await request.json();
    expect(request.headers.get('webhook-id')).toBe(id);
    reached.push({ id, seq });
    await Bun.sleep(RECEIVER_MS);
    return new Response(null, { status: 204 });
  },
});
afterAll(async () => {
  endServers();
  await receiver.stop(true);
  rmSync(data_dir, { recursive: true, force: true });
});

test(`no delivery is lost or renamed by kill -9, over ${ROUNDS} rounds`, async () => {
  const env = { INTERNAL_TOKEN: TOKEN, EGRESS_ALLOW: `127.0.0.1:${receiver.port}` };
  let server = await startServer(data_dir, env);
  const { seller, buyer, conversation_id } = await matchedPair(restClient(server.url), TOKEN);
  // A stop writes down how far the inbox was delivered: else a kill would let the webhook have what came before it.
  expect(await server.end('SIGTERM')).toBe(0);
  server = await startServer(data_dir, env);
  const body = { url: `http://127.0.0.1:${receiver.port}/`, events: ['*'] };
  await restClient(server.url).ask('POST', '/api/developer/webhooks', seller, body);
  const from = (await restClient(server.url).ask('GET', '/api/inbox?after=0&limit=100', seller)).cursor;
  for (let round = 0; round < ROUNDS; round++) {
    const client = restClient(server.url);
    const before = reached.length;
    const posts = Array.from({ length: POSTS }, (_, n) =>
      client.ask('POST', `/api/messages/${conversation_id}`, buyer, { content: `round ${round}, message ${n}` }),
    );
    await Promise.all(posts);
    // Some of them are out, some under way, some not begun.
    await until(() => reached.length >= before + 5);
    await server.end('SIGKILL');
    server = await startServer(data_dir, env);
  }
  const client = restClient(server.url);
  const events: Json[] = [];
  for (let after = from; ; ) {
    const page = await client.ask('GET', `/api/inbox?after=${after}&limit=100`, seller);
    events.push(...page.events);
    after = page.cursor;
    if (!page.has_more) break;
  }
  expect(events.length).toBe(ROUNDS * POSTS);
  const last = events.at(-1);
  await until(() => reached.some(({ id }) => id === last.id));
  const firsts = new Map(reached.map(({ id, seq }) => [id, seq]));
  expect([...firsts]).toEqual(events.map(({ id, seq }) => [id, seq]));
  expect(await server.end('SIGTERM')).toBe(0);
}, 600_000);
