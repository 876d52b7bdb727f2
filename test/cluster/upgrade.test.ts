// A rolling upgrade with migrations: a node of a newer release migrates while a node of this one serves the same database. Where the
// migration has room for it, it serves on without one refusal; where not, the newer node does not start. Every acknowledged message is
// there once.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { BUILT_IN_MODEL } from '../../src/outbound/embedder/built-in.ts';
import { EMBEDDING_DIMENSIONS } from '../../src/outbound/embedder/embedder.ts';
import { joining, type Member, members, newId, talking, write } from '../bench/population.ts';
import { endServers, type ServerChild, startServer } from '../support/child.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { type Json, restClient } from '../support/rest-client.ts';

const NEWER = new URL('./newer-node.ts', import.meta.url).pathname;
/** A node of this release. */
const ENTRY = new URL('../../src/cli/meshwork.ts', import.meta.url).pathname;
const WRITERS = 4;
/** What each has to be answered before the next thing happens. */
const MESSAGES = 25;
/** A node that did not hear of a commit finds it after four seconds. */
const LOOK_MS = 200;
const LOOKS_MAX = 100;
const TIMEOUT_MS = 300_000;

interface Talk {
  readonly id: string;
  readonly opener: Member;
}

const server = await sharedPostgres();
const home = mkdtempSync(join(tmpdir(), 'meshwork-upgrade-'));
afterAll(() => {
  endServers();
  rmSync(home, { recursive: true, force: true });
});

async function populate(url: string): Promise<Talk[]> {
  const sealer = { seal: (plain: string) => plain };
  const now_ms = Date.now();
  const store = await openPostgresStore({
    ...{ url, sealer, dimensions: EMBEDDING_DIMENSIONS, model: BUILT_IN_MODEL, now_ms },
  });
  const all = members(WRITERS);
  await write(store, joining(all, now_ms));
  const talks = all.map((opener, n) => ({ id: newId(), opener, other: all[(n + 1) % WRITERS] ?? opener }));
  await write(
    store,
    talks.map(({ id, opener, other }) => talking(id, opener, other, now_ms)),
  );
  await store.close();
  return talks;
}

/** Writers that never pause. */
class Writers {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  readonly #done: Promise<unknown>;
  #url: string;
  #over = false;

  constructor(talks: readonly Talk[], url: string) {
    this.#url = url;
    this.#done = Promise.all(talks.map((talk) => this.#write(talk)));
  }

  async #write({ id, opener: { key } }: Talk): Promise<void> {
    for (let n = 0; !this.#over && this.refused.length === 0; n++) {
      const content = `message ${n} in ${id}`;
      const response = await fetch(`${this.#url}/api/messages/${id}`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': `${id}-${n}` },
        body: JSON.stringify({ content }),
      }).catch((error: unknown) => new Response(String(error), { status: 599 }));
      const text = await response.text();
      if (response.ok) this.acknowledged.push(content);
      else this.refused.push(`${response.status} ${text}`);
    }
  }

  /** Sends what comes from now on to another node. */
  turnTo(url: string): void {
    this.#url = url;
  }

  /** Resolves when so many more were acknowledged, or one was refused. */
  async more(): Promise<void> {
    const until = this.acknowledged.length + WRITERS * MESSAGES;
    while (this.acknowledged.length < until && this.refused.length === 0) await Bun.sleep(10);
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#done;
  }
}

async function ask(url: string, { key }: Member, path: string, body: object): Promise<Json> {
  const client = restClient(url);
  return client.ask('POST', path, { key }, body);
}

const LABELS = ['carpentry'];
const publish = (url: string, member: Member, n: number): Promise<Json> =>
  ask(url, member, `/api/agents/${member.handle}/cards`, {
    ...{ card_type: 'selling', headline: `Tables of oak ${n}`, labels: LABELS, price_cents: 50_000 },
  });

/** Waits until a node compares so many listings. */
async function compares(url: string, member: Member, listings: number): Promise<void> {
  const draft = { card_type: 'buying', headline: 'A table of oak', labels: LABELS, budget_cents: 80_000 };
  for (let looks = 0; ; looks++) {
    const { considered } = await ask(url, member, '/api/matching/preview', draft);
    if (considered === listings) return;
    if (looks === LOOKS_MAX) expect([url, considered]).toEqual([url, listings]);
    await Bun.sleep(LOOK_MS);
  }
}

let places = 0;

function node(DATABASE_URL: string, entry?: readonly string[]): Promise<ServerChild> {
  const place = join(home, `node-${++places}`);
  mkdirSync(place);
  return startServer(place, { DATABASE_URL }, entry);
}

/** What a node says that does not start. */
async function refusal(DATABASE_URL: string, entry: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: home, LOG_LEVEL: 'error', DATABASE_URL };
  const child = Bun.spawn([process.execPath, ...entry], { cwd: home, env, stdout: 'ignore', stderr: 'pipe' });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect([code === 0, said]).toEqual([false, said]);
  return said;
}

const appliedOf = async (sql: Bun.SQL): Promise<string[]> => {
  const rows: { name: string }[] = await sql`SELECT name FROM migrations WHERE name <> 'lock' ORDER BY name`;
  return rows.map(({ name }) => name);
};

describe.skipIf(server === null)('a rolling upgrade', () => {
  test(
    'migrates while the older node serves, and only where it can',
    async () => {
      const url = (await server?.migrated()) ?? '';
      await using sql = new Bun.SQL(url, { max: 1 });
      const before = await appliedOf(sql);
      const talks = await populate(url);
      const [seller, buyer] = talks.map(({ opener }) => opener) as [Member, Member];
      const older = await node(url);
      await publish(older.url, seller, 1);
      await compares(older.url, buyer, 1);
      const writers = new Writers(talks, older.url);
      await writers.more();

      const newer = await node(url, [NEWER, '1']);
      expect(await appliedOf(sql)).toEqual([...before, '9998_heard']);
      await writers.more();
      writers.turnTo(newer.url);
      await writers.more();
      await publish(newer.url, seller, 2);
      await compares(older.url, buyer, 2);
      writers.turnTo(older.url);

      const newest = [NEWER, '2'];
      expect(await refusal(url, newest)).toMatch(
        /a node of release \d+\.\d+\.\d+ serves it, and 9999_deaf needs 99\.1\.0 or later: stop the older nodes first/,
      );
      expect(await refusal(url, [ENTRY, 'serve'])).toMatch(/changed by version 99\.1\.0 \(9998_heard\)/);
      expect(await appliedOf(sql)).toEqual([...before, '9998_heard']);
      await writers.more();
      writers.turnTo(newer.url);
      await writers.more();
      expect(await older.end('SIGTERM')).toBe(0);

      const last = await node(url, newest);
      expect(await appliedOf(sql)).toEqual([...before, '9998_heard', '9999_deaf']);
      await writers.more();
      writers.turnTo(last.url);
      await writers.more();
      expect(await newer.end('SIGTERM')).toBe(0);
      await writers.more();
      await writers.end();

      expect(writers.refused).toEqual([]);
      const stored: { content: string }[] = await sql`SELECT content FROM messages ORDER BY content`;
      expect(stored.map(({ content }) => content)).toEqual([...writers.acknowledged].sort());
      const torn = await sql`SELECT i.id FROM inboxes i LEFT JOIN events e ON e.agent_id = i.id
        GROUP BY i.id, i.last_seq HAVING count(e.id) <> i.last_seq OR max(e.seq) <> i.last_seq`;
      expect([...torn]).toEqual([]);
      await last.end('SIGTERM');
    },
    TIMEOUT_MS,
  );
});
