// Several nodes on one database: what one commits the others follow, and what all of them want at once one of them gets.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { apply, count, type EventEffect, insert } from '../../db/effects.ts';
import { openPostgresStore } from '../../db/postgres/postgres-store.ts';
import { withSharedSecrets } from '../../db/postgres/shared-secrets.ts';
import { codeById } from '../../db/queries/identity.ts';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { journalById, transfersOf } from '../../db/queries/ledger.ts';
import type { CommitNotice, Decision, Outcome, Store, Turn } from '../../db/store.ts';
import { fault, isFault } from '../../src/domain/fault.ts';
import { type Post, post } from '../../src/domain/money/ledger.ts';
import { packSignature } from '../../src/domain/text/signature.ts';
import { embedding } from '../support/embedding.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { checkLedger, ledgerKit } from './journal-contract.ts';

const server = await sharedPostgres();
const NODES = 3;

describe.skipIf(server === null)('nodes on one database', () => {
  const stores: Store[] = [];
  const notices: CommitNotice[][] = [];
  let url = '';

  beforeAll(async () => {
    url = (await server?.migrated()) ?? '';
    const options = { url, sealer: { seal: (plain: string) => plain }, dimensions: 256, model: 'm', now_ms: 0 };
    stores.push(...(await Promise.all(Array.from({ length: NODES }, () => openPostgresStore(options)))));
    for (const store of stores) {
      const heard: CommitNotice[] = [];
      notices.push(heard);
      store.onCommit((notice) => heard.push(notice));
    }
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  const node = (n: number): Store => {
    const store = stores[n % NODES];
    if (!store) throw new Error('no such node');
    return store;
  };
  const commit = (n: number, ...effects: NonNullable<Decision<null>['effects']>): Promise<Outcome<null>> =>
    node(n).turn<null>({ attempt: async () => ({ reply: null, effects }) });
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
  /** Resolves once a node was told something. */
  const told = async (n: number, what: (notice: CommitNotice) => boolean): Promise<void> => {
    await until(() => notices[n]?.some(what) ?? false);
  };

  test('give seqs without a hole, however they write to one inbox at once', async () => {
    const agent = fresh('agent');
    await Promise.all(Array.from({ length: 90 }, (_, n) => commit(n, event(agent))));
    const events = await node(0).read(eventsAfter, { agent_id: agent, after: 0, limit: 100 });
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 90 }, (_, n) => n + 1));
  });

  test('count the commits of others that they follow, each once', async () => {
    const following = () => node(1).following?.() ?? { heard: 0, found: 0, lag_ms: 0 };
    const followed = (): number => following().heard + following().found;
    const before = followed();
    await commit(1, event(fresh('agent')));
    for (let n = 0; n < 3; n++) await commit(0, event(fresh('agent')));
    await until(() => followed() >= before + 3);
    // A look begins the lag anew; it finds nothing of what was heard of.
    const { lag_ms } = following();
    await until(() => following().lag_ms < lag_ms);
    expect(followed()).toBe(before + 3);
  });

  test('wake each other, and name the rows that caches must forget', async () => {
    const [agent, account] = [fresh('agent'), fresh('account')];
    await commit(0, insert('accounts', { id: account, email: `${account}@example.org`, plan: 'free', created_at: 1 }));
    await commit(
      0,
      event(agent),
      apply('accounts', account, () => ({ plan: 'pro' as const })),
    );
    for (const other of [1, 2]) {
      await told(other, ({ woken }) => woken === '*' || woken.includes(agent));
      await told(other, ({ changed }) => changed.some(({ table, id }) => table === 'accounts' && id === account));
    }
    expect(notices[0]?.flatMap(({ woken }) => [...woken])).not.toContain(agent);
  });

  test('tell what caches must forget although a vector cannot be read', async () => {
    const [listing_id, account] = [fresh('listing'), fresh('account')];
    const vector = new Int8Array(256).fill(1);
    await commit(0, embedding(listing_id, vector));
    await using sql = new Bun.SQL(url, { max: 1 });
    await sql.unsafe(`UPDATE listing_vectors SET labels = '{' WHERE id = '${listing_id}'`);
    const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
    await sql.unsafe(
      `INSERT INTO commits (id, node, agents, changed, vectors, created_at, expires_at)
       VALUES ('broken', 'elsewhere', '[]', '["accounts:${account}","no_such_table:x"]', '["${listing_id}"]', ${now}, ${now} + 600000)`,
    );
    await sql.unsafe("SELECT pg_notify('meshwork_commits', 'elsewhere broken rows ')");
    for (const other of [0, 1, 2]) {
      await told(other, ({ changed }) => changed.some(({ table, id }) => table === 'accounts' && id === account));
    }
    expect(notices.flat().flatMap(({ changed }) => changed.map(({ table }) => String(table)))).not.toContain(
      'no_such_table',
    );
    await sql.unsafe(`DELETE FROM listing_vectors WHERE id = '${listing_id}'`);
  });

  test('find a vector that another of them made, and lose it with it', async () => {
    const listing_id = fresh('listing');
    const terms = packSignature({ hashes: Uint32Array.of(7, 9), codes: Uint8Array.of(120, 130) });
    const query = new Int8Array(256).fill(3);
    await commit(0, embedding(listing_id, query, { terms }));
    const around = { vector: query, terms, labels: new Map() };
    const found = (): unknown => node(1).vectors.compare(around, [listing_id])[0];
    await until(() => found() !== undefined);
    expect(found()).toEqual({ id: listing_id, cosine: expect.closeTo(1), wording: expect.closeTo(1) });
    expect(node(1).vectors.commonWords('selling', 1).get(9)).toBe(1);
    await commit(2, embedding(listing_id, null));
    await until(() => found() === undefined);
    expect(node(1).vectors.commonWords('selling', 0).size).toBe(0);
    // Where one of them was still reading what the other took away, the next look puts it right.
    await until(() => node(2).vectors.size === 0);
  });

  test('hold a limit together, and lose no change of a hot row', async () => {
    const [key, id] = [fresh('counter'), fresh('code')];
    await commit(0, insert('codes', { id, hash: 'h', data: {}, sent_at: 1, expires_at: 2 }));
    const full = fault('plan_limit');
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        commit(
          n,
          count(key, 20, full),
          apply('codes', id, (row) => ({ tries: row.tries + 1 })),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => !isFault(outcome))).toHaveLength(20);
    expect((await node(1).read(codeById, { id }))?.tries).toBe(20);
  });

  test('take one request under one key once, whichever of them gets it', async () => {
    const [agent, id] = [fresh('agent'), fresh('idem')];
    const turn = (): Turn<string> => {
      let tries = 0;
      return {
        attempt: async () =>
          ++tries > 1 ? fault('idempotency_in_flight') : { reply: 'done', effects: [event(agent)] },
        idempotency: {
          id,
          request_hash: 'r',
          now_ms: 1,
          expires_at: 9_000,
          keep: (outcome) => (isFault(outcome) ? null : { status: 'ok', value: '"done"', notes: {}, sealed: false }),
        },
      };
    };
    const outcomes = await Promise.all(Array.from({ length: 9 }, (_, n) => node(n).turn(turn())));
    expect(outcomes.filter((outcome) => !isFault(outcome))).toHaveLength(1);
    expect(await node(2).read(eventsAfter, { agent_id: agent, after: 0, limit: 9 })).toHaveLength(1);
  });

  test('divide due reminders and deliveries, and take each again only after its lease', async () => {
    for (let n = 0; n < 30; n += 1) {
      const remind = { do: 'remind', operation: 'a.b', input: {}, now: false, created_at: 1 } as const;
      await commit(n, { ...remind, id: fresh('reminder'), at: 10 });
      await commit(n, { do: 'send', id: fresh('send'), channel: 'mail', payload: {}, created_at: 1 });
    }
    const claim = (now_ms: number): Promise<string[]> =>
      Promise.all(stores.map((store) => store.claimReminders(now_ms, 10, new Set(), 0))).then((all) =>
        all.flat().map(({ id }) => id),
      );
    const claimed = [...(await claim(100)), ...(await claim(100)), ...(await claim(100))];
    expect([claimed.length, new Set(claimed).size]).toEqual([30, 30]);
    expect(await claim(15_000)).toEqual([]);
    expect(new Set(await claim(20_200)).size).toBe(30);
    const sends = (await Promise.all(stores.map((store) => store.claimSends(40_000, 20, 0)))).flat();
    expect([sends.length, new Set(sends.map(({ id }) => id)).size]).toEqual([30, 30]);
  });

  test('let one of two turns that take the same reminder stand', async () => {
    const [id, agent] = [fresh('reminder'), fresh('agent')];
    await commit(0, { do: 'remind', id, at: 1, operation: 'a.b', input: {}, now: false, created_at: 1 });
    const take = (n: number): Promise<Outcome<null>> =>
      commit(n, { do: 'unremind', id, version: 1, gone: fault('conflict') }, event(agent));
    const outcomes = await Promise.all([take(0), take(1), take(2)]);
    expect(outcomes.filter((outcome) => !isFault(outcome))).toHaveLength(1);
    expect(await node(0).read(eventsAfter, { agent_id: agent, after: 0, limit: 9 })).toHaveLength(1);
  });

  test('spend the last cents of a wallet once, and book one journal once', async () => {
    const kits = stores.map((store) => ledgerKit(() => store));
    const [first] = kits;
    if (!first) throw new Error('no node');
    const short = fault('payment_required');
    for (let round = 0; round < 10; round += 1) {
      const [rich, poor] = [await first.funded(500), `wallet:${fresh('poor')}` as const];
      const legs = [{ debit: rich, credit: poor, amount_cents: 500 }];
      const journal = { id: fresh('journal'), kind: 'send', subject_id: null, created_at: 1 };
      const onTaken = { same: 'exists', other: fault('conflict') } as const;
      const spent = await Promise.all(
        kits.map(({ commit }) => commit(post({ ...journal, id: fresh('journal') }, legs, short, onTaken))),
      );
      expect(spent.filter((outcome) => !isFault(outcome))).toHaveLength(1);
      const refused = { ...short, data: { balance_cents: 0, shortfall_cents: 500 } };
      expect(spent.filter(isFault)).toEqual([refused, refused]);
      await first.commit(
        post({ ...journal, id: fresh('back') }, [{ debit: poor, credit: rich, amount_cents: 500 }], short, onTaken),
      );
      const booked = await Promise.all(kits.map(({ existed }) => existed(post(journal, legs, short, onTaken))));
      expect(booked.map((outcome) => !isFault(outcome) && outcome.reply).sort()).toEqual([false, true, true]);
      expect([await first.balance(rich), await first.balance(poor)]).toEqual([0, 500]);
    }
    await checkLedger(node(1));
  });

  test('see no balance that another of them is about to spend', async () => {
    const [one, two] = stores.map((store) => ledgerKit(() => store));
    if (!one || !two) throw new Error('no node');
    // Both rows are there: new ones would be refused to the later node by their keys alone.
    const [rich, poor] = [await one.funded(500), await one.funded(1)];
    await using sql = new Bun.SQL(url, { max: 2 });
    const holder = await sql.reserve();
    await holder`BEGIN`;
    await holder`SELECT 1 FROM ledger_accounts WHERE id = ${rich} FOR UPDATE`;
    const spent = [one, two].map(({ commit }) => {
      const journal = { id: fresh('journal'), kind: 'send', subject_id: null, created_at: 1 };
      const legs = [{ debit: rich, credit: poor, amount_cents: 500 }];
      return commit(post(journal, legs, fault('payment_required'), fault('conflict')));
    });
    const waits = (): Promise<unknown[]> => sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND datname = current_database() AND query LIKE '%ledger_accounts%'`;
    await until(async () => (await waits()).length === 2);
    await holder`COMMIT`;
    holder.release();
    expect((await Promise.all(spent)).filter((outcome) => !isFault(outcome))).toHaveLength(1);
    expect([await one.balance(rich), await two.balance(poor)]).toEqual([0, 501]);
  });

  test('find a journal that another of them booked between their look for it and their own', async () => {
    const [twin, id] = [fresh('journal'), fresh('journal')];
    const booking = (key: string): Post =>
      post(
        { id: key, kind: 'payout', subject_id: null, created_at: 1 },
        [{ debit: 'payouts', credit: 'processor', amount_cents: 5 }],
        'again',
        { same: 'exists', other: fault('conflict') },
      );
    await commit(0, booking(twin));
    const digest = (await node(0).read(journalById, { id: twin }))?.digest ?? '';
    await using sql = new Bun.SQL(url, { max: 2 });
    const other = await sql.reserve();
    await other`BEGIN`;
    await other`INSERT INTO journals (id, kind, digest, created_at) VALUES (${id}, 'payout', ${digest}, 1)`;
    const effect = booking(id);
    let tries = 0;
    const outcome = node(1).turn<boolean>({
      attempt: async () => {
        tries += 1;
        // Only from its second attempt on does a turn look for the journal.
        const met = { do: 'patch', table: 'codes', id: 'nobody', version: 1, set: {} } as const;
        return { reply: (committed) => committed.exists(effect), effects: tries === 1 ? [met] : [effect] };
      },
    });
    const waits = (): Promise<unknown[]> => sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND datname = current_database() AND query LIKE 'INSERT INTO journals%'`;
    await until(async () => (await waits()).length > 0);
    await other`COMMIT`;
    other.release();
    expect(await outcome).toMatchObject({ reply: true });
    expect(await node(2).read(transfersOf, { journal: id })).toEqual([]);
  });

  test('agree on their secrets', async () => {
    const asked = Array.from({ length: 4 }, (_, n) =>
      withSharedSecrets({ url }, 0, (secret) => secret('key', () => `${n}`)),
    );
    expect(new Set(await Promise.all(asked)).size).toBe(1);
  });
});
