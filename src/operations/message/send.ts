// Writes into a conversation. It is the service's most frequent turn: one read, and three writes that need no agreement
// on a version, so that two sides writing at once never wait for each other.
import { Type } from 'typebox';
import { apply, insert } from '../../../db/effects.ts';
import { threadById } from '../../../db/queries/conversation.ts';
import type { NewRow } from '../../../db/schema/tables.ts';
import { acceptsMessages, MESSAGE_MAX_BYTES, messageFault, preview } from '../../domain/conversation.ts';
import { fault } from '../../domain/fault.ts';
import { tell } from '../inbox/event-effect.ts';
import { actor, command } from '../operation.ts';
import { PathId } from '../schemas/wire.ts';
import { MessageShape, messageView } from './view.ts';

export const messageSend = command({
  name: 'message.send',
  summary: 'Send a message',
  description: 'The other side gets `conversation.updated` in the same commit. Answers 200 with the stored message.',
  input: Type.Object({
    conversation_id: PathId,
    content: Type.String({ description: `the text, at most ${MESSAGE_MAX_BYTES} bytes of UTF-8; kept to the byte` }),
  }),
  output: MessageShape,
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'invalid_request', 'conversation_closed'],
  rest: [
    { method: 'POST', path: '/api/messages/{conversation_id}' },
    { method: 'POST', path: '/api/conversations/{conversation_id}/messages' },
    { method: 'POST', path: '/api/v1/conversations/{conversation_id}/messages', alias: true },
  ],
  tool: 'mesh_send_message',
  // Peeked: who the sides are never changes, and the status is looked at again under the row's lock.
  load: (read, { conversation_id }) => read.peek(threadById, { id: conversation_id }),
  decide: (thread, { content }, ctx) => {
    const me = actor(ctx);
    if (!thread || (thread.opener_id !== me.id && thread.other_id !== me.id)) return fault('not_found');
    const wrong = messageFault(content);
    if (wrong) return wrong;
    const opened = thread.opener_id === me.id;
    const message_id = ctx.id();
    const row = {
      id: message_id,
      conversation_id: thread.id,
      sender_id: me.id,
      sender_handle: me.handle,
      kind: 'text',
      content,
      created_at: ctx.now_ms,
    } satisfies NewRow<'messages'>;
    const reader = opened
      ? { id: thread.other_id, handle: thread.other_handle }
      : { id: thread.opener_id, handle: thread.opener_handle };
    const replies = thread.last_sender_id === reader.id && thread.last_at !== null;
    return {
      reply: messageView(row, me.id, ctx.world.settings.platform_handle),
      effects: [
        apply(
          'conversations',
          thread.id,
          (now) => ({
            last_message_id: message_id,
            updated_at: ctx.now_ms,
            ...(opened ? { opener_sent: now.opener_sent + 1 } : { other_sent: now.other_sent + 1 }),
          }),
          (now) =>
            acceptsMessages(now.status) ? null : fault('conversation_closed', undefined, { status: now.status }),
        ),
        insert('messages', row),
        tell(ctx, reader, 'conversation.updated', {
          conversation_id: thread.id,
          message_id,
          sender: me.handle,
          preview: preview(content),
          counterparty_handle: me.handle,
        }),
        ...(replies
          ? [{ do: 'replied', agent_id: me.id, seconds: (ctx.now_ms - (thread.last_at ?? 0)) / 1000 } as const]
          : []),
      ],
    };
  },
});
