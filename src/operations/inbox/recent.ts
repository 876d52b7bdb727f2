// The newest events of an inbox, newest first, without marking them as read (Q114).
import { Type } from 'typebox';
import { eventsBefore, eventsWaiting, readsOf } from '../../../db/queries/inbox.ts';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { EventShape, eventView } from '../../schemas/event.ts';
import { waitingIn } from '../../steps/inbox.ts';

const RECENT_MAX = 50;

export const inboxRecent = query({
  name: 'inbox.recent',
  summary: 'Peek at your newest events',
  description: 'Newest first; marks nothing as read.',
  input: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RECENT_MAX, description: 'default: 50' })),
    waiting: Type.Optional(
      Type.Boolean({
        description:
          'true: only those that await an answer; without matches and messages, which have lists of their own',
      }),
    ),
  }),
  output: Type.Array(EventShape),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/inbox/recent' }],
  no_tool: 'It is for dashboards; mesh_get_inbox reads the same events, with peek without marking them.',
  run: async (read, { limit = RECENT_MAX, waiting = false }, ctx) => {
    const { id } = actor(ctx);
    const [events, reads] = await Promise.all([
      waiting
        ? read(eventsWaiting, { agent_id: id, now_ms: ctx.now_ms, limit })
        : read(eventsBefore, { agent_id: id, before: Number.MAX_SAFE_INTEGER, limit }),
      read(readsOf, { id }),
    ]);
    const isRead = parseReadMarks(reads?.ranges ?? '');
    const replies = await waitingIn(read, id, events, ctx.now_ms);
    return events.map((event) => eventView(event, isRead(event.seq), replies));
  },
});
