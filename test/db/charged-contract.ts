// What every adapter keeps of rows that expire and are charged to an account: the commit that deletes them gives their bytes back.
import { expect, test } from 'bun:test';
import { count, insert } from '../../db/effects.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { Store } from '../../db/store.ts';
import { storageKey } from '../../src/domain/identity/plan.ts';

let ids = 0;
const fresh = (what: string): string => `charged-${what}-${++ids}`;

export function chargedTests(store: () => Store): void {
  test('the commit that deletes expired rows gives their bytes back to the accounts that they are charged to', async () => {
    const [ada, bob] = [fresh('account'), fresh('account')];
    const counted = (id: string, by: number) => count(storageKey(id), Number.MAX_SAFE_INTEGER, 'again', null, by);
    const kept = (charged_to: string | null, bytes: number, expires_at: number) =>
      insert('router_results', { id: fresh('result'), sealed: 's', charged_to, bytes, expires_at });
    const [task_id, task] = [
      fresh('task'),
      { kind: 'status', state: 'completed', message: null, artifact: null },
    ] as const;
    const effects = [
      ...[counted(ada, 10_000), counted(bob, 20_000)],
      ...[kept(ada, 1_000, 5), kept(ada, 2_000, 5), kept(ada, 4_000, 99), kept(bob, 300, 5), kept(null, 0, 5)],
      insert('task_updates', { id: fresh('update'), task_id, n: 1, ...task, created_at: 1, charged_to: bob, bytes: 7 }),
      insert('tasks', {
        ...{ id: task_id, sender_id: ada, target_id: bob, conversation_id: fresh('thread'), state: 'completed' },
        ...{ last_n: 1, status_n: 1, metadata: {}, created_at: 1, updated_at: 1, expires_at: 5 },
      }),
    ];
    await store().turn<null>({
      attempt: async () => ({ reply: null, effects }),
      idempotency: {
        ...{ id: fresh('idem'), request_hash: 'r', now_ms: 1, expires_at: 5, charged_to: bob },
        keep: () => ({ status: 'created', value: '"ü"', notes: {}, sealed: false }),
      },
    });
    while ((await store().prune(6)) > 0);
    const left = async (id: string) => (await store().read(counterById, { id: storageKey(id) }))?.n;
    expect([await left(ada), await left(bob)]).toEqual([7_000, 20_000 - 300 - 7 - 304]);
  });
}
