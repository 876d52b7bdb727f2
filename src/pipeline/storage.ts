// The bytes that an account may store: what its calls add is counted in the commit that stores it, in steps of 64 KiB, so that a message
// pays for no row of its own; removals give back. Over the limit, the calls that declare `plan_limit` are refused; all others go on and
// are counted. A node that dies, or a store that fails,
// forgets less than a step of an account.
import { count, type Effect } from '../../db/effects.ts';
import type { Decision } from '../../db/store.ts';
import { EVENT_BYTES, rowBytes } from '../../db/stored-bytes.ts';
import type { Principal } from '../contract/context.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { STORAGE_BYTES, storageFull, storageKey } from '../domain/identity/plan.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;
/** Of an account, so many bytes are counted together. */
export const STEP_BYTES = 65_536;
/** Accounts with less than a step to count; the one that waited longest is forgotten for another. */
const ACCOUNTS_MAX = 50_000;

/** By how many bytes effects make the store larger for good. */
function storedBytes(effects: readonly Effect[]): number {
  let bytes = 0;
  for (const effect of effects) {
    if (effect.do === 'insert') bytes += rowBytes(effect.table, effect.row);
    else if (effect.do === 'event') bytes += EVENT_BYTES;
    else if (effect.do === 'patch' || effect.do === 'remove') bytes += effect.grows ?? 0;
  }
  return bytes;
}

interface Metered {
  /** The decision, with what is to be counted. Asked again where the turn decides anew. */
  count(decision: Decision<unknown>): Decision<unknown>;
  /** Once the turn is over. */
  end(is_stored: boolean): void;
}

const UNMETERED: Metered = { count: (decision) => decision, end: () => {} };

export class StorageMeter {
  /** Bytes that are stored and not counted yet, by account. */
  readonly #waiting = new Map<string, number>();

  #add(account_id: string, bytes: number): void {
    const sum = (this.#waiting.get(account_id) ?? 0) + bytes;
    this.#waiting.delete(account_id);
    if (sum !== 0) this.#waiting.set(account_id, sum);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > ACCOUNTS_MAX && oldest !== undefined) this.#waiting.delete(oldest);
  }

  turn(
    { faults }: Pick<AnyOperation, 'faults'>,
    { account_id, plan }: Pick<Principal, 'account_id' | 'plan'>,
  ): Metered {
    if (account_id === null) return UNMETERED;
    let bytes = 0;
    /** What waited, which this turn counts; no other does meanwhile. */
    let taken: number | null = null;
    return {
      count: (decision) => {
        bytes = 'fault' in decision || !decision.effects ? 0 : storedBytes(decision.effects);
        if (bytes === 0) return decision;
        if (taken === null) {
          const waiting = this.#waiting.get(account_id) ?? 0;
          if (Math.abs(waiting + bytes) < STEP_BYTES) return decision;
          taken = waiting;
          this.#waiting.delete(account_id);
        }
        const limit = bytes > 0 && faults.includes('plan_limit') ? STORAGE_BYTES[plan] : UNLIMITED;
        const counts = count(storageKey(account_id), limit, storageFull(limit), null, taken + bytes);
        return { ...decision, effects: [...(decision.effects ?? []), counts] };
      },
      end: (is_stored) => {
        if (taken === null && is_stored && bytes !== 0) this.#add(account_id, bytes);
        else if (taken !== null && !is_stored) this.#add(account_id, taken);
      },
    };
  }
}
