// Scoring takes its turns: one listing at a time, and after each the event loop comes round. Reads are synchronous, so a run
// over many listings would otherwise hold up every other caller from its first listing to its last.
import type { World } from '../world.ts';

class Lane {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all that came before it is done, and not before the next round of the event loop. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(nextRound).then(work);
    this.#last = mine.catch(() => {});
    return mine;
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const OPENED = new WeakMap<World, Lane>();

/** The one lane of a running service. */
export function laneOf(world: World): Lane {
  const opened = OPENED.get(world);
  if (opened) return opened;
  const made = new Lane();
  OPENED.set(world, made);
  return made;
}
