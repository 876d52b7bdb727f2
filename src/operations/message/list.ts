// The messages of a conversation, newest first; to a key, reading the newest page counts as having read the thread.
import { Type } from 'typebox';
import { containing, messagesOf, NEWEST, wholeThread } from '../../../db/queries/conversation.ts';
import { fault } from '../../domain/fault.ts';
import { markSeen } from '../conversation/seen.ts';
import { isParty } from '../conversation/view.ts';
import { actor, command } from '../operation.ts';
import { PAGE, PAGE_DEFAULT, PathId } from '../schemas/wire.ts';
import { MessageShape, messageView } from './view.ts';

export const messageList = command({
  name: 'message.list',
  summary: 'Read the messages of a conversation',
  description:
    'Newest first; the next cursor is in X-Next-Cursor. A key that reads the newest page (no cursor, no q) has read the thread.',
  input: Type.Object({
    conversation_id: PathId,
    ...PAGE,
    after: Type.Optional(Type.String({ format: 'uuid', description: 'only messages newer than this message_id' })),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'only messages that hold this text' })),
  }),
  output: Type.Array(MessageShape),
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  safe: true,
  paged: true,
  rest: [
    { method: 'GET', path: '/api/messages/{conversation_id}' },
    { method: 'GET', path: '/api/conversations/{conversation_id}/messages' },
    { method: 'GET', path: '/api/v1/conversations/{conversation_id}/messages', alias: true },
  ],
  tool: 'mesh_get_messages',
  load: async (read, { conversation_id, limit = PAGE_DEFAULT, cursor, after, q }) => {
    // The thread first: a message that comes in between the two reads is shown, and stays unread.
    const thread = await read.peek(wholeThread, { id: conversation_id, limit: 1 });
    const page = {
      conversation_id,
      after: after?.toLowerCase() ?? '',
      before: cursor ?? NEWEST,
      pattern: containing(q),
      limit: limit + 1,
    };
    return { thread, found: thread ? await read.peek(messagesOf, page) : [] };
  },
  decide: ({ thread, found }, { limit = PAGE_DEFAULT, cursor, q }, ctx) => {
    const me = actor(ctx);
    if (!isParty(thread, me.id)) return fault('not_found');
    const shown = found.slice(0, limit);
    const newest = cursor === undefined && q === undefined;
    return {
      reply: {
        items: shown.map((row) => messageView(row, me.id, ctx.world.settings.platform_handle)),
        next_cursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
      },
      effects: newest ? markSeen(thread, me.id, ctx) : [],
    };
  },
});
