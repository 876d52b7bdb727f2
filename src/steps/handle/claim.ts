// Claims a handle for an agent. Handles, aliases and reservations are rows of one table whose key is the handle, so that
// exactly one of two concurrent claims of a name succeeds.
import { type Effect, insert, patch } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import { isReserved } from '../../domain/identity/handle.ts';

/** Whether a row of the handles table keeps others out at an instant. */
export function isHeld(row: Row<'handles'> | null, now_ms: number): boolean {
  if (!row) return false;
  return row.kind === 'current' || row.kind === 'gone' || (row.expires_at ?? 0) > now_ms;
}

/**
 * The effect that gives a handle (in its one spelling) to an agent. `row` is what the turn read under that handle;
 * `email` is the account's: it may take what it reserved, and an agent may take its own old handle back. 409
 * `handle_taken` for everything else that is held.
 */
export function claimHandle(
  ctx: Ctx,
  handle: string,
  row: Row<'handles'> | null,
  who: { readonly agent_id: string; readonly email: string | null },
): Effect<'handle_taken'> | Fault<'handle_taken'> {
  if (isReserved(handle, ctx.settings.platform_handle)) {
    return fault('handle_taken', 'That handle is reserved.', { reason: 'reserved' });
  }
  const claimed = { kind: 'current' as const, agent_id: who.agent_id, email: null, expires_at: null };
  if (!row) return insert('handles', { id: handle, ...claimed }, fault('handle_taken'));
  const own =
    (row.kind === 'reservation' && row.email !== null && row.email === who.email) ||
    (row.kind === 'alias' && row.agent_id === who.agent_id);
  if (isHeld(row, ctx.now_ms) && !own) return fault('handle_taken');
  return patch('handles', row, claimed);
}
