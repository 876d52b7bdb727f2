// What every adapter of the store promises, effect by effect. An adapter's test hands in how it is
// opened, reopened and made to fail at its commit; nothing here knows an engine.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import {
  append,
  apply,
  count,
  type Effect,
  type EventEffect,
  headOf,
  insert,
  patch,
  remove,
} from '../../db/effects.ts';
import { messagesOf } from '../../db/queries/conversation.ts';
import { accountById, codeById, idempotencyById } from '../../db/queries/identity.ts';
import { eventsAfter } from '../../db/queries/inbox.ts';
import { amongIds, dueReminders, reminderById, sendsAmong } from '../../db/queries/reminder.ts';
import { counterById } from '../../db/queries/turn.ts';
import { arg, one } from '../../db/query.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import {
  type CommitNotice,
  type Decision,
  type Outcome,
  StalePrincipal,
  type Store,
  type Turn,
} from '../../db/store.ts';
import { fault, isFault } from '../../src/domain/fault.ts';
import { packSignature } from '../../src/domain/text/signature.ts';
import { embedding } from '../support/embedding.ts';
import { commitCacheTests } from './commit-cache-contract.ts';
import { commitTests } from './commit-contract.ts';
import { keyTests } from './key-contract.ts';

export interface Opened {
  readonly store: Store;
  /** Closes it and opens the same data again. */
  reopen(): Promise<Opened>;
  /** Makes the next commits fail; answers how to mend it. */
  breakCommits(): Promise<() => Promise<void>>;
  /** Runs a statement on the database itself, past the store. */
  execute(statement: string): Promise<void>;
  close(): Promise<void>;
}

const accountByAddress = one<{ email: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.accounts)
    .where(eq(t.accounts.email, arg('email')))
    .limit(1),
);
const vectorRow = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.listing_vectors)
    .where(eq(t.listing_vectors.id, arg('id')))
    .limit(1),
);

const taken = fault('conflict', 'taken');
const full = fault('plan_limit', 'full');

let ids = 0;
const fresh = (what: string): string => `${what}-${++ids}`;
const account = (id: string, email = `${id}@example.org`): NewRow<'accounts'> => ({
  id,
  email,
  plan: 'free',
  created_at: 1,
});
const code = (id: string): NewRow<'codes'> => ({ id, hash: 'h', data: { a: '1' }, sent_at: 1, expires_at: 2 });
const event = (to: string): EventEffect => ({
  do: 'event',
  id: fresh('event'),
  to,
  handle: 'someone',
  event: 'test.ping',
  data: { n: 1 },
  subject_id: null,
  awaiting: false,
  respond_by: null,
  created_at: 1_000,
});

/** Every test of the contract; `open` starts on empty data. */
export function storeContract(name: string, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened;
    let store: Store;
    const notices: CommitNotice[] = [];
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
      store.onCommit((notice) => notices.push(notice));
    });
    afterAll(() => opened.close());

    const commit = (...effects: Effect[]): Promise<Outcome<null>> =>
      store.turn<null>({ attempt: async () => ({ reply: null, effects }) });
    const seqs = async (agent_id: string): Promise<number[]> =>
      (await store.read(eventsAfter, { agent_id, after: 0, limit: 10_000 })).map((row) => row.seq);

    insertTests({ store: () => store, commit });
    changeTests({ store: () => store, commit });
    placeTests({ store: () => store, commit });
    counterTests({ store: () => store, commit });
    conflictTests({ store: () => store, commit });
    turnTests({ store: () => store, commit });
    groupTests({ store: () => store, commit, seqs });
    inboxTests({ store: () => store, commit, seqs, notices });
    reminderTests({ store: () => store, commit });
    outsideTests({ store: () => store, commit, notices });
    commitTests({ store: () => store, commit, notices });
    commitCacheTests({ store: () => store, commit });

    test('a failed commit fails every reply that waited for it and leaves nothing; the next one goes on without a gap', async () => {
      const agent = fresh('agent');
      await commit(event(agent));
      const [a, b] = [fresh('account'), fresh('account')];
      const mend = await opened.breakCommits();
      const lost = await Promise.allSettled([
        commit(insert('accounts', account(a)), event(agent)),
        commit(insert('accounts', account(b)), event(agent)),
      ]);
      await mend();
      expect(lost.map((l) => l.status)).toEqual(['rejected', 'rejected']);
      expect([await store.read(accountById, { id: a }), await store.read(accountById, { id: b })]).toEqual([
        null,
        null,
      ]);
      await commit(event(agent));
      expect(await seqs(agent)).toEqual([1, 2]);
    });

    test('what was acknowledged is there after closing and opening again', async () => {
      const [id, agent] = [fresh('account'), fresh('agent')];
      await commit(insert('accounts', account(id)), event(agent), event(agent));
      opened = await opened.reopen();
      store = opened.store;
      expect(await store.read(accountById, { id })).toMatchObject({ id, plan: 'free', version: 1 });
      await commit(event(agent));
      expect(await seqs(agent)).toEqual([1, 2, 3]);
    });
  });
}

