// The invitation that admits an address which may not join otherwise.
import { accountById } from '../../../db/queries/identity.ts';
import { invitationsTo } from '../../../db/queries/invitation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { admits, joinsUninvited } from '../../domain/identity/join.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';

/** Several people may have invited the same one. */
const LOOKED_AT = 10;

/** Whether its maker may still sign in. */
export async function isVouchedFor(read: Read, { account_id }: Row<'invitations'>): Promise<boolean> {
  if (account_id === null) return true;
  const maker = await read(accountById, { id: account_id });
  return maker !== null && maker.deleted_at === null && suspensionOf(maker) === null;
}

/** The open invitation of an address; null when there is none or none is needed. Reads the same rows with and without an account. */
export async function readInvitation(
  read: Read,
  email: string,
  { settings: { joining }, now_ms }: Pick<Ctx, 'settings' | 'now_ms'>,
): Promise<Row<'invitations'> | null> {
  if (joinsUninvited(joining, email)) return null;
  const found = await read(invitationsTo, { email, now_ms, limit: LOOKED_AT });
  for (const invitation of found) {
    if (admits(joining, invitation.by) && (await isVouchedFor(read, invitation))) return invitation;
  }
  return null;
}
