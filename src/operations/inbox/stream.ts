// The inbox as server-sent events: stored events after a seq, then each event as it is committed. The id is the seq, so
// that a disconnected reader can resume (interface.md, Inbox; rules.md 10).
import { Type } from 'typebox';
import { eventsAfter, headOf, readsOf } from '../../../db/queries/inbox.ts';
import { actor } from '../../contract/context.ts';
import { stream } from '../../contract/operation.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { encodeEvent } from '../../schemas/event.ts';
import { encodeOldest, encodeReset, resumeFrom, resuming } from '../../schemas/resuming.ts';
import { lastBeforeEpoch, waitingIn } from '../../steps/inbox.ts';

export const inboxStream = stream({
  name: 'inbox.stream',
  summary: 'Stream your inbox',
  description:
    'Server-sent events: `id` is the seq, `event` the kind, `data` the event as GET /api/inbox shows it, with `epoch`. Replays what ' +
    'came after `after` or Last-Event-ID (which takes precedence), then stays open, with a comment line every 25 seconds. A reader ' +
    'with 1 MiB queued is disconnected and resumes by seq. If your position is beyond the end, as after a restore, ' +
    'an event `reset` says so, and newer events follow; if events after it were deleted for age, an event `oldest` gives the ' +
    '`oldest_seq` that follows. It ends with the key or access token that opened it; reconnect ' +
    'with a new one. Streaming marks nothing as read.',
  input: Type.Object(resuming('seq')),
  output: Type.String({ description: 'text/event-stream' }),
  example: { after: 0 },
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'stream_unavailable'],
  rest: [{ method: 'GET', path: '/api/inbox/stream', headers: { last_event_id: 'last-event-id' } }],
  no_tool: 'A tool responds once; mesh_get_inbox pulls what the stream sends.',
  open: async (read, input, ctx, { follow, markSeen, restored }) => {
    const { addresses } = ctx;
    const { id } = actor(ctx);
    const asked = resumeFrom(input);
    const head = asked === 0 ? 0 : ((await read(headOf, { id }))?.last_seq ?? 0);
    const after = asked > head ? await lastBeforeEpoch(read, id, head, restored) : asked;
    return (sink) => {
      if (asked > head) sink.write(encodeReset(restored.epoch, after, { reset_after: after }));
      const replay = async (from: number, limit: number) => {
        const [page, reads] = await Promise.all([
          read(eventsAfter, { agent_id: id, after: from, limit }),
          read(readsOf, { id }),
        ]);
        const isRead = parseReadMarks(reads?.ranges ?? '');
        const waiting = await waitingIn(read, id, page, ctx.now_ms);
        return page.map((event, at) => {
          const encoded = encodeEvent(event, addresses, {
            epoch: restored.epoch,
            read: isRead(event.seq),
            waiting,
          });
          const gap = at === 0 ? encodeOldest({ seq: event.seq, after: from, epoch: restored.epoch }) : '';
          return { seq: event.seq, encoded: `${gap}${encoded}` };
        });
      };
      follow(id, sink, replay, after);
      // The agent counts as present until the stream closes.
      sink.onClose(() => markSeen(id));
    };
  },
});
