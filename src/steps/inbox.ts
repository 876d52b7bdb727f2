// Pulls an inbox, for both of its forms: events after a seq, in order, with what still awaits an answer. The page is put
// together from texts that were rendered before; a key's reading marks what it got as read, and writes only when that is news.
import { apply, type Effect, insert } from '../../db/effects.ts';
import { pendingOf, readsOf, talksJoined, talksOpened } from '../../db/queries/inbox.ts';
import type { Decision, Read } from '../../db/store.ts';
import { actor, type Ctx } from '../contract/context.ts';
import type { EventPage, LoadPorts } from '../contract/ports.ts';
import { Rendered } from '../contract/reply.ts';
import { addRange, isAllRead, nextPoll, parseReadMarks, UNDER_WAY_MS } from '../domain/inbox/inbox.ts';
import { isoOrNull, PAGE_DEFAULT } from '../schemas/wire.ts';

export interface PullState {
  readonly page: EventPage;
  readonly head: number;
  readonly pending: { readonly count: number; readonly earliest: number | null } | null;
  readonly ranges: string | null;
  /** Whether the agent is in the middle of something with another. */
  readonly under_way: boolean;
}

type PullRequest = { after?: number; limit?: number; peek?: boolean };

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
  const awaited = (pending?.count ?? 0) > 0;
  const since = { agent_id, since_ms: ctx.now_ms - UNDER_WAY_MS };
  const talks = awaited ? [] : await Promise.all([read.peek(talksOpened, since), read.peek(talksJoined, since)]);
  return { page, head, pending, ranges: reads?.ranges ?? null, under_way: talks.flat().length > 0 };
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
    next_poll_seconds: nextPoll(count, state.under_way),
  });
  return {
    reply: new Rendered((form) =>
      again ? state.page.read(rest, form) : state.page.json(rest, parseReadMarks(ranges), form),
    ),
    effects: mark ? markRead(actor(ctx).id, state.ranges, first.seq, last.seq) : [],
  };
}