interface Kit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
}
type InboxKit = Kit & { readonly seqs: (agent_id: string) => Promise<number[]> };

function insertTests({ store, commit }: Kit): void {
  test('insert: a taken key refuses the turn with its fault, any unique key, and nothing of the turn stands', async () => {
    const id = fresh('account');
    await commit(insert('accounts', account(id)));
    const other = fresh('account');
    expect(
      await commit(insert('codes', code(other)), insert('accounts', account(other, `${id}@example.org`), taken)),
    ).toEqual(taken);
    expect(await store().read(codeById, { id: other })).toBeNull();
  });

  test('insert: with ignore the row is left as it was', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    expect(isFault(await commit(insert('codes', { ...code(id), hash: 'other' }, 'ignore')))).toBe(false);
    expect((await store().read(codeById, { id }))?.hash).toBe('h');
  });

  test('insert: a taken key without a word about it is an error of the programmer', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    await expect(commit(insert('codes', code(id)))).rejects.toThrow();
  });

  test('insert: of many who want one key at once, one gets it', async () => {
    const email = `${fresh('wanted')}@example.org`;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => commit(insert('accounts', account(fresh('account'), email), taken))),
    );
    expect(outcomes.filter((o) => !isFault(o)).length).toBe(1);
    expect(await store().read(accountByAddress, { email })).not.toBeNull();
  });
}

function changeTests({ store, commit }: Kit): void {
  keyTests({ store, commit });
  test('patch: sets what it names, moves the version, leaves the rest', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    await commit(patch('codes', { id, version: 1 }, { data: { b: '2' }, tries: 3 }));
    expect(await store().read(codeById, { id })).toEqual({
      id,
      hash: 'h',
      data: { b: '2' },
      tries: 3,
      sent_at: 1,
      expires_at: 2,
      version: 2,
    });
  });

  test('remove: takes the row away, at its version only', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    await commit(remove('codes', { id, version: 1 }));
    expect(await store().read(codeById, { id })).toBeNull();
  });

  test('apply: sees the row as it then is, so that none of many at once is lost', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    await Promise.all(
      Array.from({ length: 50 }, () => commit(apply('codes', id, (row) => ({ tries: row.tries + 1 })))),
    );
    expect(await store().read(codeById, { id })).toMatchObject({ tries: 50, version: 51 });
  });

  test('apply: what refuses under the lock refuses the turn, and lets none through after it', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    const step = (): Promise<Outcome<null>> =>
      commit(
        insert('codes', code(fresh('trace'))),
        apply(
          'codes',
          id,
          (row) => ({ tries: row.tries + 1 }),
          (row) => (row.tries >= 7 ? full : null),
        ),
      );
    const outcomes = await Promise.all(Array.from({ length: 20 }, step));
    expect(outcomes.filter((o) => !isFault(o)).length).toBe(7);
    expect(outcomes.at(-1)).toEqual(full);
    expect((await store().read(codeById, { id }))?.tries).toBe(7);
  });
}

