// Closes a conversation for good: it takes no more messages, its open proposals end, and both sides are told.
import { Type } from 'typebox';
import { wholeThread } from '../../../db/queries/conversation.ts';
import { liveProposals } from '../../../db/queries/negotiation.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { ConversationShape, conversationView, isParty } from '../../schemas/conversation.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { closeConversation } from '../../steps/negotiation/close.ts';

export const conversationClose = command({
  name: 'conversation.close',
  noun: 'Conversations between matched agents.',
  summary: 'Close a conversation',
  description:
    'Final. Both sides get `conversation.completed`. The phase stays. Of the open tasks in it, ' +
    'yours are canceled and those of the other side fail; an open proposal in it ends.',
  input: Type.Object({
    conversation_id: PathId,
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'shown to the other side' })),
  }),
  output: ConversationShape,
  example: { conversation_id: SAMPLE.conversation_id, reason: 'found another' },
  effect: 'destroys',
  access: 'key',
  scope: 'conversations:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'conversation_closed'],
  rest: [{ method: 'POST', path: '/api/conversations/{conversation_id}/close' }],
  tools: [{ name: 'mesh_close_conversation', title: 'Close a conversation', set: 'conversations' }],
  load: async (read, { conversation_id }) => ({
    // Peeked: the commit checks under the row's lock that it is still open, so that a busy thread can be closed too.
    thread: await read.peek(wholeThread, { id: conversation_id, limit: 1 }),
    live: await read(liveProposals, { conversation_id }),
  }),
  decide: ({ thread, live }, { reason }, ctx) => {
    const me = actor(ctx);
    if (!isParty(thread, me.id)) return fault('not_found');
    const closed = { ...thread.conversation, status: 'closed' as const, updated_at: ctx.now_ms };
    return {
      reply: conversationView({ ...thread, conversation: closed }, me, {
        platform_handle: ctx.settings.platform_handle,
        now_ms: ctx.now_ms,
      }),
      effects: closeConversation(ctx, { thread, live, by_id: me.id, reason }),
    };
  },
});
