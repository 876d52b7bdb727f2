// The operations about what lets somebody in that the screens call, by name.
import type { accountAccess } from '../operations/account/access.ts';
import type { accountRevokeAll } from '../operations/account/revoke-all.ts';

/** What a person reads and ends of it. */
export interface AccessOperations {
  readonly 'account.access': typeof accountAccess;
  readonly 'account.revoke_all': typeof accountRevokeAll;
}
