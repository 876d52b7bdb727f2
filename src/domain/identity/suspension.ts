// Suspended accounts: they keep their data, and sign-in and all calls are refused.
import { type Fault, fault } from '../fault.ts';

/** The fault of a suspended account, or null. */
export function suspensionOf(
  account: { readonly suspended_at: number | null } | null | undefined,
): Fault<'account_suspended'> | null {
  return account && account.suspended_at !== null ? fault('account_suspended') : null;
}
