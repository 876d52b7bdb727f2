// The effects of reading an inbox, by an agent or its person, and a person's settings. A cursor in an account's notifications holds a
// position in each agent's inbox: seqs have no gaps, so it stays valid under concurrent commits, unlike ids and times of several
// inboxes and nodes.
import { Type } from 'typebox';
import { apply, type Effect, insert, patch } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision } from '../../db/store.ts';
import { actor, type Ctx } from '../contract/context.ts';
import type { EventPage } from '../contract/ports.ts';
import { Rendered } from '../contract/reply.ts';
import { fault } from '../domain/fault.ts';
import { addRange, isAllRead, nextPoll, oldestAfter, parseReadMarks } from '../domain/inbox/inbox.ts';
import { digestTime, type NotificationSettings } from '../domain/inbox/notification-settings.ts';
import type { Wake } from '../domain/inbox/wake.ts';
import { Id, isoOrNull } from '../schemas/wire.ts';
import { remind, unremind } from './reminder.ts';

/** By agent: a seq of its inbox. */
export type NotificationCursor = ReadonlyMap<string, number>;

/** One inbox whose events are the caller's notifications. */
export interface Source {
  readonly agent_id: string;
  readonly handle: string;
  readonly wake: Wake;
  readonly head: number;
  /** The seqs that the person has read. */
  readonly noticed: string;
}

/** An agent's part of a cursor is written `<tail of its id>.<seq>`; parts are joined by underscores. */
export const CURSOR_PATTERN = '^[0-9a-f]{12}\\.[0-9]{1,15}(_[0-9a-f]{12}\\.[0-9]{1,15})*$';
/** Room for as many agents as an account may have. */
export const CURSOR_MAX = 6_000;

const CURSOR = new RegExp(CURSOR_PATTERN);
/** The random end of an id of version 7. */
const TAIL_CHARS = 12;
const tailOf = (agent_id: string): string => agent_id.slice(-TAIL_CHARS);

/** The cursor before the first read: it names no inbox. */
const NOTHING_SEEN = '000000000000.0';

/** A cursor as text, without unread inboxes. */
export function writeCursor(cursor: NotificationCursor): string {
  const told = [...cursor].filter(([, seq]) => seq > 0);
  return told.map(([agent_id, seq]) => `${tailOf(agent_id)}.${seq}`).join('_') || NOTHING_SEEN;
}

/** Parses a cursor, limited to the existing sources; null when invalid. */
export function parseCursor(text: string, sources: readonly Source[]): NotificationCursor | null {
  if (text.length > CURSOR_MAX || !CURSOR.test(text)) return null;
  const parts = new Map(text.split('_').map((part) => [part.slice(0, TAIL_CHARS), Number(part.slice(TAIL_CHARS + 1))]));
  const known = sources.flatMap(({ agent_id }): [string, number][] => {
    const seq = parts.get(tailOf(agent_id));
    return seq === undefined ? [] : [[agent_id, seq]];
  });
  return new Map(known);
}

// What a person has read of an inbox, apart from its agent. Marks of several devices merge in any order.

/** The effects that mark the seqs `from` to `to` of an inbox as read by its person; none when they are already. */
export function markNoticed(source: Source, from: number, to: number): Effect<never>[] {
  const marks = addRange(source.noticed, from, to);
  if (marks === source.noticed) return [];
  return [
    // The row may not be there, or be made meanwhile by the agent's own reading.
    insert('inbox_reads', { id: source.agent_id, ranges: '', noticed: marks, version: 1 }, 'ignore'),
    apply('inbox_reads', source.agent_id, (row) => ({ noticed: addRange(row.noticed, from, to) })),
  ];
}

// Asks for an account's next digest, or takes the asking back.

export const DIGEST = { name: 'notification.digest', input: Type.Object({ account_id: Id }) } as const;

/** Stores an account's settings; the digest's reminder exists exactly while one is wanted. */
export function keepSettings(
  id: string,
  row: Row<'notification_settings'> | null,
  after: NotificationSettings,
  now_ms: number,
): Effect<'conflict'>[] {
  // A digest begins with what comes from now on.
  const begins = after.digest === 'daily' && row?.digest !== 'daily';
  const set = { ...after, ...(begins && { digested_until: now_ms }) };
  return [
    row
      ? patch('notification_settings', row, set)
      : insert('notification_settings', { id, digested_until: 0, ...set, version: 1 }, fault('conflict')),
    remindDigest(id, after, now_ms),
  ];
}

/** Schedules or cancels an account's next digest by its settings. */
export function remindDigest(account_id: string, settings: NotificationSettings, now_ms: number): Effect<never> {
  if (settings.digest === 'off') return unremind(DIGEST, account_id);
  return remind(DIGEST, { account_id }, { at: digestTime(settings, now_ms), key: account_id, now_ms });
}

export interface PullState {
  readonly page: EventPage;
  readonly head: number;
  readonly pending: { readonly count: number; readonly earliest: number | null } | null;
  /** The messages of the page that wait for a reply, and all that do. */
  readonly waiting: ReadonlySet<string>;
  readonly replies: { readonly count: number; readonly earliest: number | null };
  readonly ranges: string | null;
  /** Whether the agent is in the middle of something with another. */
  readonly under_way: boolean;
  readonly epoch: number;
  /** Where a reader with a cursor beyond the head continues; null for others. */
  readonly reset_after: number | null;
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
  const oldest_seq = first && oldestAfter(first, after);
  const { waiting, replies } = state;
  const count = (state.pending?.count ?? 0) + replies.count;
  const deadlines = [state.pending?.earliest ?? null, replies.earliest].filter((at) => at !== null);
  const earliest = deadlines.length === 0 ? null : Math.min(...deadlines);
  // Reads by session do not mark the agent's events (Q111).
  const mark = !again && !peek && ctx.principal.kind === 'key';
  const rest = JSON.stringify({
    cursor,
    has_more: cursor < state.head,
    pending: { count, earliest_respond_by: isoOrNull(earliest) },
    next_poll_seconds: nextPoll(count, state.under_way),
    epoch: state.epoch,
    ...(state.reset_after !== null && { reset: true, reset_after: state.reset_after }),
    ...(oldest_seq && { oldest_seq }),
  });
  return {
    reply: new Rendered((form) =>
      again ? state.page.read(rest, form, waiting) : state.page.json(rest, parseReadMarks(ranges), form, waiting),
    ),
    effects: mark ? markRead(actor(ctx).id, state.ranges, first.seq, last.seq) : [],
  };
}

export type PullRequest = { after?: number; limit?: number; peek?: boolean };
