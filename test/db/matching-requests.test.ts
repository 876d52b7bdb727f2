// Requests to matching nodes: each is answered once, by whichever node is there, also when the one that took it on is gone.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import type { MatchingRequests, Store } from '../../db/store.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const server = await sharedPostgres();

describe.skipIf(server === null)('requests to matching nodes', () => {
  let url: string;
  let stores: Store[];
  let asking: MatchingRequests;
  const node = async (): Promise<MatchingRequests> => {
    const options = { url, sealer: { seal: (plain: string) => plain }, dimensions: 8, model: 'm', now_ms: 0 };
    const store = await openPostgresStore(options);
    stores.push(store);
    if (!store.matching) throw new Error('nodes on one database have requests');
    return store.matching;
  };
  const run = async (statement: string): Promise<Record<string, unknown>[]> => {
    await using sql = new Bun.SQL(url, { max: 1 });
    return await sql.unsafe(statement);
  };
  beforeEach(async () => {
    url = (await server?.migrated()) ?? '';
    stores = [];
    asking = await node();
  });
  afterEach(() => Promise.all(stores.map((store) => store.close())));

  test('are each answered by one of them, and leave no row', async () => {
    const answered: string[] = [];
    for (const name of ['one', 'two']) {
      await (await node()).answerWith(async (request) => {
        answered.push(request);
        return `${name}: ${request}`;
      });
    }
    const requests = Array.from({ length: 200 }, (_, n) => `${n}`);
    const answers = await Promise.all(requests.map((request) => asking.ask(request)));
    expect(answers.map((answer) => answer?.split(': ')[1])).toEqual(requests);
    expect(answered.toSorted()).toEqual(requests.toSorted());
    expect(await run('SELECT id FROM matching_requests')).toHaveLength(0);
    expect(asking.counts).toEqual({ asked: 0, answering: 0 });
  });

  test('get no answer where no node gives any, at once', async () => {
    const began_ms = performance.now();
    expect(await asking.ask('anybody?')).toBe(null);
    expect(performance.now() - began_ms).toBeLessThan(1_000);
  });

  test('fail where the node that took one on failed', async () => {
    await (await node()).answerWith(() => Promise.reject(new Error('a bug')));
    await expect(asking.ask('anything')).rejects.toThrow('could not answer');
  });

  test('get no answer in time from a node that hangs, and leave no row', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await (await node()).answerWith(() => promise);
    expect(await asking.ask('anything')).toBe(null);
    await until(async () => (await run('SELECT id FROM matching_requests')).length === 0);
    resolve('late');
  });

  test('are answered by another node when the one that took them on is gone', async () => {
    const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
    await run(
      `INSERT INTO nodes (id, version, answers_until, expires_at) VALUES ('gone', '0', ${now} + 1500, ${now} + 60000)`,
    );
    const waiting = asking.ask('who is left?');
    await until(async () => {
      const rows = await run("UPDATE matching_requests SET claimed_by = 'gone' WHERE claimed_by IS NULL RETURNING id");
      return rows.length === 1;
    });
    await (await node()).answerWith(async (request) => `I am: ${request}`);
    expect(await waiting).toBe('I am: who is left?');
  });
});
