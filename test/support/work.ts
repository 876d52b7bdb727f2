// What a request makes the store do, in the order in which it asks: reads by the names of their arguments, turns with
// their effects. Two requests that must not be told apart by their time have the same list.
import type { Effect } from '../../db/effects.ts';
import type { Query } from '../../db/query.ts';
import type { Decision, Read, Store, Turn } from '../../db/store.ts';

function nameOf(effect: Effect): string {
  return 'table' in effect ? `${effect.do} ${effect.table}` : effect.do;
}

/** Writes down from now on what a store is asked; the answer ends that and gives the list. */
export function watchWork(store: Store): () => string[] {
  const done: string[] = [];
  const asked = (args: Record<string, unknown>): void => void done.push(`read by ${Object.keys(args).join(', ')}`);
  const turn = store.turn.bind(store);
  const { read: reads } = store;
  const watched = (read: Read): Read => {
    const noted = <A extends Record<string, unknown>, R>(query: Query<A, R>, args: A): Promise<R> => {
      asked(args);
      return read(query, args);
    };
    const peek: Read['peek'] = (query, args) => {
      asked(args);
      return read.peek(query, args);
    };
    return Object.assign(noted, { peek });
  };
  Object.defineProperty(store, 'read', { value: watched(reads), configurable: true });
  store.turn = <O>(given: Turn<O>) => {
    done.push('turn');
    const attempt = async (read: Read): Promise<Decision<O>> => {
      const decision = await given.attempt(watched(read));
      done.push(...(decision.effects ?? []).map(nameOf));
      return decision;
    };
    return turn({ ...given, attempt });
  };
  return () => {
    store.turn = turn;
    Object.defineProperty(store, 'read', { value: reads, configurable: true });
    return done;
  };
}
