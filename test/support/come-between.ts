// Lets something happen between the looking of a turn and its commit, as on a busy service it does by chance.
import type { Effect } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';

type Effects = readonly Effect[];

/** Does something once, behind the look of the next turn that is meant, which is told by what it would write. What is returned puts the store
 * back as it was, and says what came of it; null where no such turn was taken. */
export function comeBetween<T>(
  store: Store,
  isMeant: (effects: Effects) => boolean | Promise<boolean>,
  act: () => Promise<T>,
): () => T | null {
  const commit = store.turn.bind(store);
  let acted = false;
  let came: T | null = null;
  store.turn = (asked) =>
    commit({
      ...asked,
      attempt: async (read) => {
        const decision = await asked.attempt(read);
        const effects: Effects = 'effects' in decision ? (decision.effects ?? []) : [];
        if (acted || !(await isMeant(effects)) || acted) return decision;
        acted = true;
        came = await act();
        return decision;
      },
    });
  return () => {
    store.turn = commit;
    return came;
  };
}
