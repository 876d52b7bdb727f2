// The messages of a conversation, newest first; for a key, reading the newest page marks the thread as read.
import { Type } from 'typebox';
import { messagesOf, wholeThread } from '../../../db/queries/conversation.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import type { Page } from '../../contract/reply.ts';
import { makeFinder } from '../../domain/conversation/conversation.ts';
import { fault } from '../../domain/fault.ts';
import { describe, NEXT_CURSOR } from '../../domain/next-step.ts';
import { isParty, MessageShape, messageView } from '../../schemas/conversation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PAGE, PAGE_DEFAULT, PathId, PeekInput } from '../../schemas/wire.ts';
import { markSeen } from '../../steps/message/post.ts';
import { messageBefore, messageFrom, NEWEST, OLDEST, writtenByTurns } from '../../steps/message/thread.ts';
import { siftedPage } from '../../steps/page.ts';

const NOTHING: Page<Row<'messages'>> = { items: [], next_cursor: null };

const pageHolding =
  (found: (text: string) => boolean) =>
  ({ content }: Row<'messages'>): boolean =>
    found(content);

export const messageList = command({
  name: 'message.list',
  noun: 'Messages in conversations.',
  summary: 'Read the messages of a conversation',
  description: describe`Newest first; the next cursor is in ${NEXT_CURSOR}. Reading the newest page (no cursor, no q) with a key marks the conversation as read, unless peek is set. One call with q scans some thousand messages: a page may be short or empty and still have a next cursor.`,
  input: Type.Object({
    conversation_id: PathId,
    ...PAGE,
    peek: PeekInput,
    after: Type.Optional(Type.String({ format: 'uuid', description: 'only messages after this message_id' })),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'only messages that contain this text' }),
    ),
  }),
  output: Type.Array(MessageShape),
  example: { conversation_id: SAMPLE.conversation_id },
  effect: 'changes',
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
  tools: [
    {
      name: 'mesh_get_messages',
      title: 'Read messages',
      set: 'conversations',
      description:
        'The messages of a conversation, newest first; marks none as read. One call with q scans some ' +
        'thousand messages: a page may be short or empty and still have a next cursor.',
      fixed: { peek: true },
      effect: 'reads',
    },
  ],
  load: async (read, { conversation_id, limit = PAGE_DEFAULT, cursor, after, q }, ctx) => {
    // The thread is read first: a message that arrives between the two reads is shown, and stays unread.
    const thread = await read.peek(wholeThread, { id: conversation_id, limit: 1 });
    // The response time of the search must not disclose anything to others.
    if (!isParty(thread, actor(ctx).id)) return { thread, found: NOTHING, turns: undefined };
    const from = after === undefined ? OLDEST : await messageBefore(read, thread, after.toLowerCase());
    const found = await siftedPage({
      from: cursor === undefined ? NEWEST : await messageFrom(read, thread, cursor.toLowerCase()),
      limit,
      read: (before, n) => read.peek(messagesOf, { conversation_id, after: from, before, limit: n }),
      cursorOf: ({ id }) => id,
      textOf: ({ content }) => content,
      fits: q === undefined ? null : pageHolding(makeFinder(q)),
    });
    return { thread, found, turns: await writtenByTurns(read, found.items, actor(ctx).id) };
  },
  decide: ({ thread, found, turns }, { cursor, q, peek }, ctx) => {
    const me = actor(ctx);
    if (!isParty(thread, me.id)) return fault('not_found');
    const newest = cursor === undefined && q === undefined;
    return {
      reply: {
        items: found.items.map((row) => messageView(row, me.id, ctx.settings.platform_handle, turns)),
        next_cursor: found.next_cursor,
      },
      effects: newest && !peek ? markSeen(thread, me.id, ctx) : [],
    };
  },
});
