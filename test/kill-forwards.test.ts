// kill -9 while messages are sent on to an agent's own A2A endpoint, and while what it answered is posted: after each start both go
// on where they were; in the end each message was answered in the conversation, and no answer stands there twice.

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, startServer } from './support/child.ts';
import { often } from './support/nightly.ts';
import { type Json, matchedPair, restClient } from './support/rest-client.ts';
import { until } from './support/until.ts';

const ROUNDS = often(2, 4);
const POSTS = 20;
/** As long as an endpoint takes, so that a kill finds messages under way. */
const ENDPOINT_MS = 3;
const TOKEN = 'token-of-the-kill-test';

const data_dir = mkdtempSync(join(tmpdir(), 'meshwork-kill-'));
const came: string[] = [];
const endpoint = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    if (request.method === 'GET') return new Response(null, { status: 404 });
    const { id, params }: Json = await request.json();
    const { parts, metadata } = params.message;
    if (metadata?.['meshwork/origin'] !== 'counterparty') return Response.json({ jsonrpc: '2.0', id, result: {} });
    came.push(id);
    await Bun.sleep(ENDPOINT_MS);
    const said = [{ kind: 'text', text: `answer to ${parts[0].text}` }];
    return Response.json({
      jsonrpc: '2.0',
      id,
      result: { kind: 'message', messageId: 'x', role: 'agent', parts: said },
    });
  },
});
afterAll(async () => {
  endServers();
  await endpoint.stop(true);
  rmSync(data_dir, { recursive: true, force: true });
});

test(`each message is answered, and once, over ${ROUNDS} kills`, async () => {
  const env = { INTERNAL_TOKEN: TOKEN, EGRESS_ALLOW: `127.0.0.1:${endpoint.port}` };
  let server = await startServer(data_dir, env);
  const { seller, buyer, conversation_id } = await matchedPair(restClient(server.url), TOKEN);
  const [{ handle }]: Json = await restClient(server.url).ask('GET', '/api/agents', seller);
  const a2a_url = `http://127.0.0.1:${endpoint.port}/`;
  await restClient(server.url).ask('PATCH', `/api/agents/${handle}`, seller, { a2a_url });
  const wanted: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const client = restClient(server.url);
    const before = came.length;
    const contents = Array.from({ length: POSTS }, (_, n) => `round ${round}, message ${n}`);
    wanted.push(...contents.map((content) => `answer to ${content}`));
    await Promise.all(
      contents.map((content) => client.ask('POST', `/api/messages/${conversation_id}`, buyer, { content })),
    );
    // Some of them are out, some answered, some not begun.
    await until(() => came.length >= before + 3);
    await server.end('SIGKILL');
    server = await startServer(data_dir, env);
  }
  const client = restClient(server.url);
  const posted = async (): Promise<string[]> => {
    const texts: string[] = [];
    for (let after = ''; ; ) {
      const page: Json[] = await client.ask('GET', `/api/messages/${conversation_id}?limit=100${after}`, buyer);
      texts.push(...page.map(({ content }: Json) => content));
      const last = page.at(-1);
      if (!last || page.length < 100) return texts.filter((content) => content.startsWith('answer to '));
      after = `&cursor=${last.message_id}`;
    }
  };
  let answers: string[] = [];
  await until(async () => {
    answers = await posted();
    return answers.length >= wanted.length;
  });
  expect(answers.toSorted()).toEqual(wanted.toSorted());
  // A message that was on its way went out again, under its own id.
  expect(new Set(came).size).toBe(wanted.length);
  expect(await server.end('SIGTERM')).toBe(0);
}, 600_000);
