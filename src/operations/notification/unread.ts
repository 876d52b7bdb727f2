// Counts what waits for a person: what they have not read yet, and what their acting agent is asked.
import { type Static, Type } from 'typebox';
import { readsOfJoined, readsOfOpened } from '../../../db/queries/conversation.ts';
import { kindsWaiting } from '../../../db/queries/inbox.ts';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import { unreadCount } from '../../domain/inbox/inbox.ts';
import { described, namedObject } from '../../schemas/named.ts';
import { sourcesOf } from '../../steps/inbox.ts';

/** Conversations that are looked at for a count. */
const TALKS_MAX = 50;

const Count = Type.Integer({ minimum: 0 });

const Counts = namedObject('WaitingCounts', 'counts of pending items', {
  unread: described('notifications of all of your agents that you have not read', Count),
  decisions: described('events of the acting agent that await an answer, without matches', Count),
  matches: described('matches of the acting agent that await an answer', Count),
  conversations: described('of the 50 newest on either side, those with messages unread by the acting agent', Count),
});

type OfAgent = Omit<Static<typeof Counts>, 'unread'>;

async function ofAgent(read: Read, agent_id: string, now_ms: number): Promise<OfAgent> {
  const newest = { agent_id, limit: TALKS_MAX };
  const [waiting, opened, joined] = await Promise.all([
    read(kindsWaiting, { agent_id, now_ms }),
    read(readsOfOpened, newest),
    read(readsOfJoined, newest),
  ]);
  const sum = (rows: typeof waiting): number => rows.reduce((total, { n }) => total + n, 0);
  const matches = sum(waiting.filter(({ kind }) => kind === 'match.created'));
  const conversations = [...opened, ...joined].filter(({ sent, seen }) => sent > seen).length;
  return { decisions: sum(waiting) - matches, matches, conversations };
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
  run: async (read, _input, { account_id, agent, now_ms, principal }) => {
    const [sources, own] = await Promise.all([
      sourcesOf(read, account_id, principal.key_agent_id),
      agent && ofAgent(read, agent.id, now_ms),
    ]);
    const unread = sources.reduce((sum, { noticed, head }) => sum + unreadCount(noticed, head), 0);
    return { unread, ...(own ?? { decisions: 0, matches: 0, conversations: 0 }) };
  },
});
