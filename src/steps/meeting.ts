// The events about a meeting to both sides of a conversation, in the commit that sets it or records that it took place.
import type { EventEffect } from '../../db/effects.ts';
import type { Thread } from '../../db/queries/conversation.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { iso } from '../schemas/wire.ts';
import { tell } from './event.ts';

/** An event for each side. It names the place of a future meeting; the list has that of past ones. */
export function tellOfMeeting(
  ctx: Ctx,
  { conversation, opener_handle, other_handle }: Thread,
  event: 'meeting.scheduled' | 'meeting.completed',
  row: Row<'meetings'>,
): EventEffect[] {
  const opener = { id: conversation.opener_id, handle: opener_handle };
  const other = { id: conversation.other_id, handle: other_handle };
  const told = {
    conversation_id: row.conversation_id,
    meeting_id: row.id,
    starts_at: iso(row.starts_at),
    duration_minutes: row.duration_minutes,
    ...(event === 'meeting.scheduled' && row.url !== null && { url: row.url }),
  };
  return [
    tell(ctx, opener, event, { ...told, counterparty_handle: other.handle }),
    tell(ctx, other, event, { ...told, counterparty_handle: opener.handle }),
  ];
}
