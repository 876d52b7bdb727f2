// The accounts that an administrator may act on: those of people that are not deleted. Administrators cannot lock out themselves
// or the last administrator.
import { Type } from 'typebox';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { PLATFORM_ACCOUNT_ID } from '../../domain/agent/platform.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';

export const ActReason = Type.String({
  minLength: 5,
  maxLength: 500,
  description: 'stored with your name for other administrators',
});

/** An account, and another one that administers where this one does. */
export interface Subject {
  readonly account: Row<'accounts'> | null;
  readonly heir: Row<'accounts'> | null;
}

export function personOf({ account }: Pick<Subject, 'account'>): Row<'accounts'> | Fault<'not_found'> {
  return account && account.deleted_at === null && account.id !== PLATFORM_ACCOUNT_ID ? account : fault('not_found');
}

/** The same for an act that ends sign-in to the account. */
export function removableOf(subject: Subject, ctx: Ctx): Row<'accounts'> | Fault<'not_found' | 'conflict'> {
  const account = personOf(subject);
  if (isFault(account)) return account;
  if (account.id === ctx.account_id)
    return fault('conflict', 'This is your own account; another administrator has to do it.');
  if (account.admin_at !== null && !subject.heir)
    return fault('conflict', 'This is the only administrator of this service.');
  return account;
}