function placeTests({ store, commit }: Kit): void {
  const thread = (id: string): Effect => {
    const row = { id, opener_id: 'a', other_id: 'b', phase: 'qualification', status: 'open', subject: '' } as const;
    return insert('conversations', { ...row, created_at: 1, updated_at: 1 });
  };
  const message = (id: string, conversation_id: string): NewRow<'messages'> => {
    const row = { sender_id: 'a', sender_handle: 'a', kind: 'text', content: id, created_at: 1 } as const;
    return { id, conversation_id, ...row };
  };
  const append_to = (id: string, refusal: typeof full | null = null): Effect[] => {
    const head = headOf(
      'last_n',
      apply('conversations', id, () => ({})),
    );
    const refused = refusal && count(`none:${id}`, -1, refusal);
    return [head, append('messages', message(fresh('message'), id), 'n', head), ...(refused ? [refused] : [])];
  };
  const placesIn = async (conversation_id: string): Promise<number[]> => {
    const page = { conversation_id, after: '', before: '', limit: 1_000 };
    return (await store().read(messagesOf, page)).map(({ n }) => n).toReversed();
  };

  test('append: places are 1, 2, 3 … under any number at once, and a refused turn gives its own back', async () => {
    const id = fresh('thread');
    await commit(thread(id));
    const turns = Array.from({ length: 30 }, (_, n) => commit(...append_to(id, n % 3 === 0 ? full : null)));
    expect((await Promise.all(turns)).filter(isFault)).toHaveLength(10);
    expect(await placesIn(id)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    // Two in one turn follow each other.
    await commit(...append_to(id), ...append_to(id));
    expect((await placesIn(id)).slice(-2)).toEqual([21, 22]);
  });

  test('apply: what changes nothing is done, also on a row without a version', async () => {
    const id = fresh('thread');
    await commit(thread(id));
    const row = message(fresh('message'), id);
    const head = headOf(
      'last_n',
      apply('conversations', id, () => ({})),
    );
    await commit(head, append('messages', row, 'n', head));
    expect(isFault(await commit(apply('messages', row, () => ({}))))).toBe(false);
  });
}

function counterTests({ store }: Kit): void {
  test('count: lets through up to its limit, tells how many there were, and holds at once as one by one', async () => {
    const key = fresh('counter');
    const one = async (by: number): Promise<Outcome<number>> => {
      const effect = count(key, 10, full, 5_000, by);
      return store().turn<number>({
        attempt: async () => ({ reply: (committed) => committed.n(effect), effects: [effect] }),
      });
    };
    expect(await one(3)).toMatchObject({ reply: 3 });
    expect(await one(8)).toMatchObject({ fault: 'plan_limit', data: { limit: 10, used: 3 } });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => one(1)));
    expect(outcomes.filter((o) => !isFault(o)).length).toBe(7);
    expect(await store().read(counterById, { id: key })).toEqual({ id: key, n: 10, expires_at: 5_000 });
    expect(await one(-4)).toMatchObject({ reply: 6 });
  });

  test('count: a turn that has read it decides anew once it is full', async () => {
    const key = fresh('counter');
    const one = (): Promise<Outcome<string>> =>
      store().turn<string>({
        attempt: async (read): Promise<Decision<string>> => {
          const used = (await read.peek(counterById, { id: key }))?.n ?? 0;
          return used === 3 ? { reply: 'full' } : { reply: 'counted', effects: [count(key, 3, 'again')] };
        },
      });
    const outcomes = await Promise.all(Array.from({ length: 8 }, one));
    const replies = outcomes.map((outcome) => ('reply' in outcome ? outcome.reply : 'refused')).sort();
    expect(replies).toEqual([...Array(3).fill('counted'), ...Array(5).fill('full')]);
  });
}

const bump = (id: string): Effect => apply('codes', id, (row) => ({ tries: row.tries + 1 }));

