// Requests to matching nodes: each is answered once, by whichever node is there, also when the one that took it on is gone.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import type { MatchingRequests, Store } from '../../db/store.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const server = await sharedPostgres();
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

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
  /** A node that says that it answers. */
  const alive = (id: string, ms: number): Promise<unknown> =>
    run(
      `INSERT INTO nodes (id, version, answers_until, expires_at) VALUES ('${id}', '0', ${NOW} + ${ms}, ${NOW} + 60000)`,
    );
  const rows = (): Promise<Record<string, unknown>[]> => run('SELECT id, claimed_by FROM matching_requests');
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
    const answers = await Promise.all(requests.map((request) => asking.ask(request, 'a caller')));
    expect(answers.map((answer) => answer?.split(': ')[1])).toEqual(requests);
    expect(answered.toSorted()).toEqual(requests.toSorted());
    expect(await run('SELECT id FROM matching_requests')).toHaveLength(0);
    expect(asking.counts).toEqual({ asked: 0, answering: 0 });
  });

  test('get no answer where no node gives any, at once', async () => {
    const began_ms = performance.now();
    expect(await asking.ask('anybody?', 'a caller')).toBe(null);
    expect(performance.now() - began_ms).toBeLessThan(1_000);
  });

  test('fail where the node that took one on failed', async () => {
    await (await node()).answerWith(() => Promise.reject(new Error('a bug')));
    await expect(asking.ask('anything', 'a caller')).rejects.toThrow('could not answer');
  });

  test('get no answer in time from a node that hangs, and leave no row', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await (await node()).answerWith(() => promise);
    expect(await asking.ask('anything', 'a caller')).toBe(null);
    await until(async () => (await run('SELECT id FROM matching_requests')).length === 0);
    resolve('late');
  });

  test('are answered by another node when the one that took them on is gone', async () => {
    await alive('gone', 1_500);
    const waiting = asking.ask('who is left?', 'a caller');
    await until(async () => {
      const rows = await run("UPDATE matching_requests SET claimed_by = 'gone' WHERE claimed_by IS NULL RETURNING id");
      return rows.length === 1;
    });
    await (await node()).answerWith(async (request) => `I am: ${request}`);
    expect(await waiting).toBe('I am: who is left?');
  });

  test('are claimed by turns of their callers', async () => {
    await alive('another', 60_000);
    const many = Array.from({ length: 100 }, (_, n) => asking.ask(`a ${n}`, 'a'));
    await until(async () => (await rows()).length === 100);
    const one = asking.ask('b', 'b');
    await until(async () => (await rows()).length === 101);
    const first: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    await (await node()).answerWith(async (request) => {
      first.push(request);
      await promise;
      return request;
    });
    await until(() => first.length === 64);
    expect(first).toContain('b');
    resolve();
    expect(await one).toBe('b');
    expect(await Promise.all(many)).not.toContain(null);
  });

  test('get no answer at once that none can give', async () => {
    await (await node()).answerWith(async () => null);
    const began_ms = performance.now();
    expect(await asking.ask('of a newer release', 'a caller')).toBe(null);
    expect(performance.now() - began_ms).toBeLessThan(2_000);
  });

  test('take the answer of the node alone that has claimed them', async () => {
    await alive('another', 60_000);
    await (await node()).answerWith(async () => {
      await run("UPDATE matching_requests SET claimed_by = 'another'");
      return 'late';
    });
    expect(await asking.ask('anything', 'a caller')).toBe(null);
  });

  test('are answered by a node that stops, if it has begun', async () => {
    const [stopping, answered] = [await node(), [] as string[]];
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    await stopping.answerWith(async (request) => {
      begin();
      await Bun.sleep(3_800);
      return `first: ${request}`;
    });
    const waiting = asking.ask('slow', 'a caller');
    await began;
    await (await node()).answerWith(async (request) => {
      answered.push(request);
      return `second: ${request}`;
    });
    const stopped = stopping.stop();
    expect(await asking.ask('quick', 'a caller')).toBe('second: quick');
    expect(await waiting).toBe('first: slow');
    await stopped;
    expect(answered).toEqual(['quick']);
    expect(await run(`SELECT id FROM nodes WHERE answers_until > ${NOW}`)).toHaveLength(1);
  });

  test('leave no row when the node that asked is gone', async () => {
    await alive('another', 60_000);
    const waiting = asking.ask('anything', 'a caller');
    await until(async () => (await rows()).length === 1);
    await stores[0]?.close();
    expect(await rows()).toHaveLength(0);
    expect(await waiting).toBe(null);
    await run(
      `INSERT INTO matching_requests (id, node, caller, request, expires_at) VALUES ('x', 'killed', '', '', ${NOW})`,
    );
    await (await node()).answerWith(async () => null);
    await until(async () => (await rows()).length === 0);
  });

  test('to run a reminder claim it, so that no search finds it meanwhile', async () => {
    await run(
      `INSERT INTO reminders (id, at, operation, input, created_at) VALUES ('r', 1000, 'match.run_listing', '{}', 0)`,
    );
    const due = async (): Promise<number> => (await stores[0]?.claimReminders(2_000, 10, new Set(), 0))?.length ?? 0;
    expect(await asking.claimReminder('r', 2_000)).toBe(true);
    expect(await due()).toBe(0);
    expect(await asking.claimReminder('r', 2_000)).toBe(false);
    await run("UPDATE reminders SET at = 1000 WHERE id = 'r'");
    expect(await due()).toBe(1);
    expect(await asking.claimReminder('r', 2_000)).toBe(false);
  });
});
