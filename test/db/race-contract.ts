// What every adapter of the store promises of two turns that cross: the later one stands on nothing that the earlier one
// changed, took away or asked for anew. Part of the store's contract.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { apply, count, type Effect, insert, patch, remove } from '../../db/effects.ts';
import { codeById, keyById } from '../../db/queries/identity.ts';
import { reminderById } from '../../db/queries/reminder.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { Row } from '../../db/schema/tables.ts';
import { type Outcome, type Read, StalePrincipal, type Store } from '../../db/store.ts';
import { fault, isFault } from '../../src/domain/fault.ts';
import type { Opened } from './store-contract.ts';

interface Kit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
}

let ids = 0;
const fresh = (what: string): string => `race-${what}-${++ids}`;
const full = fault('plan_limit', 'full');

/** Every test of crossing turns; `open` starts on empty data. */
export function raceContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name}: turns that cross`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const kit: Kit = {
      store: () => opened.store,
      commit: (...effects) => opened.store.turn<null>({ attempt: async () => ({ reply: null, effects }) }),
    };
    rowTests(kit);
    guardTests(kit);
    reminderTests(kit);
    keyTests(kit);
  });
}

type Look = (read: Read, id: string) => Promise<Row<'codes'> | null>;

/** A turn on a row that `meanwhile` changes between its first look and its commit; a row that is gone is told. */
async function crossed(
  { store, commit }: Kit,
  look: Look,
  meanwhile: (id: string) => Effect,
  effect: (row: Row<'codes'>) => Effect,
): Promise<{ looks: number; reply: unknown; row: Row<'codes'> | null }> {
  const id = fresh('code');
  await commit(insert('codes', { id, hash: 'h', data: {}, sent_at: 1, expires_at: 2 }));
  let looks = 0;
  const outcome = await store().turn<string>({
    attempt: async (read) => {
      looks += 1;
      const row = await look(read, id);
      if (looks === 1) await commit(meanwhile(id));
      return row ? { reply: 'done', effects: [effect(row)] } : { reply: 'gone' };
    },
  });
  return { looks, reply: isFault(outcome) ? outcome : outcome.reply, row: await store().read(codeById, { id }) };
}

function rowTests(kit: Kit): void {
  const reading: Look = (read, id) => read(codeById, { id });
  const peeking: Look = (read, id) => read.peek(codeById, { id });
  const bump = (id: string): Effect => apply('codes', id, (row) => ({ tries: row.tries + 1 }));

  test('a patch compares the version that it names, also of a row that was only peeked', async () => {
    const { looks, row } = await crossed(kit, peeking, bump, (seen) => patch('codes', seen, { hash: 'mine' }));
    expect([looks, row?.hash, row?.tries]).toEqual([2, 'mine', 1]);
  });

  test('so does a remove', async () => {
    const { looks, row } = await crossed(kit, peeking, bump, (seen) => remove('codes', seen));
    expect([looks, row]).toEqual([2, null]);
  });

  test('a row that was read and is gone has changed', async () => {
    const away = (id: string): Effect => remove('codes', { id, version: 1 });
    const elsewhere = (): Effect => count(fresh('counter'), 9, full);
    const { looks, reply } = await crossed(kit, reading, away, elsewhere);
    expect([looks, reply]).toEqual([2, 'gone']);
  });

  test('a decision that fails over rows of two moments is made again, one over rows that stand is an error', async () => {
    const [left, right] = [fresh('code'), fresh('code')];
    for (const id of [left, right])
      await kit.commit(insert('codes', { id, hash: 'h', data: {}, sent_at: 1, expires_at: 2 }));
    const equal = async (meanwhile: () => Promise<unknown>): Promise<Outcome<string>> => {
      let looks = 0;
      return kit.store().turn<string>({
        attempt: async (read) => {
          looks += 1;
          const one = await read(codeById, { id: left });
          if (looks === 1) await meanwhile();
          const other = await read(codeById, { id: right });
          if (one?.tries !== other?.tries) throw new Error('the two are always equal');
          return { reply: `${one?.tries}`, effects: [count(fresh('counter'), 9, full)] };
        },
      });
    };
    expect(await equal(() => kit.commit(bump(left), bump(right)))).toEqual({ reply: '1' });
    await kit.commit(bump(left));
    await expect(equal(async () => {})).rejects.toThrow('the two are always equal');
  });
}

function guardTests({ store, commit }: Kit): void {
  test('a credential that was changed since ends the turn, one that was not does not', async () => {
    const [id, mark] = [fresh('key'), fresh('counter')];
    const times = { created_at: 1, expires_at: 9 };
    const words = { account_id: 'a', agent_id: null, hash: id, prefix: 'p', name: 'n', kind: 'signup' } as const;
    await commit(insert('api_keys', { id, ...words, scopes: [], ...times }));
    const turn = (version: number): Promise<Outcome<null>> =>
      store().turn<null>({
        attempt: async () => ({ reply: null, effects: [count(mark, 9, full)] }),
        guards: [{ table: 'api_keys', id, version }],
      });
    await turn(1);
    await commit(patch('api_keys', { id, version: 1 }, { revoked_at: 5 }));
    expect((await store().read(keyById, { id }))?.version).toBe(2);
    await expect(turn(1)).rejects.toThrow(StalePrincipal);
    expect(await store().read(counterById, { id: mark })).toMatchObject({ n: 1 });
  });
}

function reminderTests({ store, commit }: Kit): void {
  test('a reminder that was asked for anew outlives the taking back of the one before', async () => {
    const id = fresh('reminder');
    const remind = (at: number): Promise<Outcome<null>> =>
      commit({ do: 'remind', id, at, operation: 'a.b', input: {}, now: false, created_at: 1 });
    const stands = () => store().read(reminderById, { id });
    await remind(100);
    const before = (await stands())?.version ?? 0;
    await remind(200);
    await commit({ do: 'unremind', id, version: before });
    expect(await stands()).toMatchObject({ at: 200 });
    const gone = fault('conflict');
    expect(isFault(await commit({ do: 'unremind', id, version: before + 1, gone }))).toBe(false);
    expect(await stands()).toBeNull();
    expect(await commit({ do: 'unremind', id, version: before + 1, gone })).toEqual(gone);
  });
}

function keyTests({ store }: Kit): void {
  test('of two turns under one idempotency key one does something, and the other finds that it was done', async () => {
    const [id, counter] = [fresh('idem'), fresh('counter')];
    const keep = (outcome: Outcome<string>) =>
      !isFault(outcome) && outcome.reply === 'found'
        ? null
        : ({ status: 'ok', value: '{}', notes: {}, sealed: false } as const);
    const keyed = (meanwhile: () => Promise<unknown>): Promise<Outcome<string>> => {
      let looks = 0;
      return store().turn<string>({
        attempt: async () => {
          looks += 1;
          if (looks > 1) return { reply: 'found' };
          await meanwhile();
          return { reply: 'done', effects: [count(counter, 9, full)] };
        },
        idempotency: { id, request_hash: 'r', now_ms: 1, expires_at: 9, keep },
      });
    };
    const firsts: Outcome<string>[] = [];
    const second = await keyed(async () => firsts.push(await keyed(async () => {})));
    expect([...firsts, second]).toMatchObject([{ reply: 'done' }, { reply: 'found' }]);
    expect(await store().read(counterById, { id: counter })).toMatchObject({ n: 1 });
  });
}
