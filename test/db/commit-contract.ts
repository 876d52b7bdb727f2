// What every adapter of the store promises about the moment after a commit: what its listeners are told, and that nothing
// there can undo, repeat or keep back what stands. Part of the store's contract (store-contract.ts).
import { expect, test } from 'bun:test';
import { apply, type Effect, insert, patch, remove } from '../../db/effects.ts';
import type { CommitNotice, Outcome, Store } from '../../db/store.ts';

export interface CommitKit {
  readonly store: () => Store;
  readonly commit: (...effects: Effect[]) => Promise<Outcome<null>>;
  readonly notices: readonly CommitNotice[];
}

let ids = 0;
const fresh = (what: string): string => `commit-${what}-${++ids}`;

export function commitTests({ commit, notices }: CommitKit): void {
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
