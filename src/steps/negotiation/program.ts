// The current state of the program that earlier asked for something, or agreed to it.
import { grantById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx, Principal } from '../../contract/context.ts';
import { grantStands } from '../../domain/identity/grant.ts';
import type { Scope } from '../../domain/identity/scope.ts';
import { isInForce, keysSince } from '../session/find.ts';

/** Null when its key and all renewals of it have ended. A token by a pair that a session registered has no row, and is valid as long as the agent. */
export async function programOf(
  read: Read,
  ctx: Ctx,
  { asked_by, account_id }: Pick<Row<'actions'>, 'asked_by' | 'account_id'>,
): Promise<Principal | null> {
  const program = { ...ctx.principal, kind: 'key' as const, account_id, credential_id: asked_by, budget: null };
  if (asked_by === null) return null;
  const grant = await read(grantById, { id: asked_by });
  if (grant) return grantStands(grant, ctx.now_ms) ? program : null;
  let known = false;
  for await (const key of keysSince(read, asked_by)) {
    if (isInForce(key, ctx.now_ms)) return { ...program, budget: key.budget };
    known = true;
  }
  return known ? null : program;
}

/** Whether a caller that acts as the agent of an action may read it: its asker, also by a renewed key, or a caller with this right over
 * the agent. */
export async function mayFollow(
  read: Read,
  { kind, credential_id, scopes }: Principal,
  { asked_by }: Row<'actions'>,
  right: Scope,
): Promise<boolean> {
  if (kind === 'session' || scopes.has(right)) return true;
  if (asked_by === null || asked_by === credential_id) return asked_by !== null;
  for await (const { id } of keysSince(read, asked_by)) if (id === credential_id) return true;
  return false;
}
