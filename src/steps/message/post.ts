// Puts one message into a conversation: the row, the count of its side, the event for the other side. All that writes as
// an agent comes through here, whatever door it came by, so that all of it keeps the same rules.
import { append, apply, type Effect, type EventEffect, headOf } from '../../../db/effects.ts';
import type { threadById } from '../../../db/queries/conversation.ts';
import { writeFault } from '../../domain/conversation/block.ts';
import { messageFault, preview } from '../../domain/conversation/conversation.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import type { Ctx } from '../../operations/context.ts';
import type { Unplaced } from '../../schemas/message.ts';
import { type Recipient, tell } from '../event.ts';

/** A conversation as `threadById` reads it. */
export type PostThread = ReturnType<typeof threadById.shape>;

export interface Posted {
  readonly row: Unplaced;
  readonly effects: readonly Effect<'blocked' | 'conversation_closed'>[];
}

/** A text of `me` for a thread, not stored yet; `messageFault` found nothing wrong with it. */
export function messageRow(ctx: Ctx, conversation_id: string, me: Recipient, content: string): Unplaced {
  return {
    id: ctx.id(),
    conversation_id,
    sender_id: me.id,
    sender_handle: me.handle,
    kind: 'text',
    content,
    created_at: ctx.now_ms,
  };
}

/** The event by which the other side learns of a message. */
export function messageEvent(ctx: Ctx, row: Unplaced, reader: Recipient): EventEffect {
  return tell(ctx, reader, 'conversation.updated', {
    conversation_id: row.conversation_id,
    message_id: row.id,
    sender: row.sender_handle,
    preview: preview(row.content),
    counterparty_handle: row.sender_handle,
  });
}

/**
 * The message that `me` writes into `thread`. Three writes that need no agreement on a version, so that two sides writing
 * at once never wait for each other: blocks and the thread's end are looked at under its row's lock.
 */
export function post(
  ctx: Ctx,
  me: Recipient,
  thread: PostThread,
  content: string,
): Posted | Fault<'not_found' | 'invalid_request'> {
  if (!thread || (thread.opener_id !== me.id && thread.other_id !== me.id)) return fault('not_found');
  const wrong = messageFault(content);
  if (wrong) return wrong;
  const opened = thread.opener_id === me.id;
  const row = messageRow(ctx, thread.id, me, content);
  const reader = opened
    ? { id: thread.other_id, handle: thread.other_handle }
    : { id: thread.opener_id, handle: thread.opener_handle };
  const written = headOf(
    'last_n',
    apply(
      'conversations',
      thread.id,
      (now) => ({
        last_message_id: row.id,
        updated_at: ctx.now_ms,
        ...(opened ? { opener_sent: now.opener_sent + 1 } : { other_sent: now.other_sent + 1 }),
      }),
      (now) => writeFault(now, opened),
    ),
  );
  const effects: Effect<'blocked' | 'conversation_closed'>[] = [
    written,
    append('messages', row, 'n', written),
    messageEvent(ctx, row, reader),
  ];
  if (thread.last_sender_id === reader.id && thread.last_at !== null) {
    effects.push({ do: 'replied', agent_id: me.id, seconds: (ctx.now_ms - thread.last_at) / 1000 });
  }
  return { row, effects };
}
