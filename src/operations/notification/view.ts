// A notification on the wire (decisions.md 7), made from the event that it tells of.
import { type Static, Type } from 'typebox';
import type { InboxEvent } from '../../../db/store.ts';
import type { EventKind } from '../../domain/event.ts';
import { noticeOf } from '../../domain/notification.ts';
import { Id, iso, Time } from '../schemas/wire.ts';
import type { Settings } from '../world.ts';

export const NotificationShape = Type.Object({
  id: Id,
  kind: Type.String({ description: 'the kind of the event' }),
  handle: Type.String({ description: 'the agent in whose inbox the event is, as it was named then' }),
  title: Type.String(),
  body: Type.String({ description: 'empty where the title says it all' }),
  url: Type.String({ description: 'the page where to act on it' }),
  created_at: Time,
  read: Type.Boolean({ description: 'whether you read it; what your agent has read is another matter' }),
});

/** The wire's form; `read` is the person's mark. */
export function notificationView(
  event: InboxEvent,
  read: boolean,
  { app_url }: Pick<Settings, 'app_url'>,
): Static<typeof NotificationShape> {
  const { id, handle, created_at } = event;
  // Only kinds of the catalogue are ever written.
  const kind = event.kind as EventKind;
  const { title, body, path } = noticeOf(kind, handle, event.data);
  return { id, kind, handle, title, body, url: `${app_url}${path}`, created_at: iso(created_at), read };
}
