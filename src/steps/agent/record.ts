// Counters of what an agent has done here. They commute, so no turn waits for another to count. Trust depends on them and is
// computed again right after the commit that counted.
import { Type } from 'typebox';
import { apply, type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import { Id } from '../../schemas/wire.ts';
import { remindNow } from '../reminder.ts';

/** The call that computes an agent's trust again. */
export const REFRESH_TRUST = { name: 'trust.refresh', input: Type.Object({ agent_id: Id }) } as const;

type Counts = Omit<Row<'track_records'>, 'id' | 'version'>;

/** Counts something in an agent's record. */
export function record(
  { now_ms }: Pick<Ctx, 'now_ms'>,
  agent_id: string,
  change: (now: Counts) => Partial<Counts>,
): readonly Effect<never>[] {
  return [
    insert('track_records', { id: agent_id, bands: [] }, 'ignore'),
    apply('track_records', agent_id, change),
    remindNow(REFRESH_TRUST, { agent_id }, { key: agent_id, now_ms }),
  ];
}
