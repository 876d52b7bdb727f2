// A person's notifications, newest first: the events of all of the account's agents.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { invalid } from '../../domain/fault.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { PAGE_BEFORE } from '../../domain/next-step.ts';
import { toolsRead } from '../../schemas/next-step.ts';
import { NotificationShape, notificationView } from '../../schemas/notification.ts';
import { PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { newestNotifications, sourcesOf } from '../../steps/inbox.ts';
import { CURSOR_MAX, CURSOR_PATTERN, parseCursor, writeCursor } from '../../steps/notification.ts';

export const notificationList = query({
  name: 'notification.list',
  noun: 'What a person is told of what happened to their agents, and by which way.',
  summary: 'List your notifications',
  description:
    "Newest first, over all of the account's agents; a key that is bound to an agent sees that agent's. Listing marks " +
    'nothing as read.',
  input: Type.Object({
    limit: PAGE.limit,
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
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  paged: true,
  faults: ['invalid_request'],
  rest: [{ method: 'GET', path: '/api/notifications' }],
  tools: [{ name: 'mesh_list_notifications', title: 'List your notifications', set: 'account', extension: true }],
  run: async (read, { limit = PAGE_DEFAULT, cursor }, { account_id, principal, settings }) => {
    const sources = await sourcesOf(read, account_id, principal.key_agent_id);
    const from =
      cursor === undefined
        ? new Map(sources.map(({ agent_id, head }) => [agent_id, head + 1]))
        : parseCursor(cursor, sources);
    if (from === null) return invalid({ path: 'cursor', message: 'Use the X-Next-Cursor of a page.' });
    const { events, rest } = await newestNotifications(read, from, limit);
    const marks = new Map(sources.map(({ agent_id, noticed }) => [agent_id, parseReadMarks(noticed)]));
    return {
      items: events.map((event) => notificationView(event, marks.get(event.agent_id)?.(event.seq) ?? false, settings)),
      next_cursor: rest && writeCursor(rest),
    };
  },
});
