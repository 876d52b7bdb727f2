// The account of whoever has proved an address: theirs, or a new one where they may join. All doors that make accounts of people
// make them here.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { joinsUninvited, signupClosed } from '../../domain/identity/join.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';

type Account = Pick<Row<'accounts'>, 'id' | 'email' | 'plan' | 'created_at'>;

/** An account that is there once the effects are. */
export interface Joined {
  readonly account: Account;
  /** The row as it stood; null where it is a new account. */
  readonly known: Row<'accounts'> | null;
  readonly effects: readonly Effect<'conflict'>[];
}

/** The row of an account that begins now. One that is nobody's yet is on the smallest plan. */
export function newAccount(email: string | null, ctx: Pick<Ctx, 'id' | 'now_ms' | 'settings'>): Account {
  const plan = email === null ? 'free' : ctx.settings.default_plan;
  return { id: ctx.id(), email, plan, created_at: ctx.now_ms };
}

/** The account of an address, made now where it has none and may join. An invitation that lets it in is used up. */
export function joinAs(
  email: string,
  { known, invitation }: { readonly known: Row<'accounts'> | null; readonly invitation: Row<'invitations'> | null },
  ctx: Pick<Ctx, 'id' | 'now_ms' | 'settings'>,
): Joined | Fault<'signup_closed' | 'account_suspended'> {
  if (known) return suspensionOf(known) ?? { account: known, known, effects: [] };
  const uninvited = joinsUninvited(ctx.settings.joining, email);
  if (!uninvited && !invitation) return signupClosed(ctx.settings.joining);
  const account = newAccount(email, ctx);
  const used = { used_by: account.id, used_at: ctx.now_ms, email: null };
  return {
    account,
    known: null,
    effects: [
      insert('accounts', account, fault('conflict')),
      ...(uninvited || !invitation ? [] : [patch('invitations', invitation, used)]),
    ],
  };
}
