// Pulls an inbox: events after a seq, in order, with what still awaits an answer. The page is put together from texts that
// were rendered before; a key's reading marks what it got as read, and writes only when that is news.
import { Type } from 'typebox';
import { apply, type Effect, insert } from '../../../db/effects.ts';
import { pendingOf, readsOf } from '../../../db/queries/inbox.ts';
import type { Decision, Read } from '../../../db/store.ts';
import { addRange, isAllRead, nextPoll, parseReadMarks } from '../../domain/inbox/inbox.ts';
import { EventShape } from '../../schemas/event.ts';
import { namedObject } from '../../schemas/named.ts';
import { isoOrNull, NullableTime, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { actor, type Ctx, type EventPage, type LoadPorts } from '../context.ts';
import { command } from '../operation.ts';
import { Rendered } from '../reply.ts';

export const PullInput = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'the last seq you have; 0 the first time',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 unless said' })),
  peek: Type.Optional(Type.Boolean({ description: 'true: mark nothing as read' })),
};

export const PullShape = namedObject('InboxPage', 'events after a cursor, and when to ask again', {
  events: Type.Array(EventShape, { description: 'in the order of their seq' }),
  cursor: Type.Integer({ minimum: 0, description: 'what to send as `after` next time' }),
  has_more: Type.Boolean({ description: 'true: call again now' }),
  pending: Type.Object({
    count: Type.Integer({ minimum: 0, description: 'events that still await an answer, in the whole inbox' }),
    earliest_respond_by: NullableTime,
  }),
  next_poll_seconds: Type.Integer({ description: 'how long to wait when there is no more' }),
});

export interface PullState {
  readonly page: EventPage;
  readonly head: number;
  readonly pending: { readonly count: number; readonly earliest: number | null } | null;
  readonly ranges: string | null;
}

type PullRequest = { after?: number; limit?: number; peek?: boolean };

/** The reads of a pull. */
export async function loadPull(
  read: Read,
  { after = 0, limit = PAGE_DEFAULT }: PullRequest,
  ctx: Ctx,
  { events }: Pick<LoadPorts, 'events'>,
): Promise<PullState> {
  const agent_id = actor(ctx).id;
  const [{ page, head }, pending, reads] = await Promise.all([
    events.after(agent_id, after, limit),
    read.peek(pendingOf, { agent_id, now_ms: ctx.now_ms }),
    read.peek(readsOf, { id: agent_id }),
  ]);
  return { page, head, pending, ranges: reads?.ranges ?? null };
}

/** The read marks that a page adds; none when all of it was read before. */
function markRead(agent_id: string, ranges: string | null, from: number, to: number): Effect<never>[] {
  const next = addRange(ranges ?? '', from, to);
  if (next === ranges) return [];
  // Marks of several readers at once merge in any order.
  const merge = apply('inbox_reads', agent_id, (row) => ({ ranges: addRange(row.ranges, from, to) }));
  return ranges === null ? [insert('inbox_reads', { id: agent_id, ranges: next }, 'ignore'), merge] : [merge];
}

/** The page, and the read marks that a key's reading leaves. */
export function decidePull(state: PullState, input: PullRequest, ctx: Ctx): Decision<Rendered, never> {
  const { after = 0, peek = false } = input;
  const { events } = state.page;
  const [first, last] = [events[0], events.at(-1)];
  const ranges = state.ranges ?? '';
  // An empty page is read as well.
  const again = !first || !last || isAllRead(ranges, first.seq, last.seq);
  const cursor = last?.seq ?? after;
  const count = state.pending?.count ?? 0;
  // A person who looks in with a session takes nothing from the agent (Q111).
  const mark = !again && !peek && ctx.principal.kind === 'key';
  const rest = JSON.stringify({
    cursor,
    has_more: cursor < state.head,
    pending: { count, earliest_respond_by: isoOrNull(state.pending?.earliest ?? null) },
    next_poll_seconds: nextPoll(count),
  });
  return {
    reply: new Rendered((form) =>
      again ? state.page.read(rest, form) : state.page.json(rest, parseReadMarks(ranges), form),
    ),
    effects: mark ? markRead(actor(ctx).id, state.ranges, first.seq, last.seq) : [],
  };
}

export const inboxPull = command({
  name: 'inbox.pull',
  summary: 'Pull your inbox',
  description:
    'Events after `after`, in the order of their seq. Reading with a key marks them as read; `read` tells whether they ' +
    'were before. Call again at once while `has_more`, else after `next_poll_seconds`.',
  input: Type.Object(PullInput),
  output: PullShape,
  example: { after: 0, limit: 5 },
  effect: 'changes',
  access: 'key',
  scope: 'agents:read',
  provisional: true,
  agent: 'required',
  faults: ['not_found'],
  safe: true,
  rest: [{ method: 'GET', path: '/api/inbox' }],
  tools: [{ name: 'mesh_get_inbox', title: 'Pull your inbox', set: 'inbox', extension: true }],
  load: loadPull,
  decide: decidePull,
});
