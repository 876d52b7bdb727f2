// The bytes that an account may store: what a turn adds is counted in its own commit, to the account whose
// call it is, and given back when rows go. Over it, the calls that declare `plan_limit` are refused; all others go on and are counted.
import { count, type Effect } from '../../db/effects.ts';
import type { Decision } from '../../db/store.ts';
import { EVENT_BYTES, rowBytes } from '../../db/stored-bytes.ts';
import { STORAGE_BYTES, storageFull, storageKey } from '../domain/identity/plan.ts';
import type { Principal } from '../operations/context.ts';
import type { AnyOperation } from '../operations/operation.ts';

const UNLIMITED = Number.MAX_SAFE_INTEGER;

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

/** The decision of an account's call, with what it stores counted. */
export function counted(
  {
    call,
    principal,
  }: {
    readonly call: { readonly operation: Pick<AnyOperation, 'faults'> };
    readonly principal: Pick<Principal, 'account_id' | 'plan'>;
  },
  decision: Decision<unknown>,
): Decision<unknown> {
  const { account_id, plan } = principal;
  if (account_id === null || !decision.effects) return decision;
  const bytes = storedBytes(decision.effects);
  if (bytes === 0) return decision;
  const refuses = bytes > 0 && !('fault' in decision) && call.operation.faults.includes('plan_limit');
  const limit = refuses ? STORAGE_BYTES[plan] : UNLIMITED;
  const counts = count(storageKey(account_id), limit, storageFull(limit), null, bytes);
  return { ...decision, effects: [...decision.effects, counts] };
}