function conflictTests({ store, commit }: Kit): void {
  /** A turn that is overtaken between its first load and its commit. */
  const overtaken = async (
    meanwhile: (id: string) => Effect,
    effect: (row: { id: string; version: number }) => Effect,
  ) => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    let tries = 0;
    const outcome = await store().turn<number>({
      attempt: async (read): Promise<Decision<number>> => {
        const row = await read(codeById, { id });
        if (!row) return fault('not_found');
        tries += 1;
        if (tries === 1) await commit(meanwhile(id));
        return { reply: row.tries, effects: [effect(row)] };
      },
    });
    return { outcome, tries, row: await store().read(codeById, { id }) };
  };
  test('a patch of what changed meanwhile decides again on what is there', async () => {
    const { outcome, tries, row } = await overtaken(bump, (read) => patch('codes', read, { hash: 'mine' }));
    expect([outcome, tries, row?.hash, row?.tries]).toEqual([{ reply: 1 }, 2, 'mine', 1]);
  });

  test('so does a remove, and a row that is gone is gone', async () => {
    expect((await overtaken(bump, (read) => remove('codes', read))).tries).toBe(2);
    const gone = await overtaken(
      (id) => remove('codes', { id, version: 1 }),
      ({ id }) => bump(id),
    );
    expect(gone.outcome).toMatchObject({ fault: 'not_found' });
  });

  test('a row that was only read counts too, unless it was peeked', async () => {
    const unrelated = (): Effect => insert('codes', code(fresh('unrelated')));
    expect((await overtaken(bump, unrelated)).tries).toBe(2);
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    let tries = 0;
    await store().turn<null>({
      attempt: async (read) => {
        tries += 1;
        await read.peek(codeById, { id });
        if (tries === 1) await commit(bump(id));
        return { reply: null, effects: [unrelated()] };
      },
    });
    expect(tries).toBe(1);
  });
}

function turnTests({ store, commit }: Kit): void {
  test('a guard that changed since ends the turn before it does anything', async () => {
    const [id, mark] = [fresh('key'), fresh('code')];
    const turn: Turn<null> = {
      attempt: async () => ({ reply: null, effects: [insert('codes', code(mark))] }),
      guards: [{ table: 'api_keys', id, version: 1 }],
    };
    await expect(store().turn(turn)).rejects.toThrow(StalePrincipal);
    expect(await store().read(codeById, { id: mark })).toBeNull();
  });

  test('a refusal may carry effects: they stand', async () => {
    const id = fresh('code');
    await commit(insert('codes', code(id)));
    const refusal = fault('invalid_code');
    const outcome = await store().turn<null>({ attempt: async () => ({ ...refusal, effects: [bump(id)] }) });
    expect(outcome).toEqual(refusal);
    expect((await store().read(codeById, { id }))?.tries).toBe(1);
  });

  test('the idempotency row stands with what it remembers, and alone after a refusal', async () => {
    const keyed = (id: string, effects: Effect[]): Promise<Outcome<null>> =>
      store().turn<null>({
        attempt: async () => ({ reply: null, effects }),
        idempotency: {
          id,
          request_hash: 'r',
          now_ms: 1,
          expires_at: 9,
          keep: (outcome) => ({
            status: isFault(outcome) ? 'refused' : 'created',
            value: isFault(outcome) ? '{"error":"handle_taken"}' : '["\u00fc"]',
            notes: isFault(outcome) ? {} : { next_cursor: 'c', receipt: true },
            sealed: !isFault(outcome),
          }),
        },
      });
    const [done, refused, owner, mark] = [fresh('idem'), fresh('idem'), fresh('account'), fresh('code')];
    await keyed(done, [insert('accounts', account(owner))]);
    await keyed(refused, [insert('codes', code(mark)), insert('accounts', account(owner), taken)]);
    expect(await store().read(idempotencyById, { id: done })).toEqual({
      ...{ id: done, request_hash: 'r', expires_at: 9, sealed: 1 },
      ...{ status: 'created', value: '["\u00fc"]', notes: { next_cursor: 'c', receipt: true } },
    });
    expect(await store().read(idempotencyById, { id: refused })).toMatchObject({
      ...{ status: 'refused', value: '{"error":"handle_taken"}', notes: {}, sealed: 0 },
    });
    expect(await store().read(codeById, { id: mark })).toBeNull();
  });
}

