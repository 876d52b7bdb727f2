// An agent's conversations, newest first.

import { Type } from 'typebox';
import { type Thread, threadsJoined, threadsOpened } from '../../../db/queries/conversation.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Read } from '../../../db/store.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { makeFinder } from '../../domain/conversation/conversation.ts';
import { describe, NEXT_CURSOR } from '../../domain/next-step.ts';
import {
  ConversationShape,
  ConversationStatus,
  conversationView,
  counterpartyOf,
  statusFor,
} from '../../schemas/conversation.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { siftedPage } from '../../steps/page.ts';

/** An agent's threads before a cursor, newest first, whichever side opened them. */
async function newestThreads(read: Read, agent_id: string, before: string, limit: number): Promise<Thread[]> {
  const page = { agent_id, before, limit };
  const [opened, joined] = await Promise.all([read(threadsOpened, page), read(threadsJoined, page)]);
  const all = [...opened, ...joined].sort((a, b) => (a.conversation.id < b.conversation.id ? 1 : -1));
  return all.slice(0, limit);
}

export const conversationList = query({
  name: 'conversation.list',
  summary: 'List your conversations',
  description: describe`Newest first, by time of opening, so that pages stay stable while messages arrive. The next cursor is in ${NEXT_CURSOR}. One call with q or status scans some thousand conversations: a page may be short or empty and still have a next cursor.`,
  input: Type.Object({
    ...PAGE,
    status: Type.Optional(ConversationStatus),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'only those whose subject or counterparty contains this text',
      }),
    ),
  }),
  output: Type.Array(ConversationShape),
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  paged: true,
  rest: [
    { method: 'GET', path: '/api/conversations' },
    { method: 'GET', path: '/api/v1/conversations' },
  ],
  tools: [{ name: 'mesh_list_conversations', title: 'List your conversations', set: 'conversations' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor, status, q }, ctx) => {
    const me = actor(ctx);
    const { platform_handle } = ctx.settings;
    const holds = q === undefined ? null : makeFinder(q);
    const page = await siftedPage({
      from: cursor ?? HIGHEST_ID,
      limit,
      read: (before, n) => newestThreads(read, me.id, before, n),
      cursorOf: ({ conversation }) => conversation.id,
      textOf: ({ conversation, last }) => `${conversation.subject}${last?.content ?? ''}`,
      fits:
        status === undefined && !holds
          ? null
          : (thread) =>
              (status === undefined || statusFor(thread.conversation, me.id) === status) &&
              (!holds || holds(thread.conversation.subject) || holds(counterpartyOf(thread, me.id))),
    });
    return {
      items: page.items.map((thread) => conversationView(thread, me, { platform_handle, now_ms: ctx.now_ms })),
      next_cursor: page.next_cursor,
    };
  },
});
