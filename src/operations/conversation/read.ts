// One conversation with its two sides and latest messages; for a key this marks them as read.
import { Type } from 'typebox';
import { messagesOf, wholeThread } from '../../../db/queries/conversation.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { authored, byField } from '../../schemas/authored.ts';
import { ConversationShape, conversationView, isParty, MessageShape, messageView } from '../../schemas/conversation.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId, PeekInput } from '../../schemas/wire.ts';
import { markSeen } from '../../steps/message/post.ts';
import { NEWEST, OLDEST, writtenByTurns } from '../../steps/message/thread.ts';

/** rules.md 6. */
const MESSAGES = 50;

export const conversationRead = command({
  name: 'conversation.read',
  summary: 'Read a conversation',
  description:
    'With both sides and the last 50 messages, newest first. Reading with a key marks them as read, unless `peek` is set: ' +
    '`unread` is then 0.',
  input: Type.Object({ conversation_id: PathId, peek: PeekInput }),
  output: authored(
    byField('counterparty_handle'),
    namedObject('ConversationThread', 'a conversation with its newest messages', {
      ...ConversationShape.properties,
      participants: Type.Array(Type.Object({ handle: Type.String(), role: Type.Enum(['self', 'other']) })),
      messages: Type.Array(MessageShape),
    }),
  ),
  example: { conversation_id: SAMPLE.conversation_id },
  effect: 'changes',
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  safe: true,
  rest: [
    { method: 'GET', path: '/api/conversations/{conversation_id}' },
    { method: 'GET', path: '/api/v1/conversations/{conversation_id}', alias: true },
  ],
  tools: [
    {
      name: 'mesh_get_conversation',
      title: 'Read a conversation',
      set: 'conversations',
      extension: true,
      description: 'With both sides and the last 50 messages, newest first; marks none as read.',
      fixed: { peek: true },
      effect: 'reads',
    },
  ],
  load: async (read, { conversation_id }, ctx) => {
    const thread = await read.peek(wholeThread, { id: conversation_id, limit: 1 });
    const page = { conversation_id, after: OLDEST, before: NEWEST, limit: MESSAGES };
    const messages = thread ? await read.peek(messagesOf, page) : [];
    return { thread, messages, turns: await writtenByTurns(read, messages, actor(ctx).id) };
  },
  decide: ({ thread, messages, turns }, { peek }, ctx) => {
    const me = actor(ctx);
    if (!isParty(thread, me.id)) return fault('not_found');
    const { platform_handle } = ctx.settings;
    const view = conversationView(thread, me, { platform_handle, now_ms: ctx.now_ms });
    return {
      reply: {
        ...view,
        participants: [
          { handle: me.handle, role: 'self' as const },
          { handle: view.counterparty_handle, role: 'other' as const },
        ],
        messages: messages.map((row) => messageView(row, me.id, platform_handle, turns)),
      },
      effects: peek ? [] : markSeen(thread, me.id, ctx),
    };
  },
});
