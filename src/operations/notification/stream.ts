// Notifications as server-sent events: `notification` for each event of the account's agents as it is committed. The id is
// the place in all of the inboxes, so that a reader who was cut off resumes where it was, with nothing lost.
import { Type } from 'typebox';
import { type Encoded, watch } from '../../../actors/stream.ts';
import { eventsAfter, readsOf } from '../../../db/queries/inbox.ts';
import { readMarks } from '../../domain/inbox.ts';
import { stream } from '../operation.ts';
import { PLACES_MAX, readPlaces, sourcesOf, writePlaces } from './places.ts';
import { notificationView } from './view.ts';

export const notificationStream = stream({
  name: 'notification.stream',
  summary: 'Stream your notifications',
  description:
    'Server-sent events: `event` is `notification`, `data` the notification as the list shows it. Begins with what comes ' +
    'from now on, or after Last-Event-ID. Agents that are added while it is open join at the next connection. It shows ' +
    'no agent as online. A comment line every 25 seconds; a reader for whom 1 MiB is queued is cut.',
  input: Type.Object({
    last_event_id: Type.Optional(
      Type.String({ maxLength: PLACES_MAX, description: 'the last id you have, as EventSource sends it' }),
    ),
  }),
  output: Type.String({ description: 'text/event-stream' }),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  faults: ['stream_unavailable'],
  rest: [{ method: 'GET', path: '/api/notifications/stream', headers: { last_event_id: 'last-event-id' } }],
  open: async (read, { last_event_id }, { account_id, principal, world }) => {
    const sources = await sourcesOf(read, account_id, principal.key_agent_id);
    const resumed = last_event_id === undefined ? null : readPlaces(last_event_id, sources);
    // An agent that the place does not name has come since: all of its events are news.
    const places = new Map(
      sources.map(({ agent_id, head }) => [agent_id, resumed ? (resumed.get(agent_id) ?? 0) : head]),
    );
    return (sink) => {
      for (const [agent_id, after] of places) {
        const replay = async (from: number, limit: number): Promise<Encoded[]> => {
          const [page, reads] = await Promise.all([
            read(eventsAfter, { agent_id, after: from, limit }),
            read(readsOf, { id: agent_id }),
          ]);
          const isRead = readMarks(reads?.noticed ?? '');
          return page.map((event) => ({
            seq: event.seq,
            encoded: JSON.stringify(notificationView(event, isRead(event.seq), world.settings)),
          }));
        };
        const write = (data: string, seq: number): boolean => {
          places.set(agent_id, seq);
          return sink.write(`id: ${writePlaces(places)}\nevent: notification\ndata: ${data}\n\n`);
        };
        const reader = {
          write,
          drained: () => sink.drained(),
          close: () => sink.close(),
          onClose: (listener: () => void) => sink.onClose(listener),
        };
        watch(world.directory.actor(agent_id), reader, replay, after);
      }
    };
  },
});
