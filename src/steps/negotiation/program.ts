// The program that once asked for something, or agreed to it, as it stands when that is done.
import { grantById, keyById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx, Principal } from '../../contract/context.ts';
import { grantStands } from '../../domain/identity/grant.ts';

/** Null where its key has ended. A token by a pair that a session registered is kept nowhere, and stands as long as the agent does. */
export async function programOf(
  read: Read,
  ctx: Ctx,
  { asked_by, account_id }: Pick<Row<'actions'>, 'asked_by' | 'account_id'>,
): Promise<Principal | null> {
  const program = { ...ctx.principal, kind: 'key' as const, account_id, credential_id: asked_by, budget: null };
  if (asked_by === null) return null;
  const [key, grant] = await Promise.all([read(keyById, { id: asked_by }), read(grantById, { id: asked_by })]);
  if (grant) return grantStands(grant, ctx.now_ms) ? program : null;
  if (!key) return program;
  return key.revoked_at === null && key.expires_at > ctx.now_ms ? { ...program, budget: key.budget } : null;
}
