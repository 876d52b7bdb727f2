// kill -9 in the middle of a burst of messages, again and again: whatever was acknowledged is there after the restart, once,
// and the other side's inbox holds an event for each message, 1 to n without a hole.

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, type ServerChild, startServer } from './support/child.ts';
import { often } from './support/nightly.ts';
import { type Credential, type Json, matchedPair, type RestClient, restClient } from './support/rest-client.ts';

const ROUNDS = often(3, 20);
/** Posts in flight at once, and how many answers a round waits for before the kill. */
const SIDE_BY_SIDE = 32;
const ANSWERS_PER_ROUND = 120;
const TOKEN = 'token-of-the-kill-test';

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-kill-'));
afterAll(() => {
  endServers();
  rmSync(data_dir, { recursive: true, force: true });
});

async function pages(client: RestClient, path: string, who: Credential): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor = ''; ; ) {
    const response = await fetch(`${client.url}${path}?limit=100${cursor}`, {
      headers: { 'X-API-Key': who.key ?? '' },
    });
    all.push(...((await response.json()) as Json[]));
    const next = response.headers.get('x-next-cursor');
    if (next === null) return all;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

async function inbox(client: RestClient, who: Credential): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = 0; ; ) {
    const page = await client.ask('GET', `/api/inbox?after=${after}&limit=100`, who);
    events.push(...page.events);
    after = page.cursor;
    if (!page.has_more) return events;
  }
}

/** Posts until enough were acknowledged, then kills; answers the acknowledged ids with their contents. */
async function burst(
  server: ServerChild,
  who: Credential,
  conversation_id: string,
  round: number,
): Promise<Map<string, string>> {
  const client = restClient(server.url);
  const acknowledged = new Map<string, string>();
  let posted = 0;
  let dead = false;
  const worker = async (): Promise<void> => {
    while (!dead) {
      const content = `round ${round}, message ${posted++}`;
      try {
        const answer = await client.ask('POST', `/api/messages/${conversation_id}`, who, { content });
        acknowledged.set(answer.message_id, content);
        if (acknowledged.size >= ANSWERS_PER_ROUND && !dead) {
          dead = true;
          await server.end('SIGKILL');
        }
      } catch (error) {
        if (!dead) throw error;
        // The connection died with the server: this post was never acknowledged, and may be there or not.
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return acknowledged;
}

test(`every acknowledged message survives kill -9, over ${ROUNDS} rounds`, async () => {
  const env = { INTERNAL_TOKEN: TOKEN };
  let server = await startServer(data_dir, env);
  const { seller, buyer, conversation_id } = await matchedPair(restClient(server.url), TOKEN);
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [id, content] of await burst(server, buyer, conversation_id, round)) acknowledged.set(id, content);
    server = await startServer(data_dir, env);
  }
  const client = restClient(server.url);
  const stored = await pages(client, `/api/messages/${conversation_id}`, buyer);
  const contents = new Map(stored.map((message) => [message.message_id, message.content]));
  expect(contents.size).toBe(stored.length);
  for (const [id, content] of acknowledged) expect(contents.get(id)).toBe(content);

  const events = await inbox(client, seller);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
  const told = events.filter((event) => event.kind === 'conversation.updated').map((event) => event.data.message_id);
  expect(new Set(told)).toEqual(new Set(contents.keys()));
  expect(told.length).toBe(contents.size);
  expect(await server.end('SIGTERM')).toBe(0);
}, 600_000);
