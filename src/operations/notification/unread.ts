// Counts what a person has not read yet.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { unreadCount } from '../../domain/inbox/inbox.ts';
import { sourcesOf } from '../../steps/inbox.ts';

export const notificationUnread = query({
  name: 'notification.unread',
  needed_by: 'the web app, which shows how many wait',
  summary: 'Count your unread notifications',
  input: Type.Object({}),
  output: Type.Object({ unread: Type.Integer({ minimum: 0 }) }),
  example: {},
  effect: 'reads',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/notifications/unread' }],
  no_tool: 'A figure for a badge; mesh_list_notifications says of each whether it was read.',
  run: async (read, _input, { account_id, principal }) => {
    const sources = await sourcesOf(read, account_id, principal.key_agent_id);
    return { unread: sources.reduce((sum, { noticed, head }) => sum + unreadCount(noticed, head), 0) };
  },
});
