// Marks one notification as read.
import { Type } from 'typebox';
import { eventById } from '../../../db/queries/inbox.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { NotificationShape, notificationView } from '../../schemas/notification.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { sourcesOf } from '../../steps/inbox.ts';
import { markNoticed } from '../../steps/notification.ts';

export const notificationRead = command({
  name: 'notification.read',
  summary: 'Mark a notification as read',
  description: 'Idempotent. It does not answer the event: a pending decision stays pending.',
  input: Type.Object({ id: PathId }),
  output: NotificationShape,
  example: { id: SAMPLE.event_id },
  effect: 'changes',
  access: 'key',
  scope: 'agents:write',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/api/notifications/{id}/read' }],
  tools: [
    {
      name: 'mesh_mark_notifications_read',
      title: 'Mark notifications as read',
      set: 'account',
      when: { argument: 'id', given: true },
      extension: true,
    },
  ],
  load: async (read, { id }, { account_id, principal }) => {
    const sources = await sourcesOf(read, account_id, principal.key_agent_id);
    const found = await Promise.all(
      sources.map(async (source) => {
        const event = await read.peek(eventById, { agent_id: source.agent_id, id });
        return event && { event, source };
      }),
    );
    return found.find((each) => each !== null) ?? null;
  },
  decide: (found, _input, { settings }) => {
    if (!found) return fault('not_found');
    const { event, source } = found;
    return { reply: notificationView(event, true, settings), effects: markNoticed(source, event.seq, event.seq) };
  },
});
