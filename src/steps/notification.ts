// A cursor in the notifications of an account: how far into each agent's inbox. It is a list's cursor and a stream's event
// id. Seqs have no gaps, so a cursor stays what it is while more is committed; ids and times of several inboxes, written by
// several nodes, have no such order.

import { Type } from 'typebox';
import { apply, type Effect, insert, patch } from '../../db/effects.ts';
import { eventsBefore } from '../../db/queries/inbox.ts';
import { inboxesOfAccount } from '../../db/queries/notification.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { InboxEvent, Read } from '../../db/store.ts';
import { fault } from '../domain/fault.ts';
import { addRange } from '../domain/inbox/inbox.ts';
import { digestTime, type NotificationSettings } from '../domain/inbox/notification-settings.ts';
import { Id } from '../schemas/wire.ts';
import { remind, unremind } from './reminder.ts';

/** By agent: a seq of its inbox. */
export type NotificationCursor = ReadonlyMap<string, number>;

/** One inbox whose events are the caller's notifications. */
export interface Source {
  readonly agent_id: string;
  readonly head: number;
  /** The seqs that the person has read. */
  readonly noticed: string;
}

/** The inboxes of an account's agents, or only that of the one to which a key is bound. */
export async function sourcesOf(read: Read, account_id: string, bound: string | null): Promise<Source[]> {
  const rows = await read(inboxesOfAccount, { account_id });
  const own = bound === null ? rows : rows.filter(({ agent_id }) => agent_id === bound);
  return own.map(({ agent_id, last_seq, noticed }) => ({ agent_id, head: last_seq ?? 0, noticed: noticed ?? '' }));
}

/** An agent's part of a cursor is written `<tail of its id>.<seq>`; parts are joined by underscores. */
export const CURSOR_PATTERN = '^[0-9a-f]{12}\\.[0-9]{1,15}(_[0-9a-f]{12}\\.[0-9]{1,15})*$';
/** Room for as many agents as an account may have. */
export const CURSOR_MAX = 6_000;

const CURSOR = new RegExp(CURSOR_PATTERN);
/** The random end of an id of version 7. */
const TAIL_CHARS = 12;
const tailOf = (agent_id: string): string => agent_id.slice(-TAIL_CHARS);

/** The cursor of a reader who has seen nothing: it names no inbox. */
const NOTHING_SEEN = '000000000000.0';

/** A cursor as text; inboxes of which nothing was seen need no telling. */
export function writeCursor(cursor: NotificationCursor): string {
  const told = [...cursor].filter(([, seq]) => seq > 0);
  return told.map(([agent_id, seq]) => `${tailOf(agent_id)}.${seq}`).join('_') || NOTHING_SEEN;
}

/** The cursor that a text stands for, as far as the sources that it names go; null for what is no cursor. */
export function parseCursor(text: string, sources: readonly Source[]): NotificationCursor | null {
  if (text.length > CURSOR_MAX || !CURSOR.test(text)) return null;
  const parts = new Map(text.split('_').map((part) => [part.slice(0, TAIL_CHARS), Number(part.slice(TAIL_CHARS + 1))]));
  const known = sources.flatMap(({ agent_id }): [string, number][] => {
    const seq = parts.get(tailOf(agent_id));
    return seq === undefined ? [] : [[agent_id, seq]];
  });
  return new Map(known);
}

// Walks the inboxes of an account backwards as one list, newest first: each inbox in the order of its seq, the inboxes
// merged by time. Every event comes once, however many pages it takes.

/** With more inboxes than this few of each are read at a time: most have nothing on the page. */
const FEW_INBOXES = 3;
const BITE = 8;

class Backwards {
  readonly agent_id: string;
  readonly #read: Read;
  readonly #bite: number;
  #found: InboxEvent[] = [];
  /** All of lower seq are still to come. */
  before: number;

  constructor(read: Read, agent_id: string, before: number, bite: number) {
    this.#read = read;
    this.agent_id = agent_id;
    this.before = before;
    this.#bite = bite;
  }

  /** The next event, not taken yet. */
  async next(): Promise<InboxEvent | null> {
    if (this.#found.length === 0 && this.before > 1) {
      const { agent_id, before } = this;
      this.#found = await this.#read(eventsBefore, { agent_id, before, limit: this.#bite });
      if (this.#found.length === 0) this.before = 1;
    }
    return this.#found[0] ?? null;
  }

  take(): void {
    const event = this.#found.shift();
    if (event) this.before = event.seq;
  }
}

const isNewer = (a: InboxEvent, b: InboxEvent): boolean =>
  a.created_at === b.created_at ? a.id > b.id : a.created_at > b.created_at;

/** The newest events before a cursor, and the cursor after them; null when nothing comes after. */
export async function newestNotifications(
  read: Read,
  from: NotificationCursor,
  limit: number,
): Promise<{ events: InboxEvent[]; rest: NotificationCursor | null }> {
  const bite = from.size > FEW_INBOXES ? Math.min(BITE, limit) : limit;
  const walks = [...from].map(([agent_id, before]) => new Backwards(read, agent_id, before, bite));
  const events: InboxEvent[] = [];
  while (events.length < limit) {
    const heads = await Promise.all(walks.map(async (walk) => ({ walk, event: await walk.next() })));
    let first: { walk: Backwards; event: InboxEvent } | null = null;
    for (const { walk, event } of heads) {
      if (event !== null && (first === null || isNewer(event, first.event))) first = { walk, event };
    }
    if (first === null) break;
    first.walk.take();
    events.push(first.event);
  }
  const rest = new Map(walks.filter(({ before }) => before > 1).map(({ agent_id, before }) => [agent_id, before]));
  return { events, rest: rest.size > 0 ? rest : null };
}

// What a person has read of an inbox, beside what its agent has. Marks of several devices merge in any order.

/** The effects that mark the seqs `from` to `to` of an inbox as read by its person; none where they are already. */
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

/** An account's settings as they are from now on; the digest's reminder stands exactly while one is wanted. */
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

/** The next digest of an account as its settings want it: asked for, or taken back. */
export function remindDigest(account_id: string, settings: NotificationSettings, now_ms: number): Effect<never> {
  if (settings.digest === 'off') return unremind(DIGEST, account_id);
  return remind(DIGEST, { account_id }, { at: digestTime(settings, now_ms), key: account_id, now_ms });
}
