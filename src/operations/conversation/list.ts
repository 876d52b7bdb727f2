// An agent's conversations, newest first.
import { Type } from 'typebox';
import { containing, NEWEST, type ThreadPage, threadsJoined, threadsOpened } from '../../../db/queries/conversation.ts';
import { STATUSES } from '../../domain/conversation.ts';
import { actor, query } from '../operation.ts';
import { PAGE, PAGE_DEFAULT } from '../schemas/wire.ts';
import { ConversationShape, conversationView } from './view.ts';

export const conversationList = query({
  name: 'conversation.list',
  summary: 'List your conversations',
  description:
    'Newest first, by when they were opened: an order in which pages stay what they are while messages arrive. ' +
    'The next cursor is in X-Next-Cursor.',
  input: Type.Object({
    ...PAGE,
    status: Type.Optional(Type.Enum([...STATUSES])),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'only those whose subject or counterparty holds this text',
      }),
    ),
  }),
  output: Type.Array(ConversationShape),
  access: 'key',
  scope: 'conversations:read',
  provisional: true,
  agent: 'required',
  faults: [],
  paged: true,
  rest: [
    { method: 'GET', path: '/api/conversations' },
    { method: 'GET', path: '/api/v1/conversations', alias: true },
  ],
  tool: 'mesh_list_conversations',
  run: async (read, { limit = PAGE_DEFAULT, cursor, status, q }, ctx) => {
    const me = actor(ctx);
    const page: ThreadPage = {
      agent_id: me.id,
      before: cursor ?? NEWEST,
      status: status ?? '',
      pattern: containing(q),
      limit: limit + 1,
    };
    const [opened, joined] = await Promise.all([read(threadsOpened, page), read(threadsJoined, page)]);
    const all = [...opened, ...joined].sort((a, b) => (a.conversation.id < b.conversation.id ? 1 : -1));
    const shown = all.slice(0, limit);
    return {
      items: shown.map((thread) => conversationView(thread, me.id, ctx.world.settings.platform_handle)),
      next_cursor: all.length > limit ? (shown.at(-1)?.conversation.id ?? null) : null,
    };
  },
});
