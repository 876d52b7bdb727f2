// When a funding is asked after: right after a hint of the processor, and else by its own reminder, with growing pauses until the
// processor's page has expired.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { Id } from '../../schemas/wire.ts';
import { pauseAfter } from '../money/pause.ts';
import { remind } from '../reminder.ts';

/** The call that asks the processor what became of a funding. */
export const FOLLOW_FUNDING = { name: 'funding.follow', input: Type.Object({ funding_id: Id }) } as const;

export function followFundingLater(
  { id, created_at, processor, status }: Pick<Row<'fundings'>, 'id' | 'created_at' | 'processor' | 'status'>,
  now_ms: number,
): RemindEffect {
  const at = now_ms + pauseAfter({ created_at, processor, open: status === 'pending' }, now_ms);
  return remind(FOLLOW_FUNDING, { funding_id: id }, { at, key: id, now_ms });
}
