// Notifications as server-sent events: `notification` for each event of the account's agents as it is committed. The id
// holds the position in every inbox, so that a disconnected reader resumes without loss.
import { Type } from 'typebox';
import type { Encoded } from '../../../actors/stream.ts';
import { eventsAfter, readsOf } from '../../../db/queries/inbox.ts';
import type { Read } from '../../../db/store.ts';
import type { Settings } from '../../contract/context.ts';
import { type StreamSink, stream } from '../../contract/operation.ts';
import type { StreamPorts } from '../../contract/ports.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { notificationView } from '../../schemas/notification.ts';
import { encodeOldest, encodeReset } from '../../schemas/resuming.ts';
import { lastBeforeEpoch, sourcesOf } from '../../steps/inbox.ts';
import { CURSOR_MAX, parseCursor, writeCursor } from '../../steps/notification.ts';

/** Lets the reader of a sink follow one more inbox, from the event after `after`; `cursor` holds the position in each. */
function followInbox(
  { watch, restored }: Pick<StreamPorts, 'watch' | 'restored'>,
  settings: Settings,
  read: Read,
  sink: StreamSink,
  cursor: Map<string, number>,
  { agent_id, after }: { readonly agent_id: string; readonly after: number },
): void {
  const replay = async (from: number, limit: number): Promise<Encoded[]> => {
    const [page, reads] = await Promise.all([
      read(eventsAfter, { agent_id, after: from, limit }),
      read(readsOf, { id: agent_id }),
    ]);
    const isRead = parseReadMarks(reads?.noticed ?? '');
    return page.map((event) => ({
      seq: event.seq,
      encoded: JSON.stringify(notificationView(event, isRead(event.seq), settings)),
    }));
  };
  const reader = {
    write: (data: string, seq: number) => {
      const after = cursor.get(agent_id) ?? 0;
      const before = (): string => writeCursor(new Map(cursor).set(agent_id, seq - 1));
      const gap = encodeOldest({ seq, after, epoch: restored.epoch }, before, { agent_id });
      cursor.set(agent_id, seq);
      return sink.write(`${gap}id: ${writeCursor(cursor)}\nevent: notification\ndata: ${data}\n\n`);
    },
    waitForDrain: () => sink.waitForDrain(),
    close: () => sink.close(),
    onClose: (listener: () => void) => sink.onClose(listener),
  };
  cursor.set(agent_id, after);
  watch(agent_id, reader, replay, after);
}

export const notificationStream = stream({
  name: 'notification.stream',
  summary: 'Stream your notifications',
  description:
    'Server-sent events: `event` is `notification`, `data` the notification as in the list. Starts with new notifications ' +
    'from now on, or after Last-Event-ID; if that is beyond the end of an inbox, an event `reset` says so; if events after it were deleted for age, an event `oldest`. It shows no agent as online. A comment line every 25 seconds; a reader with ' +
    '1 MiB queued is disconnected. It ends with the key or access token that opened it.',
  input: Type.Object({
    last_event_id: Type.Optional(
      Type.String({ maxLength: CURSOR_MAX, description: 'the last id you have, as EventSource sends it' }),
    ),
  }),
  output: Type.String({ description: 'text/event-stream' }),
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  faults: ['stream_unavailable'],
  rest: [{ method: 'GET', path: '/api/notifications/stream', headers: { last_event_id: 'last-event-id' } }],
  no_tool: 'A tool responds once; mesh_list_notifications shows what the stream sends.',
  open: async (read, { last_event_id }, { account_id, principal, settings }, ports) => {
    const bound = principal.key_agent_id;
    const sources = await sourcesOf(read, account_id, bound);
    const resumed = last_event_id === undefined ? null : parseCursor(last_event_id, sources);
    const had = (agent_id: string): number => resumed?.get(agent_id) ?? 0;
    // A restored database lacks events that the reader has: everything since the restore is new.
    const since = new Map<string, number>();
    for (const { agent_id, head } of sources) {
      if (had(agent_id) > head) since.set(agent_id, await lastBeforeEpoch(read, agent_id, head, ports.restored));
    }
    // An agent that the cursor does not name is new: all of its events are new.
    const starts = sources.map(({ agent_id, head }) => ({
      agent_id,
      after: resumed ? (since.get(agent_id) ?? had(agent_id)) : head,
    }));
    return (sink) => {
      const cursor = new Map<string, number>();
      const join = (agent_id: string, after: number): void => {
        if (!cursor.has(agent_id)) followInbox(ports, settings, read, sink, cursor, { agent_id, after });
      };
      // An id alone is no event, but lets a reader that disconnects before the first event resume from here.
      const begin = writeCursor(new Map(starts.map(({ agent_id, after }) => [agent_id, after])));
      sink.write(since.size > 0 ? encodeReset(ports.restored.epoch, begin) : `id: ${begin}\n\n`);
      for (const { agent_id, after } of starts) join(agent_id, after);
      if (bound !== null) return;
      sink.onClose(ports.onJoin(account_id, (agent_id) => join(agent_id, 0)));
      // Agents that joined between the read and the subscription.
      const again = async (): Promise<void> => {
        for (const { agent_id } of await sourcesOf(read, account_id, bound)) join(agent_id, 0);
      };
      again().catch(() => sink.close());
    };
  },
});
