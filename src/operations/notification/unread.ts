// Counts what waits for a person: what they have not read yet, and what their acting agent is asked.
import { type Static, Type } from 'typebox';
import { readsOfJoined, readsOfOpened } from '../../../db/queries/conversation.ts';
import { matchesWaiting } from '../../../db/queries/inbox.ts';
import type { Read } from '../../../db/store.ts';
import { actor, type Ctx } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { unreadCount } from '../../domain/inbox/inbox.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { countDecisions } from '../../steps/decision.ts';
import { sourcesOf } from '../../steps/inbox.ts';

/** Conversations that are looked at for a count. */
const TALKS_MAX = 50;

const Count = Type.Integer({ minimum: 0 });

const Counts = namedObject('WaitingCounts', 'counts of pending items', {
  unread: described('notifications of all of your agents that you have not read', Count),
  decisions: described(
    'what the acting agent has to decide or do: events that await an answer, deals to pay for, parts to deliver, and ' +
      'undecided matches that are not weak; one for each conversation',
    Count,
  ),
  matches: described('matches of the acting agent that await an answer', Count),
  conversations: described('of the 50 newest on either side, those with messages unread by the acting agent', Count),
});

type OfAgent = Omit<Static<typeof Counts>, 'unread'>;

async function ofAgent(read: Read, ctx: Ctx): Promise<OfAgent> {
  const { id: agent_id } = actor(ctx);
  const newest = { agent_id, limit: TALKS_MAX };
  const [decisions, waiting, opened, joined] = await Promise.all([
    countDecisions(read, ctx),
    read(matchesWaiting, { agent_id, now_ms: ctx.now_ms }),
    read(readsOfOpened, newest),
    read(readsOfJoined, newest),
  ]);
  const conversations = [...opened, ...joined].filter(({ sent, seen }) => sent > seen).length;
  return { decisions, matches: waiting?.n ?? 0, conversations };
}

export const notificationUnread = query({
  name: 'notification.unread',
  needed_by: 'the web app, which shows the counts',
  summary: 'Count your pending items',
  description: 'Without an acting agent its counts are 0.',
  input: Type.Object({}),
  output: Counts,
  access: 'key',
  scope: 'agents:read',
  agent: 'optional',
  provisional: true,
  rest: [{ method: 'GET', path: '/api/notifications/unread' }],
  no_tool: 'It is for badges; mesh_list_notifications shows which notifications are read.',
  run: async (read, _input, ctx) => {
    const [sources, own] = await Promise.all([
      sourcesOf(read, ctx.account_id, ctx.principal.key_agent_id),
      ctx.agent && ofAgent(read, ctx),
    ]);
    const unread = sources.reduce((sum, { noticed, head }) => sum + unreadCount(noticed, head), 0);
    return { unread, ...(own ?? { decisions: 0, matches: 0, conversations: 0 }) };
  },
});
