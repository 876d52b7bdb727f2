// A service moves from its folder to PostgreSQL and back: keys, money, threads, inboxes and sealed secrets go on as if nothing had
// happened, and a copy that was killed is begun again.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServers, startServer } from '../support/child.ts';
import { runVerb, spawnVerb } from '../support/meshwork.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { fundBy, type Json, matchedPair, restClient, signInBy } from '../support/rest-client.ts';

const TOKEN = 'token-of-the-copy-test';
const ENV = { INTERNAL_TOKEN: TOKEN };

const postgres = await sharedPostgres();
const folder = mkdtempSync(join(tmpdir(), 'meshwork-copy-verb-'));
afterAll(() => {
  endServers();
  rmSync(folder, { recursive: true, force: true });
});

const copy = (env: Record<string, string>, to: string) => runVerb(folder, ['copy', '--to', to], { ...ENV, ...env });

describe.skipIf(!postgres)('meshwork copy', () => {
  const home = join(folder, 'home');
  const back = join(folder, 'back');
  /** Of the nodes: what a node keeps in its own folder is no part of the service. */
  const node = join(folder, 'node');
  let url = '';
  let pair: Awaited<ReturnType<typeof matchedPair>>;
  beforeAll(async () => {
    url = (await postgres?.database()) ?? '';
    for (const path of [home, node]) mkdirSync(path);
    const server = await startServer(home, ENV);
    const client = restClient(server.url);
    pair = await matchedPair(client, TOKEN);
    await fundBy(client, { token: await signInBy(client, TOKEN, 'kill_buyer@example.org') }, 12_300);
    await client.ask('POST', '/api/developer/webhooks', pair.seller, {
      url: 'https://hooks.example.org/mesh',
      events: ['conversation.updated'],
    });
    await say(client, 'at home');
    expect(await copy({ DATA_DIR: home }, url)).toMatchObject({
      status: 1,
      err: expect.stringContaining('another process uses'),
    });
    await server.end('SIGTERM');
  });

  const messages = (): string => `/api/conversations/${pair.conversation_id}/messages`;

  function say(client: ReturnType<typeof restClient>, content: string): Promise<Json> {
    return client.ask('POST', messages(), pair.buyer, { content });
  }

  /** All that a person or a program would look for after a move. */
  async function holds(server: { readonly url: string }, texts: readonly string[]): Promise<Json> {
    const client = restClient(server.url);
    expect((await client.ask('GET', '/api/v1/wallet', pair.buyer)).balance_cents).toBe(12_300);
    const page: Json[] = await client.ask('GET', `${messages()}?limit=100`, pair.seller);
    const said = page.map(({ content }) => content).filter((text) => texts.includes(text));
    expect(said.sort()).toEqual([...texts].sort());
    expect(await client.ask('GET', '/api/developer/webhooks', pair.seller)).toHaveLength(1);
    const found: Json[] = await client.ask('GET', '/api/matching/feed?limit=5', pair.seller);
    expect(found.length).toBeGreaterThan(0);
    const inbox = await client.ask('GET', '/api/inbox?after=0&limit=100', pair.seller);
    const seqs: number[] = inbox.events.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    return inbox;
  }

  test('moves a service to PostgreSQL, where it goes on', async () => {
    const moved = await copy({ DATA_DIR: home }, url);
    expect(moved).toMatchObject({
      status: 0,
      out: expect.stringMatching(/rows and the secrets were copied and proved/),
    });
    expect(await copy({ DATA_DIR: home }, url)).toMatchObject({ status: 1, err: expect.stringContaining('not empty') });
    const env = { ...ENV, DATABASE_URL: url };
    const server = await startServer(node, env);
    const before = await holds(server, ['at home']);
    await say(restClient(server.url), 'on PostgreSQL');
    const after = await holds(server, ['at home', 'on PostgreSQL']);
    expect(after.epoch).toBe(before.epoch);
    expect(after.events.length).toBeGreaterThan(before.events.length);
    const beside = await copy({ DATA_DIR: node, DATABASE_URL: url }, back);
    expect(beside).toMatchObject({ status: 1, err: expect.stringContaining('nodes use the database') });
    await server.end('SIGTERM');
  });

  test('moves it back, also after a copy that was killed', async () => {
    const env = { ...ENV, DATA_DIR: node, DATABASE_URL: url };
    const cut = spawnVerb(folder, ['copy', '--to', back], env);
    while (!existsSync(join(`${back}.copying`, 'meshwork.db'))) await Bun.sleep(1);
    cut.kill('SIGKILL');
    await cut.exited;
    expect(existsSync(back)).toBe(false);
    expect(await copy({ DATA_DIR: node, DATABASE_URL: url }, back)).toMatchObject({
      status: 0,
      err: expect.any(String),
    });
    expect(existsSync(`${back}.copying`)).toBe(false);
    const server = await startServer(back, ENV);
    await holds(server, ['at home', 'on PostgreSQL']);
    await say(restClient(server.url), 'at home again');
    await holds(server, ['at home', 'on PostgreSQL', 'at home again']);
    await server.end('SIGTERM');
    const checked = await runVerb(folder, ['ledger', 'check'], { DATA_DIR: back, ...ENV });
    expect(checked).toMatchObject({ status: 0, out: expect.stringContaining('The ledger is right.') });
  });

  test('refuses secrets that are not those of the database', async () => {
    rmSync(join(back, 'seal-key'));
    const empty = (await postgres?.database()) ?? '';
    const refused = await copy({ DATA_DIR: back }, empty);
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('nothing was copied: seal-key') });
  });
});
