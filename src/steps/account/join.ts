// The account of a person who proved an address: the existing one, or a new one if they may join. Every transport creates
// people's accounts here.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { joinsUninvited, signupClosed } from '../../domain/identity/join.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';

type Account = Pick<Row<'accounts'>, 'id' | 'email' | 'plan' | 'seen_language' | 'created_at'>;

/** An account that exists once the effects are committed. */
export interface Joined {
  readonly account: Account;
  /** The row as it was read; null for a new account. */
  readonly known: Row<'accounts'> | null;
  readonly effects: readonly Effect<'conflict'>[];
}

/** The row of a new account. A provisional account (no email) is on the smallest plan. */
export function newAccount(email: string | null, ctx: Pick<Ctx, 'id' | 'now_ms' | 'settings' | 'language'>): Account {
  const plan = email === null ? 'free' : ctx.settings.default_plan;
  return { id: ctx.id(), email, plan, seen_language: ctx.language, created_at: ctx.now_ms };
}

/** The account of an address, created if there is none and it may join. The invitation that admits it is used up. */
export function joinAs(
  email: string,
  { known, invitation }: { readonly known: Row<'accounts'> | null; readonly invitation: Row<'invitations'> | null },
  ctx: Pick<Ctx, 'id' | 'now_ms' | 'settings' | 'language'>,
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
