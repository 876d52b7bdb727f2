// A connection that is lost in COMMIT, and the errors that only mean "again": the turn has one outcome, told once, and
// its key holds.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { apply, type EventEffect, insert } from '../../db/effects.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { codeById, idempotencyById } from '../../db/queries/identity.ts';
import { eventsAfter } from '../../db/queries/inbox.ts';
import type { Outcome, Store, Turn } from '../../db/store.ts';
import { StoreUnavailable } from '../../db/unavailable.ts';
import { startPostgres } from '../support/postgres.ts';
import { type PostgresProxy, postgresProxy } from '../support/postgres-proxy.ts';
import { until } from '../support/until.ts';

const server = await startPostgres({ durable: false });

describe.skipIf(server === null)('a commit of which the answer is lost', () => {
  let store: Store;
  let proxy: PostgresProxy;
  let sql: Bun.SQL;
  let told = 0;
  const woken: string[] = [];

  beforeAll(async () => {
    const url = (await server?.migrated()) ?? '';
    sql = new Bun.SQL(url, { max: 2 });
    // `late` lets a transaction stand still until a new connection is there.
    proxy = await postgresProxy(url, { idle_limit: false });
    const options = { sealer: { seal: (plain: string) => plain }, dimensions: 256, model: 'm', now_ms: 0 };
    store = await openPostgresStore({ ...options, url: proxy.url });
    store.onCommit((notice) => {
      told += notice.events.length;
      if (notice.woken !== '*') woken.push(...notice.woken);
    });
  });
  afterAll(async () => {
    await store.close();
    await proxy.stop();
    await sql.close({ timeout: 0 });
    await server?.stop();
  });

  let ids = 0;
  const fresh = (what: string): string => `${what}-${++ids}`;
  const event = (to: string): EventEffect => ({
    do: 'event',
    id: fresh('event'),
    to,
    handle: 'someone',
    event: 'test.ping',
    data: {},
    subject_id: null,
    awaiting: false,
    respond_by: null,
    created_at: 1,
  });
  /** A turn that tells an agent something under a key, and counts how often it decides. */
  const keyed = (agent: string, code: string | null = null): { turn: Turn<number>; id: string } => {
    const id = fresh('idem');
    let decided = 0;
    const kept = { status: 'ok', value: '"done"', notes: {}, sealed: false } as const;
    return {
      id,
      turn: {
        attempt: async () => ({
          reply: ++decided,
          effects: [event(agent), ...(code ? [apply('codes', code, (row) => ({ tries: row.tries + 1 }))] : [])],
        }),
        idempotency: { id, request_hash: 'r', now_ms: 1, expires_at: 9_000, keep: () => kept },
      },
    };
  };
  const stands = async (agent: string, id: string): Promise<void> => {
    const events = await store.read(eventsAfter, { agent_id: agent, after: 0, limit: 9 });
    expect(events.map(({ seq }) => seq)).toEqual([1]);
    expect(await store.read(idempotencyById, { id })).toMatchObject({ value: '"done"' });
  };
  const retries = (): number => store.tally?.retries ?? 0;

  test.each(['unheard', 'unanswered', 'late', 'doubted'] as const)('stands once (%s)', async (how) => {
    const agent = fresh('agent');
    // The commits' connection is warm, so that nothing but the COMMIT itself is lost.
    await store.turn(keyed(fresh('agent')).turn);
    const before = told;
    const { turn, id } = keyed(agent);
    proxy.lose(how);
    const outcome = await store.turn(turn);
    // Decided anew only where it is certain that the first batch is gone.
    expect(outcome).toMatchObject({ reply: how === 'unheard' || how === 'doubted' ? 2 : 1 });
    await stands(agent, id);
    expect(told - before).toBe(1);
  });

  test('is told as soon as it is found to stand, when nobody could tell at first, and is not done again', async () => {
    await sql.unsafe(`CREATE FUNCTION refuse_question() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'no answer' USING ERRCODE = 'P0001';
      END $$;
      CREATE TRIGGER refusing BEFORE INSERT ON commits FOR EACH ROW WHEN (NEW.agents = '[]')
        EXECUTE FUNCTION refuse_question()`);
    const turns = [fresh('agent'), fresh('agent')].map((agent) => ({ agent, ...keyed(agent) }));
    proxy.lose('unanswered');
    const ends = await Promise.allSettled(turns.map(({ turn }) => store.turn(turn)));
    for (const end of ends) expect(end).toMatchObject({ reason: expect.any(StoreUnavailable) });
    await until(() => turns.every(({ agent }) => woken.includes(agent)));
    await sql.unsafe('DROP TRIGGER refusing ON commits');
    for (const { agent, id } of turns) await stands(agent, id);
  });

  test('takes its neighbours in the batch along, each with its own outcome', async () => {
    const agents = Array.from({ length: 20 }, () => fresh('agent'));
    for (const how of ['unheard', 'unanswered'] as const) {
      proxy.lose(how);
      await Promise.all(agents.map((agent) => store.turn(keyed(agent).turn)));
    }
    for (const agent of agents) {
      const events = await store.read(eventsAfter, { agent_id: agent, after: 0, limit: 9 });
      expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    }
  });

  test('waits out a server that takes no writes (25006), under the same key', async () => {
    const agent = fresh('agent');
    await sql.unsafe('ALTER SYSTEM SET default_transaction_read_only = on');
    await sql.unsafe('SELECT pg_reload_conf()');
    await until(async () => {
      const [row] = await sql.unsafe('SHOW default_transaction_read_only');
      return row?.default_transaction_read_only === 'on';
    });
    const [{ turn, id }, before] = [keyed(agent), retries()];
    const outcome = store.turn(turn);
    await until(() => retries() > before);
    await sql.unsafe('ALTER SYSTEM RESET default_transaction_read_only');
    await sql.unsafe('SELECT pg_reload_conf()');
    expect(await outcome).toHaveProperty('reply');
    await stands(agent, id);
  });

  test('gives connections up that lead to a server without writes, whatever the address leads to now', async () => {
    const agent = fresh('agent');
    const [row] = await sql.unsafe('SELECT current_database() AS name');
    // As a standby would: the sessions that begin now stay without writes.
    await sql.unsafe(`ALTER DATABASE ${row?.name} SET default_transaction_read_only = on`);
    await sql.unsafe("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'meshwork'");
    const [{ turn, id }, before] = [keyed(agent), retries()];
    const outcome = store.turn(turn);
    await until(() => retries() > before + 1);
    await sql.unsafe(`ALTER DATABASE ${row?.name} RESET default_transaction_read_only`);
    expect(await outcome).toHaveProperty('reply');
    await stands(agent, id);
  });

  test('is begun anew after a statement was cancelled (57014), under the same key', async () => {
    const agent = fresh('agent');
    await sql.unsafe(`CREATE SEQUENCE cancellations;
      CREATE FUNCTION cancel_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('cancellations') = 1 THEN RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER cancelling BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION cancel_once()`);
    const { turn, id } = keyed(agent);
    expect(await store.turn(turn)).toMatchObject({ reply: 2 });
    await sql.unsafe('DROP TRIGGER cancelling ON events');
    await stands(agent, id);
  });

  test('is begun anew after a serialization failure (40001), under the same key', async () => {
    const agent = fresh('agent');
    await sql.unsafe(`CREATE SEQUENCE refusals;
      CREATE FUNCTION refuse_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('refusals') <= 2 THEN RAISE EXCEPTION 'not now' USING ERRCODE = '40001'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refusing BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_twice()`);
    const { turn, id } = keyed(agent);
    expect(await store.turn(turn)).toMatchObject({ reply: 3 });
    await sql.unsafe('DROP TRIGGER refusing ON events');
    await stands(agent, id);
  });

  test('is begun anew after a deadlock (40P01), under the same key', async () => {
    const [agent, code] = [fresh('agent'), fresh('code')];
    await store.turn<null>({
      attempt: async () => ({
        reply: null,
        effects: [insert('codes', { id: code, hash: 'h', data: {}, sent_at: 1, expires_at: 2 }), event('first')],
      }),
    });
    const [{ turn, id }, before] = [keyed(agent, code), retries()];
    // A stranger who locks in the other order than every node does: the key of the counted row, then the code.
    await using stranger = await sql.reserve();
    await stranger.unsafe("BEGIN; SET LOCAL deadlock_timeout = '60s'");
    await stranger.unsafe('INSERT INTO idempotency VALUES ($1, $2, 200, $3, $4, 0, 0)', [id, '', '{}', '']);
    const outcome: Promise<Outcome<number>> = store.turn(turn);
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'meshwork' AND wait_event_type = 'Lock'";
    while ((await sql.unsafe(waiting)).length === 0);
    await stranger.unsafe('SELECT 1 FROM codes WHERE id = $1 FOR UPDATE', [code]);
    await stranger.unsafe('ROLLBACK');
    expect(await outcome).toHaveProperty('reply');
    expect(retries() - before).toBe(1);
    await stands(agent, id);
    expect((await store.read(codeById, { id: code }))?.tries).toBe(1);
  });
});
