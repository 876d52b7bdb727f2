// Who sees the demo world from inside: administrators, and the demo persons themselves. The world only has the accounts that its start
// has made, as long as nobody has given them another address or made them administrators.

import { accountById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { type DemoSide, type DemoWorld, isDemoAddress, sideNamed } from '../../domain/demo.ts';
import { readDemo } from './find.ts';

/** The world as its watcher sees it; null for all others, and without a world. */
export async function readWatched(read: Read, { principal, account_id }: Ctx): Promise<DemoWorld | null> {
  const found = await readDemo(read);
  if (!found || found.world.state === 'removing') return null;
  return principal.admin || sideNamed(found.world, account_id) ? found.world : null;
}

/** The account of a demo person; null where it is no longer one that nobody real can use. */
export async function demoAccount(
  read: Read,
  { account_id }: DemoSide,
  { settings }: Pick<Ctx, 'settings'>,
): Promise<(Row<'accounts'> & { readonly email: string }) | null> {
  const account = await read(accountById, { id: account_id });
  if (!account || account.deleted_at !== null || account.suspended_at !== null || account.admin_at !== null)
    return null;
  const { email } = account;
  if (email === null || !isDemoAddress(email) || settings.joining.administrators.includes(email)) return null;
  return { ...account, email };
}
