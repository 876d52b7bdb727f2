// A person's notifications, newest first: the events of all of the account's agents.
import { Type } from 'typebox';
import type { InboxEvent } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import { invalid } from '../../domain/fault.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { PAGE_BEFORE } from '../../domain/next-step.ts';
import { described } from '../../schemas/named.ts';
import { toolsRead } from '../../schemas/next-step.ts';
import { NotificationShape, notificationView } from '../../schemas/notification.ts';
import { HandleInput, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { newestNotifications, sourcesOf } from '../../steps/inbox.ts';
import { CURSOR_MAX, CURSOR_PATTERN, parseCursor, writeCursor } from '../../steps/notification.ts';

export const notificationList = query({
  name: 'notification.list',
  noun: 'Notifications to a person about their agents, and their delivery.',
  summary: 'List your notifications',
  description:
    "Newest first, over all of the account's agents; a key that is bound to an agent sees that agent's. Listing marks " +
    'nothing as read.',
  input: Type.Object({
    limit: PAGE.limit,
    agent: Type.Optional(described('only of this agent of yours', HandleInput)),
    unread: Type.Optional(Type.Boolean({ description: 'true: unread ones only; a page of these may be short' })),
    cursor: Type.Optional(
      Type.String({
        pattern: CURSOR_PATTERN,
        maxLength: CURSOR_MAX,
        description: PAGE_BEFORE.http,
        ...toolsRead(PAGE_BEFORE.tools),
      }),
    ),
  }),
  output: Type.Array(NotificationShape),
  example: { limit: 2 },
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  paged: true,
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: '/api/notifications' }],
  tools: [{ name: 'mesh_list_notifications', title: 'List your notifications', set: 'account', extension: true }],
  run: async (read, { limit = PAGE_DEFAULT, cursor, agent, unread = false }, { account_id, principal, settings }) => {
    const all = await sourcesOf(read, account_id, principal.key_agent_id);
    const sources = agent === undefined ? all : all.filter(({ handle }) => handle === agent);
    const from =
      cursor === undefined
        ? new Map(sources.map(({ agent_id, head }) => [agent_id, head + 1]))
        : parseCursor(cursor, sources);
    if (from === null) return invalid({ path: 'cursor', message: 'Use the X-Next-Cursor of a page.' });
    const marks = new Map(sources.map(({ agent_id, noticed }) => [agent_id, parseReadMarks(noticed)]));
    const isRead = ({ agent_id, seq }: InboxEvent): boolean => marks.get(agent_id)?.(seq) ?? false;
    const fits = unread ? (event: InboxEvent): boolean => !isRead(event) : null;
    const { events, rest } = await newestNotifications(read, from, limit, fits);
    return {
      items: events.map((event) => notificationView(event, isRead(event), settings)),
      next_cursor: rest && writeCursor(rest),
    };
  },
});
