// What a commit cache promises over any adapter of the store: it forgets at commit, and gives nobody what is older than a
// change that they may know of. Part of the store's contract (store-contract.ts).
import { describe, expect, test } from 'bun:test';
import { commitCache } from '../../db/commit-cache.ts';
import { apply, type Effect, insert, patch } from '../../db/effects.ts';
import { accountById } from '../../db/queries/identity.ts';
import { webhooksOfAgent } from '../../db/queries/webhook.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';
import type { Outcome, Store } from '../../db/store.ts';

export interface CacheKit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
}

let ids = 0;
const fresh = (what: string): string => `cached-${what}-${++ids}`;

function account(id: string): NewRow<'accounts'> {
  return { id, email: `${id}@example.org`, plan: 'free', created_at: 1 };
}

function hook(agent_id: string): NewRow<'webhooks'> {
  const id = fresh('hook');
  return { id, agent_id, kind: 'agent', url: 'https://a.example', events: ['*'], secret: 's', created_at: 1 };
}

/** Plans of accounts by their id, with how often each was read. `gate` holds readings up after they have read. */
function plans(store: Store, max: number) {
  const made = { now_ms: 0, reads: [] as string[], gate: null as Promise<void> | null, dropped: [] as string[] };
  const cache = commitCache({
    store,
    now: () => made.now_ms,
    tables: ['accounts'],
    max,
    rows: (row: Row<'accounts'> | null) => row && [{ table: 'accounts', id: row.id }],
    dropped: (row) => made.dropped.push(row?.id ?? ''),
    load: async (id) => {
      made.reads.push(id);
      const row = await store.read(accountById, { id });
      await made.gate;
      return row;
    },
  });
  const plan = async (id: string): Promise<string | undefined> => (await cache.get(id))?.plan;
  return { made, cache, plan };
}

export function commitCacheTests(kit: CacheKit): void {
  describe('a commit cache', () => {
    changeTests(kit);
    wholeTests(kit);
    boundTests(kit);
    listTests(kit);
  });
}

