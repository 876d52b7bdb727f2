// What the service itself tells in a conversation of what one side did to what both had agreed on. The other side has to learn of it,
// so it stands there also where the conversation is over or a side blocks the other; it answers no task, and no autopilot answers it.
import { append, apply, type Effect, headOf } from '../../../db/effects.ts';
import type { Ctx } from '../../contract/context.ts';
import type { Recipient } from '../event.ts';
import { messageEvent, messageRow } from './post.ts';
import type { PostThread } from './thread.ts';

/** The effects of a note about what `me` did; none where there is no conversation. */
export function noteIn(ctx: Ctx, me: Recipient, thread: PostThread, content: string): Effect<never>[] {
  if (!thread) return [];
  const opened = thread.opener_id === me.id;
  const row = messageRow(ctx, thread.id, me, content, 'system');
  const reader = opened
    ? { id: thread.other_id, handle: thread.other_handle }
    : { id: thread.opener_id, handle: thread.opener_handle };
  const written = headOf(
    'last_n',
    apply('conversations', thread.id, (now) => ({
      last_message_id: row.id,
      updated_at: ctx.now_ms,
      ...(opened ? { opener_sent: now.opener_sent + 1 } : { other_sent: now.other_sent + 1 }),
    })),
  );
  return [written, append('messages', row, 'n', written), messageEvent(ctx, row, reader)];
}
