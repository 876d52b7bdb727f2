// The inbox of one named agent: the pull form with `after`, else the older view that some agents still read (interface.md,
// Versioning 5). The older view shows the same events, newest first, and marks nothing.
import { Type } from 'typebox';
import { eventsBefore, readsOf } from '../../../db/queries/inbox.ts';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { invalid } from '../../domain/fault.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import type { NextStep } from '../../domain/next-step.ts';
import type { Deprecation } from '../../domain/notes.ts';
import { EventShape, eventView, NONE_WAITS, PullInput, PullShape } from '../../schemas/event.ts';
import { PAGE_DEFAULT } from '../../schemas/wire.ts';
import { loadPull, waitingIn } from '../../steps/inbox.ts';
import { decidePull } from '../../steps/notification.ts';

/** The older view is announced as deprecated (RFC 9745) and ends after twelve months (RFC 8594, Q167). */
const DEPRECATED_AT = Date.UTC(2026, 10, 1);
const SUNSET_AT = Date.UTC(2027, 10, 1);

function deprecation(handle: string): Deprecation {
  const successor: NextStep = { operation: 'inbox.view', input: { handle, after: 0 } };
  return { since_ms: DEPRECATED_AT, ends_ms: SUNSET_AT, successor };
}

const NOTHING = { found: [], replies: NONE_WAITS, ranges: '' };

export const inboxView = command({
  name: 'inbox.view',
  summary: "Pull one agent's inbox",
  description:
    'With `after`: as GET /api/inbox, for that agent. Without: the older view, an array of the newest events, newest ' +
    'first, those created after `since` if given. `after` takes precedence over `since`. A time is no cursor: an event may be ' +
    'committed after a newer one, and only `after` misses none. The older view is deprecated, as its header ' +
    '`Deprecation` says; `Sunset` is the day of its removal.',
  input: Type.Object({
    ...PullInput,
    since: Type.Optional(Type.String({ format: 'date-time', description: 'only events created after this instant' })),
  }),
  output: Type.Union([PullShape, Type.Array(EventShape)]),
  example: { after: 0 },
  effect: 'changes',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'invalid_request'],
  safe: true,
  rest: [{ method: 'GET', path: '/api/agents/{handle}/inbox', acting: 'handle' }],
  no_tool: 'The older form of mesh_get_inbox.',
  load: async (read, input, ctx, ports) => {
    if (input.after !== undefined) return { pull: await loadPull(read, input, ctx, ports), ...NOTHING };
    const { id } = actor(ctx);
    const page = { agent_id: id, before: Number.MAX_SAFE_INTEGER, limit: input.limit ?? PAGE_DEFAULT };
    const [found, reads] = await Promise.all([read.peek(eventsBefore, page), read.peek(readsOf, { id })]);
    const replies = await waitingIn(read.peek, id, found, ctx.now_ms);
    return { pull: null, found, replies, ranges: reads?.ranges ?? '' };
  },
  decide: ({ pull, found, replies, ranges }, input, ctx) => {
    if (pull) return decidePull(pull, input, ctx);
    const since_ms = input.since === undefined ? 0 : Date.parse(input.since);
    if (Number.isNaN(since_ms)) return invalid({ path: 'since', message: 'Use an ISO 8601 date-time.' });
    const isRead = parseReadMarks(ranges);
    const shown = found.filter((event) => event.created_at > since_ms);
    return {
      reply: shown.map((event) => eventView(event, isRead(event.seq), replies)),
      notes: { deprecated: deprecation(actor(ctx).handle) },
    };
  },
});