function groupTests({ store, commit, seqs }: InboxKit): void {
  test('an error in one turn of a group takes no neighbour along', async () => {
    const agent = fresh('agent');
    const good = (): Promise<Outcome<null>> => commit(event(agent));
    const bad = (): Promise<Outcome<null>> =>
      commit(
        event(agent),
        apply('codes', fresh('none'), () => ({})),
        event(agent),
      );
    const thrown = (): Promise<Outcome<null>> => {
      const id = fresh('code');
      const bug = apply('codes', id, () => {
        throw new Error('a bug');
      });
      return commit(insert('codes', code(id)), event(agent), bug);
    };
    const ends = await Promise.allSettled([good(), thrown(), good(), bad(), good(), thrown(), good()]);
    expect(ends.map((end) => end.status === 'fulfilled')).toEqual([true, false, true, false, true, false, true]);
    expect(await seqs(agent)).toEqual([1, 2, 3, 4]);
  });

  test('a turn that breaks off although nothing in it may refuse takes no neighbour along', async () => {
    const [agent, id, before, after] = [fresh('agent'), fresh('code'), fresh('code'), fresh('code')];
    await commit(insert('codes', code(id)));
    const good = (...effects: Effect<never>[]): Promise<Outcome<null>> => commit(event(agent), ...effects);
    // A taken key for which no fault was named, found after something was written.
    const broken = (): Promise<Outcome<null>> => commit(event(agent), insert('codes', code(id)));
    const ends = await Promise.allSettled([
      good(insert('codes', code(before))),
      broken(),
      good(apply('codes', before, () => ({ hash: 'later' }))),
      broken(),
      good(insert('codes', code(after))),
    ]);
    expect(ends.map((end) => end.status === 'fulfilled')).toEqual([true, false, true, false, true]);
    expect(await seqs(agent)).toEqual([1, 2, 3]);
    expect(await store().read(codeById, { id: before })).toMatchObject({ hash: 'later' });
    expect(await store().read(codeById, { id: after })).not.toBeNull();
  });
}

