// An account that an administrator keeps out: it keeps what it has, and nobody signs in to it or acts for it.
import { type Fault, fault } from '../fault.ts';

/** Why nobody is let in to an account; null where somebody may be. */
export function suspensionOf(
  account: { readonly suspended_at: number | null } | null | undefined,
): Fault<'account_suspended'> | null {
  return account && account.suspended_at !== null ? fault('account_suspended') : null;
}
