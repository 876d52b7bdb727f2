// What every adapter of the store promises about the moment after a commit: what its listeners are told, and that nothing
// there can undo, repeat or keep back what stands. Part of the store's contract (store-contract.ts).
import { expect, test } from 'bun:test';
import { apply, count, type Effect, type EventEffect, insert, patch, remove } from '../../db/effects.ts';
import { accountById } from '../../db/queries/identity.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { CommitNotice, Decision, Outcome, Store } from '../../db/store.ts';
import { fault, isFault } from '../../src/domain/fault.ts';

export interface CommitKit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
  readonly notices: readonly CommitNotice[];
}

let ids = 0;
const fresh = (what: string): string => `commit-${what}-${++ids}`;

function event(to: string): EventEffect {
  const unanswered = { subject_id: null, awaiting: false, respond_by: null };
  return {
    do: 'event',
    id: fresh('event'),
    to,
    handle: 'a',
    event: 'test.ping',
    data: {},
    ...unanswered,
    created_at: 1,
  };
}

export function commitTests(kit: CommitKit): void {
  toldTests(kit);
  troubleTests(kit);
}

function toldTests({ commit, notices }: CommitKit): void {
  test('changes are told row by row, of the tables that are followed, new rows only where lists of them are kept', async () => {
    const [account, hook, code] = [fresh('account'), fresh('hook'), fresh('code')];
    const told = (): string[] => notices.flatMap((n) => n.changed.map(({ table, id }) => `${table} ${id}`));
    await commit(
      insert('accounts', { id: account, email: `${account}@example.org`, plan: 'free', created_at: 1 }),
      insert('codes', { id: code, hash: 'h', data: {}, sent_at: 1, expires_at: 2 }),
      insert('webhooks', {
        id: hook,
        agent_id: 'a',
        kind: 'agent',
        url: 'https://example.org',
        events: ['*'],
        secret: 's',
        created_at: 1,
      }),
    );
    expect(told().slice(-1)).toEqual([`webhooks ${hook}`]);
    await commit(
      apply('codes', code, () => ({ tries: 1 })),
      patch('accounts', { id: account, version: 1 }, { plan: 'pro' }),
      { ...apply('webhooks', hook, () => ({ last_delivery_at: 5 })), untold: ['last_delivery_at'] },
    );
    expect(told().slice(-1)).toEqual([`accounts ${account}`]);
    await commit(remove('webhooks', { id: hook, version: 2 }));
    expect(told().slice(-3)).toEqual([`webhooks ${hook}`, `accounts ${account}`, `webhooks ${hook}`]);
    expect(told().join()).not.toContain(code);
  });
}

function troubleTests({ store, commit, notices }: CommitKit): void {
  test('a listener that throws keeps no reply back, does nothing twice, and the others are told all the same', async () => {
    const [key, inbox] = [fresh('counter'), fresh('agent')];
    const [before, heard] = [store().troubles.listener, notices.length];
    let broken = true;
    const troubles: string[] = [];
    store().onCommit(() => {
      if (broken) throw new Error('no');
    });
    store().onCommit(async () => {
      if (broken) throw new Error('not later either');
    });
    store().onTrouble((trouble, error) => troubles.push(`${trouble}: ${error instanceof Error ? error.message : ''}`));
    store().onTrouble(() => {
      throw new Error('a log that is full');
    });
    const late: CommitNotice[] = [];
    store().onCommit((notice) => late.push(notice));
    const one = (): Promise<Outcome<number>> => {
      const used = count(key, 99, fault('plan_limit'));
      const ping = event(inbox);
      return store().turn({ attempt: async () => ({ reply: (c) => c.n(used), effects: [used, ping] }) });
    };
    const replies = await Promise.all([one(), one(), one()]);
    expect(replies.map((reply) => !isFault(reply) && reply.reply).sort()).toEqual([1, 2, 3]);
    expect((await store().read(counterById, { id: key }))?.n).toBe(3);
    broken = false;
    await commit();
    for (const told of [notices.slice(heard), late]) expect(told.flatMap((n) => n.events).length).toBe(3);
    expect(store().troubles.listener - before).toBe(troubles.length);
    expect([...new Set(troubles)].sort()).toEqual(['listener: no', 'listener: not later either']);
    await one();
    expect((await store().read(counterById, { id: key }))?.n).toBe(4);
  });

  test('a turn whose mailbox cannot be let go is answered, and stands', async () => {
    const id = fresh('account');
    const row = { id, email: `${id}@example.org`, plan: 'free', created_at: 1 } as const;
    const applied = (): never => {
      throw new Error('no');
    };
    const attempt = async (): Promise<Decision<string>> => ({ reply: 'done', effects: [insert('accounts', row)] });
    expect(await store().turn({ attempt, applied })).toMatchObject({ reply: 'done' });
    expect(await store().read(accountById, { id })).toMatchObject({ id });
  });
}
