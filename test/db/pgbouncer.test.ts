// Nodes behind PgBouncer in transaction mode, which lends a server's connection by the transaction: nothing that is set or prepared
// on one is there afterwards, and who listens hears nothing. And how many connections a node opens at all.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type EventEffect, insert } from '../../db/effects.ts';
import { findServer } from '../../db/postgres/find-server.ts';
import { Pool } from '../../db/postgres/pool.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { accountById } from '../../db/queries/identity.ts';
import { eventsAfter } from '../../db/queries/inbox.ts';
import type { Store } from '../../db/store.ts';
import { hasPgbouncer, type Pooler, startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { sharedPostgres } from '../support/postgres.ts';

const server = await sharedPostgres();
const AT_ONCE = 60;
const CONNECTIONS_MAX = 8;
const PARAMETERS =
  'meshwork.probed,idle_in_transaction_session_timeout,enable_seqscan,enable_hashjoin,enable_mergejoin';
if (!hasPgbouncer) console.warn('SKIPPED: there is no pgbouncer on this machine; nodes behind it are not tested');

function open(url: string, direct_url?: string): Promise<Store> {
  const sealer = { seal: (plain: string): string => plain };
  return openPostgresStore({ url, direct_url, sealer, dimensions: 256, model: 'm', now_ms: 0 });
}

const told = (id: string, to: string): EventEffect => {
  const event = { do: 'event', handle: to, event: 'test.ping', data: {}, subject_id: null, awaiting: false } as const;
  return { ...event, id, to, respond_by: null, created_at: 1 };
};

const account = (id: string) => insert('accounts', { id, email: `${id}@example.org`, plan: 'free', created_at: 1 });

/** Turns, look-ups and reads of pages, many at once. */
async function work(store: Store, name: string): Promise<number[]> {
  const ids = Array.from({ length: AT_ONCE }, (_, n) => `${name}-${n}`);
  await Promise.all(
    ids.map((id) =>
      store.turn({
        attempt: async (read) => {
          await read(accountById, { id });
          return { reply: null, effects: [account(id), told(`event-${id}`, name)] };
        },
      }),
    ),
  );
  const found = await Promise.all(ids.map((id) => store.read(accountById, { id })));
  expect(found.map((row) => row?.id)).toEqual(ids);
  const pages = ids.map((_, after) => store.read(eventsAfter, { agent_id: name, after, limit: 1 }));
  return (await Promise.all(pages)).flatMap((events) => events.map(({ seq }) => seq));
}

const ALL = Array.from({ length: AT_ONCE }, (_, n) => n + 1);

/** Resolves when a node is told of a commit that woke the agent. */
function woken(store: Store, agent_id: string): Promise<void> {
  return new Promise((resolve) => {
    store.onCommit((notice) => {
      if (notice.woken === '*' || notice.woken.includes(agent_id)) resolve();
    });
  });
}

test.skipIf(server === null)(
  'a node opens eight connections at most, also while it is asked much at once',
  async () => {
    const url = (await server?.database()) ?? '';
    const store = await open(url);
    await using sql = new Bun.SQL(url, { max: 1 });
    const checked = store.checkLedger(1);
    expect(await work(store, 'busy')).toEqual(ALL);
    const [row] = await sql`SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE application_name LIKE 'meshwork%' AND datname = current_database()`;
    expect(row.n).toBeGreaterThan(3);
    expect(row.n).toBeLessThanOrEqual(CONNECTIONS_MAX);
    await checked;
    await store.close();
  },
);

test.skipIf(server === null || !hasPgbouncer)(
  'a pooler is known as one although the database itself sets what a node does',
  async () => {
    const direct = (await server?.database()) ?? '';
    await using sql = new Bun.SQL(direct, { max: 1 });
    const name = new URL(direct).pathname.slice(1);
    await sql.unsafe(`ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '3s'`);
    const pooler = await startPgbouncer(direct, PARAMETERS);
    const found = [await findServer(pooler.url), await findServer(direct)];
    expect(found.map(({ pooled }) => pooled)).toEqual([true, false]);
    await pooler.stop();
  },
);

describe.skipIf(server === null || !hasPgbouncer).each([
  ['that refuses what is set at the begin', ''],
  ['that passes over what is set at the begin', PARAMETERS],
])('behind a pooler %s', (_name, ignored) => {
  let [direct, pooler]: [string, Pooler | null] = ['', null];
  const stores: Store[] = [];
  beforeAll(async () => {
    // Brought up to date through the pooler, too.
    direct = (await server?.database()) ?? '';
    pooler = await startPgbouncer(direct, ignored);
    stores.push(await open(pooler.url), await open(pooler.url, direct));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await pooler?.stop();
  });

  test('nodes commit and read side by side, and know of each other’s commits', async () => {
    const [looking, listening] = stores;
    if (!looking || !listening) throw new Error('a node is missing');
    const heard = [woken(looking, 'two'), woken(listening, 'one')];
    expect(await Promise.all([work(looking, 'one'), work(listening, 'two')])).toEqual([ALL, ALL]);
    await Promise.all(heard);
    expect(await looking.checkLedger(1)).toMatchObject({ problems: [] });
    expect([await looking.prune(1), await looking.ready(), await listening.ready()]).toEqual([
      0,
      { ready: true },
      { ready: true },
    ]);
  });

  test('only who has an address past the pooler listens', async () => {
    await using sql = new Bun.SQL(direct, { max: 1 });
    const rows =
      await sql`SELECT query FROM pg_stat_activity WHERE query ILIKE 'LISTEN %' AND datname = current_database()`;
    expect(rows).toHaveLength(1);
  });

  test('a transaction in which a node stands still ends by itself', async () => {
    await using sql = new Bun.SQL(direct, { max: 1 });
    const pool = new Pool({ url: pooler?.url ?? '', pooled: true }, { max: 1 });
    const own = await pool.reserve();
    await own.begin();
    const [inside] = await own.unsafe("SELECT current_setting('idle_in_transaction_session_timeout') AS kept");
    expect(inside?.kept).toBe('3s');
    await own.unsafe('ROLLBACK');
    own.release();
    await pool.close();
    const [row] = await sql`SELECT current_setting('idle_in_transaction_session_timeout') AS kept`;
    expect(row.kept).toBe('0');
  });
});
