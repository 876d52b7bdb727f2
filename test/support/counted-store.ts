// A store that counts what is read through its port, and what is claimed: how often, not how long, so that a bound on it
// holds on any machine.
import type { Query } from '../../db/query.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Read, Store } from '../../db/store.ts';

export interface Reads {
  /** Calls of `read`, inside turns and outside, and of the claims, which read as well. */
  count: number;
  /** Rows of reminders that were claimed, by id, and the most that one claim asked for. */
  readonly claimed: string[];
  largest_claim: number;
}

function countRead(read: Read, reads: Reads): Read {
  const counted =
    (inner: Read['peek']) =>
    <A extends Record<string, unknown>, R>(query: Query<A, R>, args: A): Promise<R> => {
      reads.count += 1;
      return inner(query, args);
    };
  return Object.assign(counted(read), { peek: counted(read.peek) });
}

/** The same store, and what was read through it since. */
export function countStore(store: Store): { readonly store: Store; readonly reads: Reads } {
  const reads: Reads = { count: 0, claimed: [], largest_claim: 0 };
  const read = countRead(store.read, reads);
  const own: Partial<Store> = {
    read,
    turn: (turn) => store.turn({ ...turn, attempt: (inner) => turn.attempt(countRead(inner, reads)) }),
    claimReminders: async (now_ms, limit, running, from_ms): Promise<Row<'reminders'>[]> => {
      reads.count += 1;
      reads.largest_claim = Math.max(reads.largest_claim, limit);
      const rows = await store.claimReminders(now_ms, limit, running, from_ms);
      reads.claimed.push(...rows.map(({ id }) => id));
      return rows;
    },
    claimSends: (now_ms, limit, from_ms) => {
      reads.count += 1;
      return store.claimSends(now_ms, limit, from_ms);
    },
  };
  const counted = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = name in own ? own[name as keyof Store] : Reflect.get(target, name, target);
      return typeof value === 'function' && !(name in own) ? value.bind(target) : value;
    },
  });
  return { store: counted, reads };
}