function changeTests({ store, commit }: CacheKit): void {
  const upgrade = (id: string): Promise<Outcome<null>> =>
    commit(apply('accounts', id, () => ({ plan: 'pro' as const })));

  test('gives what is kept without a wait, and forgets at commit what the commit changed, nothing else', async () => {
    const { made, cache, plan } = plans(store(), 10);
    const [a, b] = [fresh('account'), fresh('account')];
    await commit(insert('accounts', account(a)), insert('accounts', account(b)));
    expect([await plan(a), await plan(b), await plan(a)]).toEqual(['free', 'free', 'free']);
    expect(made.reads).toEqual([a, b]);
    expect(cache.get(a)).not.toBeInstanceOf(Promise);
    await upgrade(a);
    expect([cache.known(a), cache.known(b)?.plan, await plan(a)]).toEqual([undefined, 'free', 'pro']);
    expect(made.reads).toEqual([a, b, a]);
    expect(made.dropped).toEqual([a]);
  });

  test('reads once for all who ask at the same time, and tells all of a failure without keeping it', async () => {
    const { made, plan } = plans(store(), 10);
    const id = fresh('account');
    await commit(insert('accounts', account(id)));
    const broken = Promise.withResolvers<void>();
    broken.promise.catch(() => {});
    made.gate = broken.promise;
    const failed = Promise.allSettled([plan(id), plan(id)]);
    broken.reject(new Error('the disk is away'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    made.gate = null;
    expect(await Promise.all([plan(id), plan(id), plan(id)])).toEqual(['free', 'free', 'free']);
    expect(made.reads).toEqual([id, id]);
  });

  test('keeps nothing that was being read while it changed, and lets nobody who asks afterwards wait for it', async () => {
    const { made, cache, plan } = plans(store(), 10);
    const [id, other] = [fresh('account'), fresh('account')];
    await commit(insert('accounts', account(id)), insert('accounts', account(other)));
    const held = Promise.withResolvers<void>();
    made.gate = held.promise;
    const [before, untouched] = [plan(id), plan(other)];
    // Both have read by now, on either engine.
    await commit(insert('accounts', account(fresh('account'))));
    await store().read(accountById, { id });
    await upgrade(id);
    made.gate = null;
    expect(await plan(id)).toBe('pro');
    held.resolve();
    expect([await before, await untouched]).toEqual(['free', 'free']);
    expect(cache.known(id)?.plan).toBe('pro');
    expect(cache.known(other)?.plan).toBe('free');
    expect(made.reads).toEqual([id, other, id]);
  });
}

function wholeTests({ store, commit }: CacheKit): void {
  test('where any change forgets everything, what was being read meanwhile is not kept either', async () => {
    const id = fresh('account');
    await commit(insert('accounts', account(id)));
    const held = Promise.withResolvers<void>();
    const cache = commitCache<Row<'accounts'> | null>({
      store: store(),
      now: () => 0,
      tables: ['accounts'],
      max: 10,
      load: async (key) => {
        const row = await store().read(accountById, { id: key });
        await held.promise;
        return row;
      },
    });
    const before = cache.get(id);
    // It has read by now, on either engine.
    await store().read(accountById, { id });
    await commit(apply('accounts', id, () => ({ plan: 'pro' as const })));
    held.resolve();
    expect((await before)?.plan).toBe('free');
    expect((await cache.get(id))?.plan).toBe('pro');
  });
}

function boundTests({ store, commit }: CacheKit): void {
  test('holds no more than it may, and lets go first of what nobody asked for again', async () => {
    const { made, cache, plan } = plans(store(), 3);
    const all = Array.from({ length: 5 }, () => fresh('account'));
    await commit(...all.map((id) => insert('accounts', account(id))));
    const [a = '', b = '', c = '', d = '', e = ''] = all;
    for (const id of [a, b, c]) await plan(id);
    await plan(a);
    for (const id of [d, e]) await plan(id);
    expect(all.map((id) => cache.known(id) !== undefined)).toEqual([true, false, false, true, true]);
    expect(made.dropped).toEqual([b, c]);
  });

  test('keeps nothing that its maker calls nothing', async () => {
    const { made, plan } = plans(store(), 10);
    const nobody = fresh('account');
    expect([await plan(nobody), await plan(nobody)]).toEqual([undefined, undefined]);
    expect(made.reads).toEqual([nobody, nobody]);
  });

  test('believes what it read for five seconds where others write, and until it changes where nobody does', async () => {
    const { made, cache, plan } = plans(store(), 10);
    const id = fresh('account');
    await commit(insert('accounts', account(id)));
    await plan(id);
    made.now_ms = 4_999;
    expect(cache.known(id)?.plan).toBe('free');
    made.now_ms = 5_000;
    expect(cache.known(id)?.plan).toBe(store().shared ? undefined : 'free');
  });
}

function listTests({ store, commit }: CacheKit): void {
  test('forgets a list for a new row of it, and no other list for a change of a row that is in none', async () => {
    const reads: string[] = [];
    const cache = commitCache({
      store: store(),
      now: () => 0,
      tables: ['webhooks'],
      lists: ['webhooks'],
      max: 10,
      rows: (rows: Row<'webhooks'>[]) => rows.map(({ id }) => ({ table: 'webhooks', id }) as const),
      load: (agent_id) => {
        reads.push(agent_id);
        return store().read(webhooksOfAgent, { agent_id });
      },
    });
    const [a, b] = [fresh('agent'), fresh('agent')];
    const [first, second] = [hook(a), hook(a)];
    await commit(insert('webhooks', first));
    expect((await cache.get(a)).length + (await cache.get(b)).length).toBe(1);
    await commit(insert('webhooks', second));
    expect([(await cache.get(a)).length, (await cache.get(b)).length]).toEqual([2, 0]);
    await commit(patch('webhooks', { id: first.id, version: 1 }, { active: 0 }));
    expect([cache.known(a), cache.known(b)?.length]).toEqual([undefined, 0]);
    // Known to be of a list that is not kept now.
    await commit(patch('webhooks', { id: first.id, version: 2 }, { active: 1 }));
    expect([cache.known(b)?.length, reads]).toEqual([0, [a, b, a, b]]);
  });

  test('without rows, forgets everything when anything in its tables changes', async () => {
    const reads: string[] = [];
    const cache = commitCache({
      store: store(),
      now: () => 0,
      tables: ['webhooks'],
      max: 10,
      load: async (key) => reads.push(key),
    });
    await Promise.all([cache.get('one'), cache.get('two')]);
    await commit(insert('accounts', account(fresh('account'))));
    expect([cache.known('one'), cache.known('two')]).toEqual([1, 2]);
    await commit(insert('webhooks', hook(fresh('agent'))));
    expect([cache.known('one'), cache.known('two')]).toEqual([undefined, undefined]);
  });
}