function inboxTests({ store, commit, seqs, notices }: InboxKit & { readonly notices: CommitNotice[] }): void {
  test('event: seqs are 1, 2, 3 … under any number at once, and a refused turn gives its own back', async () => {
    const [agent, owner] = [fresh('agent'), fresh('account')];
    await commit(insert('accounts', account(owner)));
    const turns = Array.from({ length: 60 }, (_, i) =>
      commit(event(agent), event(agent), ...(i % 3 === 0 ? [insert('accounts', account(owner), taken)] : [])),
    );
    const outcomes = await Promise.all(turns);
    expect(outcomes.filter(isFault).length).toBe(20);
    expect(await seqs(agent)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
  });

  test('event: the reply knows the seq, and listeners are told once it stands', async () => {
    const agent = fresh('agent');
    const effect = event(agent);
    const outcome = await store().turn<number>({
      attempt: async () => ({ reply: (committed) => committed.seq(effect), effects: [effect] }),
    });
    expect(outcome).toMatchObject({ reply: 1 });
    expect(notices.flatMap((n) => n.events).filter((e) => e.agent_id === agent)).toMatchObject([
      { id: effect.id, seq: 1, data: { n: 1 } },
    ]);
  });

  test('answer: marks what awaits one about that subject, once, and tells how long it took', async () => {
    const [agent, other] = [fresh('agent'), fresh('agent')];
    const awaited = (to: string, subject_id: string): EventEffect => ({ ...event(to), subject_id, awaiting: true });
    await commit(awaited(agent, 's1'), awaited(agent, 's2'), awaited(other, 's1'));
    const answer = (action: string, at: number): Effect => ({
      do: 'answer',
      agent_id: agent,
      subject_id: 's1',
      answered: { action, note: null, reason: null, at },
    });
    await commit(answer('first', 61_000), answer('second', 62_000));
    await commit({ do: 'answer', agent_id: other, subject_id: 's1', answered: null });
    const [mine, elsewhere] = await Promise.all(
      [agent, other].map((id) => store().read(eventsAfter, { agent_id: id, after: 0, limit: 9 })),
    );
    expect(mine?.map((e) => [e.awaiting, e.answered?.action ?? null])).toEqual([
      [0, 'first'],
      [1, null],
    ]);
    expect(elsewhere?.map((e) => [e.awaiting, e.answered])).toEqual([[0, null]]);
    expect(notices.flatMap((n) => n.replies).filter((r) => r.agent_id === agent)).toEqual([
      { agent_id: agent, seconds: 60 },
    ]);
  });
}

function reminderTests({ store, commit }: Kit): void {
  test('remind: is due at its time, is moved by its own id, and unremind takes it back', async () => {
    const id = fresh('reminder');
    const at = (ms: number): Effect => ({
      do: 'remind',
      id,
      at: ms,
      operation: 'a.b',
      input: { x: 1 },
      now: false,
      created_at: 1,
    });
    await commit(at(100));
    await commit(at(200));
    const due = async (now_ms: number): Promise<string[]> =>
      (await store().read(dueReminders, { now_ms, from_ms: 0, limit: 99 })).map((r) => r.id);
    expect([(await due(150)).includes(id), (await due(200)).includes(id)]).toEqual([false, true]);
    const row = { operation: 'a.b', input: { x: 1 }, attempts: 0, version: 2 };
    expect(await store().read(reminderById, { id })).toMatchObject(row);
    // A run that ends does not take along what was asked for anew meanwhile.
    await commit({ do: 'unremind', id, version: 1 });
    expect(await store().read(reminderById, { id })).toMatchObject(row);
    await commit({ do: 'unremind', id });
    expect(await store().read(reminderById, { id })).toBeNull();
  });

  test('remind: what a turn takes back and asks for again is not what it was: who still holds that is refused', async () => {
    const id = fresh('reminder');
    const again: Effect = { do: 'remind', id, at: 300, operation: 'a.b', input: {}, now: false, created_at: 1 };
    const consumed = (version: number): Effect => ({ do: 'unremind', id, version, gone: fault('conflict') });
    await commit({ ...again, at: 100 });
    expect(await commit(consumed(1), again)).not.toHaveProperty('fault');
    const next = { at: 300, version: 2, attempts: 0 };
    expect(await store().read(reminderById, { id })).toMatchObject(next);
    expect(await commit(consumed(1), { ...again, at: 999 })).toMatchObject({ fault: 'conflict' });
    expect(await store().read(reminderById, { id })).toMatchObject(next);
    await commit(consumed(2));
    expect(await store().read(reminderById, { id })).toBeNull();
  });
}

function outsideTests({ store, commit, notices }: Kit & { readonly notices: CommitNotice[] }): void {
  test('send: rests sealed, and is told to the dispatcher once it stands', async () => {
    const id = fresh('send');
    await commit({ do: 'send', id, channel: 'mail', payload: { text: 'the code is 123456' }, created_at: 1 });
    const [row] = await store().read(sendsAmong, amongIds([id, fresh('no-such-row')]));
    expect(row).toMatchObject({ channel: 'mail', attempts: 0, next_at: 1 });
    expect(row?.payload).not.toContain('123456');
    expect(notices.flatMap((n) => n.sends)).toContain(id);
  });

  test('embed: the vector is found once its turn stands, is replaced, and goes', async () => {
    const id = fresh('listing');
    const { dimensions } = store().vectors;
    const embed = (vector: Int8Array | null, card_type = 'selling', terms: Uint8Array | null = null): Effect =>
      embedding(id, vector, { card_type, terms });
    const before = store().vectors.size;
    await commit(embed(new Int8Array(dimensions).fill(7)));
    const terms = packSignature({ hashes: Uint32Array.of(7, 0xffff_fffe), codes: Uint8Array.of(0, 255) });
    await commit(embed(new Int8Array(dimensions).fill(9), 'fundraising', terms));
    const row = await store().read(vectorRow, { id });
    expect([store().vectors.size, row?.vector.at(0), row?.card_type]).toEqual([before + 1, 9, 'fundraising']);
    expect(Array.from(row?.terms ?? [])).toEqual(Array.from(terms));
    const owner = fresh('account');
    await commit(insert('accounts', account(owner)));
    expect(await commit(embed(null), insert('accounts', account(owner), taken))).toEqual(taken);
    expect(store().vectors.size).toBe(before + 1);
    await commit(embed(null));
    expect([store().vectors.size, await store().read(vectorRow, { id })]).toEqual([before, null]);
  });
}
