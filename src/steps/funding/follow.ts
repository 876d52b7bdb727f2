// When a funding is asked after: right after a hint of the processor, and else by its own reminder, with growing pauses until the
// processor's page has expired.
import { Type } from 'typebox';
import type { RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { Id } from '../../schemas/wire.ts';
import { remind } from '../reminder.ts';

/** The call that asks the processor what became of a funding. */
export const FOLLOW_FUNDING = { name: 'funding.follow', input: Type.Object({ funding_id: Id }) } as const;

/** Most people pay at once or not at all. */
const FIRST_MS = 600_000;
const PAUSE_MAX_MS = 21_600_000;
/** Another's webhooks may be lost, so one of its pages that is still open is asked after every ten minutes. */
const LOST_HINT_MS = 600_000;

/** The next look: as long after this one as it is after the beginning, within bounds. */
export function followFundingLater(
  { id, created_at, processor, status }: Pick<Row<'fundings'>, 'id' | 'created_at' | 'processor' | 'status'>,
  now_ms: number,
): RemindEffect {
  const pause_max = processor !== 'sandbox' && status === 'pending' ? LOST_HINT_MS : PAUSE_MAX_MS;
  const pause = Math.min(Math.max(now_ms - created_at, FIRST_MS), pause_max);
  return remind(FOLLOW_FUNDING, { funding_id: id }, { at: now_ms + pause, key: id, now_ms });
}
