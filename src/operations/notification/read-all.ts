// Marks all present notifications as read; later ones stay unread.
import { Type } from 'typebox';
import { command } from '../../contract/operation.ts';
import { unreadCount } from '../../domain/inbox/inbox.ts';
import { sourcesOf } from '../../steps/inbox.ts';
import { markNoticed } from '../../steps/notification.ts';

export const notificationReadAll = command({
  name: 'notification.read_all',
  summary: 'Mark all notifications as read',
  input: Type.Object({}),
  output: Type.Object({ marked: Type.Integer({ minimum: 0, description: 'how many were unread' }) }),
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  rest: [{ method: 'POST', path: '/api/notifications/read-all' }],
  tools: [
    {
      name: 'mesh_mark_notifications_read',
      title: 'Mark notifications as read',
      set: 'account',
      when: { argument: 'id', given: false },
      extension: true,
    },
  ],
  load: (read, _input, { account_id, principal }) => sourcesOf(read, account_id, principal.key_agent_id),
  decide: (sources) => ({
    reply: { marked: sources.reduce((sum, source) => sum + unreadCount(source.noticed, source.head), 0) },
    effects: sources.flatMap((source) => markNoticed(source, 1, source.head)),
  }),
});
