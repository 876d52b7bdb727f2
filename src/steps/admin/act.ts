// The row of an administrator's act in the audit log.
import { type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';

export function adminAct(
  { id, now_ms }: Pick<Ctx, 'id' | 'now_ms'>,
  act: Omit<Row<'admin_acts'>, 'id' | 'created_at'>,
): Effect<never> {
  return insert('admin_acts', { id: id(), ...act, created_at: now_ms });
}
