// The list of what administrators did: every command that only they may make writes one row of it, in its own commit, so that what
// was done and that it was done cannot part. What was refused did nothing. Whoever runs the server is told from people by the
// platform's name.
import { insert } from '../../db/effects.ts';
import type { Decision } from '../../db/store.ts';
import type { Ctx, Principal } from '../contract/context.ts';
import type { AnyOperation } from '../contract/operation.ts';

/** Whoever holds the platform's token. */
const PLATFORM = 'platform';

/** Commands of the platform that are acts of administration as well. */
const OF_PLATFORM = /^platform\.admin_/;

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A call as far as the list tells of it. */
interface Act {
  readonly call: { readonly operation: Pick<AnyOperation, 'access' | 'name'> };
  readonly principal: Pick<Principal, 'account_id'>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ctx: Pick<Ctx, 'id' | 'now_ms'>;
}

/** The decision, with the row of the list where it is an administrator's act. */
export function noted(act: Act, decision: Decision<unknown>): Decision<unknown> {
  const {
    call: { operation },
    principal,
    input,
    ctx,
  } = act;
  const isAct = operation.access === 'admin' || OF_PLATFORM.test(operation.name);
  if (!isAct || 'fault' in decision) return decision;
  const row = {
    id: ctx.id(),
    by_id: principal.account_id ?? PLATFORM,
    operation: operation.name,
    subject_id: textOf(input['id']) ?? textOf(input['handle']),
    reason: textOf(input['reason']) ?? textOf(input['note']),
    created_at: ctx.now_ms,
  };
  return { ...decision, effects: [...(decision.effects ?? []), insert('admin_acts', row)] };
}
