// Reads of inboxes: the page that an agent pulls, and the newest events of all inboxes of an account.
import {
  eventsAfter,
  eventsBefore,
  messagesWaiting,
  pendingOf,
  readsOf,
  repliesWaiting,
  talksJoined,
  talksOpened,
} from '../../db/queries/inbox.ts';
import { inboxesOfAccount } from '../../db/queries/notification.ts';
import type { InboxEvent, Read } from '../../db/store.ts';
import { actor, type Ctx } from '../contract/context.ts';
import type { Epoch, LoadPorts } from '../contract/ports.ts';
import { idAt, timeOf } from '../domain/id-time.ts';
import { REPLY_WITHIN_MS, UNDER_WAY_MS } from '../domain/inbox/inbox.ts';
import { askingMessage, NONE_WAITS } from '../schemas/event.ts';
import { PAGE_DEFAULT } from '../schemas/wire.ts';
import type { NotificationCursor, PullRequest, PullState, Source } from './notification.ts';

/** More waiting messages than a page has events, as some of their events may be on the next. */
const ON_PAGE_MAX = 500;

export async function loadPull(
  read: Read,
  { after = 0, limit = PAGE_DEFAULT }: PullRequest,
  ctx: Ctx,
  { events, restored }: Pick<LoadPorts, 'events' | 'restored'>,
): Promise<PullState> {
  const agent_id = actor(ctx).id;
  const [{ page, head }, pending, replies, reads] = await Promise.all([
    events.after(agent_id, after, limit),
    read.peek(pendingOf, { agent_id, now_ms: ctx.now_ms }),
    read.peek(repliesWaiting, { agent_id, since: repliedSince(ctx.now_ms) }),
    read.peek(readsOf, { id: agent_id }),
  ]);
  const oldest = replies?.oldest ?? null;
  const to_reply = { count: replies?.count ?? 0, earliest: oldest === null ? null : timeOf(oldest) + REPLY_WITHIN_MS };
  const asked = to_reply.count === 0 ? [] : page.events.map(({ message_id }) => message_id);
  const waiting = await waitingAmong(read.peek, agent_id, asked, ctx.now_ms);
  const awaited = (pending?.count ?? 0) + to_reply.count > 0;
  const since = { agent_id, since_ms: ctx.now_ms - UNDER_WAY_MS };
  const talks = awaited ? [] : await Promise.all([read.peek(talksOpened, since), read.peek(talksJoined, since)]);
  const reset_after = after > head ? await lastBeforeEpoch(read.peek, agent_id, head, restored) : null;
  const under_way = talks.flat().length > 0;
  return {
    ...{ page, head, pending, waiting, replies: to_reply },
    ranges: reads?.ranges ?? null,
    ...{ under_way, epoch: restored.epoch, reset_after },
  };
}

/** Messages with lower ids wait for a reply no more. */
const repliedSince = (now_ms: number): string => idAt(now_ms - REPLY_WITHIN_MS);

/** Which of these messages wait for an agent's reply. Their ids lie close together where they are of one page. */
async function waitingAmong(
  read: Read['peek'],
  agent_id: string,
  message_ids: readonly (string | null)[],
  now_ms: number,
): Promise<ReadonlySet<string>> {
  const since = repliedSince(now_ms);
  const asked = message_ids.filter((id) => id !== null && id > since).sort();
  const [lowest, highest] = [asked[0], asked.at(-1)];
  if (!lowest || !highest) return NONE_WAITS;
  // An id sorts after the time that it begins with.
  const found = await read(messagesWaiting, { agent_id, since: idAt(timeOf(lowest)), to: highest, limit: ON_PAGE_MAX });
  return new Set(found.flatMap(({ id }) => id ?? []));
}

/** The same for events; no query without a message. */
export function waitingIn(
  read: Read['peek'],
  agent_id: string,
  events: readonly InboxEvent[],
  now_ms: number,
): Promise<ReadonlySet<string>> {
  return waitingAmong(read, agent_id, events.map(askingMessage), now_ms);
}

/** The last seq before this epoch; 0 in the first. Found by binary search, once per reader after a restore. */
export async function lastBeforeEpoch(
  read: Read['peek'],
  agent_id: string,
  head: number,
  { restored_at }: Pick<Epoch, 'restored_at'>,
): Promise<number> {
  if (restored_at === null) return 0;
  let [before, since] = [0, head + 1];
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    const [event] = await read(eventsAfter, { agent_id, after: middle - 1, limit: 1 });
    if (event && event.created_at < restored_at) before = event.seq;
    else since = middle;
  }
  return before;
}

/** The inboxes of an account's agents, or only that of the one to which a key is bound. */
export async function sourcesOf(read: Read, account_id: string, bound: string | null): Promise<Source[]> {
  const rows = await read(inboxesOfAccount, { account_id });
  const own = bound === null ? rows : rows.filter(({ agent_id }) => agent_id === bound);
  return own.map(({ agent_id, handle, wake, last_seq, noticed }) => ({
    agent_id,
    handle,
    wake,
    head: last_seq ?? 0,
    noticed: noticed ?? '',
  }));
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

/** The most events that one call filters; its page may be short, and its cursor continues. */
const LOOKED_AT_MAX = 1_000;

/** The newest events before a cursor that fit, and the cursor after them; null when nothing comes after. */
export async function newestNotifications(
  read: Read,
  from: NotificationCursor,
  limit: number,
  fits: ((event: InboxEvent) => boolean) | null = null,
): Promise<{ events: InboxEvent[]; rest: NotificationCursor | null }> {
  const bite = from.size > FEW_INBOXES ? Math.min(BITE, limit) : limit;
  const walks = [...from].map(([agent_id, before]) => new Backwards(read, agent_id, before, bite));
  const events: InboxEvent[] = [];
  for (let looked_at = 0; events.length < limit && looked_at < LOOKED_AT_MAX; looked_at++) {
    const heads = await Promise.all(walks.map(async (walk) => ({ walk, event: await walk.next() })));
    let first: { walk: Backwards; event: InboxEvent } | null = null;
    for (const { walk, event } of heads) {
      if (event !== null && (first === null || isNewer(event, first.event))) first = { walk, event };
    }
    if (first === null) break;
    first.walk.take();
    if (fits === null || fits(first.event)) events.push(first.event);
  }
  const rest = new Map(walks.filter(({ before }) => before > 1).map(({ agent_id, before }) => [agent_id, before]));
  return { events, rest: rest.size > 0 ? rest : null };
}
