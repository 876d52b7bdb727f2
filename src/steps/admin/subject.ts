// The account that an administrator acts on, and another administrator besides its person.
import { otherAdmin } from '../../../db/queries/admin.ts';
import { accountById } from '../../../db/queries/identity.ts';
import type { Read } from '../../../db/store.ts';
import type { Subject } from './allowed.ts';

export async function readSubject(read: Read, id: string): Promise<Subject> {
  const account = await read(accountById, { id });
  return { account, heir: account && account.admin_at !== null ? await read(otherAdmin, { id }) : null };
}
