// Asks counters before the work that they bound is done: a refusal must not cost what a success does. The effects of the turn ask
// them again in its commit, which alone is sure.
import { fullFault } from '../../db/effects.ts';
import { counterById } from '../../db/queries/turn.ts';
import type { Read } from '../../db/store.ts';
import type { Code, Fault } from '../domain/fault.ts';

/** A counter, as an effect of the turn counts it. */
interface Counted<C extends Code> {
  readonly key: string;
  readonly by: number;
  readonly limit: number;
  readonly fault: Fault<C> | 'again';
}

/** The refusal of the first counter that has no room for what `effects` count, or null. */
export async function countedOut<C extends Code>(
  read: Read['peek'],
  effects: readonly Counted<C>[],
): Promise<Fault<C> | null> {
  for (const { key, by, limit, fault: refusal } of effects) {
    const used = (await read(counterById, { id: key }))?.n ?? 0;
    if (refusal !== 'again' && used + by > limit) return fullFault(refusal, limit, used) as Fault<C>;
  }
  return null;
}
