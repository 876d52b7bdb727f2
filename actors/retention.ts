// Deletes rows that are older than the operator's retention, matches that ended long ago, and labels that are in no use. Each walk goes through its rows by id, a
// page a turn, and keeps its place: a step costs the same for any amount of data, and the next one continues from there.
import { apply, count, type Effect, insert, patch, removeOld } from '../db/effects.ts';
import { openDealsIn } from '../db/queries/deal.ts';
import {
  type AgedPage,
  agedActions,
  agedAttempts,
  agedCalls,
  agedHolds,
  agedMatches,
  agedMeetings,
  agedModelCalls,
  agedTurns,
  agedViews,
  firstEvents,
  firstMessages,
  inboxBeginnings,
  threadBeginnings,
  undeliveredSince,
  unusedLabels,
} from '../db/queries/retention.ts';
import { noteById } from '../db/queries/turn.ts';
import type { Query } from '../db/query.ts';
import type { TableName } from '../db/schema/tables.ts';
import type { Read, Store } from '../db/store.ts';
import { rowBytes } from '../db/stored-bytes.ts';
import { idAt } from '../src/domain/id-time.ts';
import { storageKey } from '../src/domain/identity/plan.ts';
import { addRange } from '../src/domain/inbox/inbox.ts';
import { MATCH_TTL_MS } from '../src/domain/match/state.ts';
import {
  eventsToGo,
  LABELS_KEPT_MS,
  MATCH_KEPT_MS,
  matchGoes,
  messagesToGo,
  promptGoes,
  type Retention,
  seenWithout,
  turnGoes,
  VIEWS_KEPT_MS,
} from '../src/domain/retention.ts';
import { dayOf } from '../src/domain/text/day.ts';
import { HOUR_MS } from '../src/domain/time.ts';

/** Rows read in a turn, at most twice as many; deleting one takes some 35 µs of the writer's time. */
const SLICE = 100;
/** Inboxes or conversations read in a turn: 0.4 ms. */
const PAGE = 200;
/** Turns of each walk in a minute: 40,000 inboxes without deletions, 20,000 rows, some 30 million a day. */
const TURNS_A_MINUTE = 200;
/** The pause between two walks: an hour more is little for rows that are kept for weeks. */
const REST_MS = HOUR_MS;

/** The result of one page: its deletions, and the place of the next; null at the end of the walk. */
interface Slice {
  readonly effects: readonly Effect<never>[];
  readonly next: string | null;
}

type Walk = (read: Read, after: string, now_ms: number) => Promise<Slice>;

/** The deletions in a sequence. */
interface Trimmed {
  readonly effects: readonly Effect<never>[];
  /** Rows that were read. */
  readonly looked_at: number;
  readonly more: boolean;
}

/** Trims sequences until the rows of a slice were read. */
async function trimFirst<S extends { readonly id: string; readonly begins_at: number }>(
  page: readonly S[],
  before_ms: number,
  after: string,
  trim: (of: S) => Promise<Trimmed>,
): Promise<Slice> {
  const effects: Effect<never>[] = [];
  let place = after;
  let looked_at = 0;
  for (const each of page) {
    // An empty one has no time.
    if (each.begins_at > 0 && each.begins_at < before_ms) {
      const went = await trim(each);
      effects.push(...went.effects);
      looked_at += went.looked_at;
      // The next turn continues with it.
      if (went.more) return { effects, next: place };
    }
    place = each.id;
    if (looked_at >= SLICE) return { effects, next: place };
  }
  return { effects, next: page.length < PAGE ? null : place };
}

/** Marks deleted events as read, as they can no longer be read. */
function markGone(agent_id: string, through: number): Effect<never>[] {
  return [
    insert('inbox_reads', { id: agent_id, ranges: '', noticed: '', version: 1 }, 'ignore'),
    apply('inbox_reads', agent_id, ({ ranges, noticed }) => ({
      ranges: addRange(ranges, 1, through),
      noticed: addRange(noticed, 1, through),
    })),
  ];
}

function eventsWalk(kept_ms: number): Walk {
  return async (read, after, now_ms) => {
    const before_ms = now_ms - kept_ms;
    const page = await read(inboxBeginnings, { after, limit: PAGE });
    return trimFirst(page, before_ms, after, async (inbox) => {
      const first = await read(firstEvents, { agent_id: inbox.id, limit: SLICE });
      const gone = eventsToGo(first, inbox, before_ms, now_ms);
      const last = gone.at(-1);
      const effects = gone.map((event) => removeOld('events', event));
      return {
        effects: last ? [...effects, ...markGone(inbox.id, last.seq)] : effects,
        looked_at: first.length,
        more: gone.length === SLICE,
      };
    });
  };
}

/** Gives senders back their storage. That of events never was theirs, where events are deleted too. */
function giveBack(gone: readonly { readonly content: string; readonly account_id: string | null }[]) {
  const bytes = new Map<string, number>();
  for (const { account_id, content } of gone) {
    if (account_id !== null) bytes.set(account_id, (bytes.get(account_id) ?? 0) + rowBytes('messages', { content }));
  }
  return [...bytes].map(([id, n]) => count<never>(storageKey(id), Number.MAX_SAFE_INTEGER, 'again', null, -n));
}

function messagesWalk(kept_ms: number): Walk {
  return async (read, after, now_ms) => {
    const before_ms = now_ms - kept_ms;
    const page = await read(threadBeginnings, { after, limit: PAGE });
    return trimFirst(page, before_ms, after, async (thread) => {
      const { id, last_n, status, proposal_id, tasks } = thread;
      const is_open = status === 'escalated' || proposal_id !== null || tasks > 0;
      if (is_open || (await read(openDealsIn, { conversation_id: id })).length > 0)
        return { effects: [], looked_at: 1, more: false };
      const first = await read(firstMessages, { conversation_id: id, limit: SLICE });
      // Undelivered messages are kept: delivery to an endpoint still reads them.
      const waits_from = (await read(undeliveredSince, thread))?.at ?? before_ms;
      const gone = messagesToGo(first, last_n, Math.min(before_ms, waits_from));
      const through = gone.at(-1)?.n ?? 0;
      const { opener_seen, other_seen } = seenWithout(thread, through);
      const were_seen = opener_seen === thread.opener_seen && other_seen === thread.other_seen;
      return {
        effects: [
          ...gone.map((message) => removeOld('messages', message)),
          ...(were_seen ? [] : [apply('conversations', id, (now) => seenWithout(now, through))]),
          ...giveBack(gone),
        ],
        looked_at: first.length,
        more: gone.length === SLICE,
      };
    });
  };
}

const matchesWalk: Walk = async (read, after, now_ms) => {
  const until = idAt(now_ms - MATCH_TTL_MS - MATCH_KEPT_MS);
  const page = await read.peek(agedMatches, { after, until, limit: SLICE });
  const gone = page.filter(({ match, offer_edited_at, seek_edited_at }) => {
    const is_listed = offer_edited_at !== null && seek_edited_at !== null;
    const edited_at_ms = is_listed ? Math.max(offer_edited_at, seek_edited_at) : null;
    return matchGoes({ ...match, created_at_ms: match.created_at }, edited_at_ms, now_ms);
  });
  const effects = gone.map(({ match }) => removeOld('matches', match));
  return { effects, next: nextOf(page.map(({ match }) => match.match_id)) };
};

const labelsWalk: Walk = async (read, after, now_ms) => {
  const page = await read.peek(unusedLabels, { after, limit: SLICE });
  const gone = page.filter(({ created_at }) => created_at < now_ms - LABELS_KEPT_MS);
  return { effects: gone.map((label) => removeOld('labels', label)), next: nextOf(page.map(({ id }) => id)) };
};

/** Where the next page begins. */
function nextOf(ids: readonly string[]): string | null {
  return ids.length < SLICE ? null : (ids.at(-1) ?? null);
}

/** Removes the old rows of a table for which `goes`; `placeAt` is where the ids of a time begin. */
function rowsWalk<T extends TableName, R extends Parameters<typeof removeOld<T>>[1] & { readonly id: string }>(
  table: T,
  aged: Query<AgedPage, R[]>,
  kept_ms: number,
  goes: (row: R, now_ms: number) => boolean = () => true,
  placeAt: (at_ms: number) => string = idAt,
): Walk {
  return async (read, after, now_ms) => {
    const page = await read.peek(aged, { after, until: placeAt(now_ms - kept_ms), limit: SLICE });
    const gone = page.filter((row) => goes(row, now_ms));
    return { effects: gone.map((row) => removeOld(table, row)), next: nextOf(page.map(({ id }) => id)) };
  };
}

/** The walks by the names under which their places are kept. */
function walksOf({ events, messages, receipts, prompts }: Retention): Record<string, Walk> {
  return {
    matches: matchesWalk,
    labels: labelsWalk,
    views: rowsWalk('views', agedViews, VIEWS_KEPT_MS, undefined, dayOf),
    ...(events !== undefined && { events: eventsWalk(events) }),
    ...(messages !== undefined && {
      messages: messagesWalk(messages),
      meetings: rowsWalk('meetings', agedMeetings, messages, (row, now_ms) => row.starts_at < now_ms - messages),
    }),
    ...(receipts !== undefined && {
      calls: rowsWalk(
        'router_calls',
        agedCalls,
        receipts,
        (call) => call.status !== 'open' && call.expires_at === null,
      ),
      // Attempts that are not in their provider's figures yet are kept.
      attempts: rowsWalk(
        'router_attempts',
        agedAttempts,
        receipts,
        (row) => row.gathered_at !== null && row.expires_at === null,
      ),
      // The ledger's check proves fees by the settled ones.
      holds: rowsWalk('holds', agedHolds, receipts, ({ status }) => status === 'voided'),
    }),
    ...(prompts !== undefined && {
      actions: rowsWalk('actions', agedActions, prompts, promptGoes),
      model_calls: rowsWalk('model_calls', agedModelCalls, prompts),
      turns: rowsWalk('turns', agedTurns, prompts, turnGoes),
    }),
  };
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The note of where the walks stand, so that one node at a time goes on with them, and a start does not begin anew. */
const NOTE = 'retention';
/** A node has the walks to itself for less than the minute after which it comes again. */
const MINE_MS = 50_000;

interface Place {
  readonly after: string;
  readonly rests_until: number;
}

interface Standing {
  readonly until: number;
  readonly places: Readonly<Record<string, Place>>;
}

const BEGINNING: Place = { after: '', rests_until: 0 };
/** What lies further ahead was written by a clock that has been set back since. */
const isAhead = (at_ms: number, now_ms: number, at_most: number): boolean =>
  at_ms > now_ms && at_ms <= now_ms + at_most;

export class OldRows {
  readonly #store: Pick<Store, 'turn'>;
  readonly #walks: Readonly<Record<string, Walk>>;

  constructor(store: Pick<Store, 'turn'>, retention: Retention) {
    this.#store = store;
    this.#walks = walksOf(retention);
  }

  /** Continues each walk for some turns, or with `whole` runs it from start to end. */
  async goOn(now_ms: number, is_stopped: () => boolean, whole = false): Promise<void> {
    const places = whole ? {} : await this.#take(now_ms);
    if (places === null) return;
    const reached: Record<string, Place> = {};
    for (const [name, walk] of Object.entries(this.#walks)) {
      const from = places[name] ?? BEGINNING;
      const rests = isAhead(from.rests_until, now_ms, REST_MS);
      reached[name] = rests ? from : await this.#walk(walk, from.after, now_ms, is_stopped, whole);
    }
    if (!whole) await this.#leave(reached, now_ms);
  }

  async #walk(walk: Walk, from: string, now_ms: number, is_stopped: () => boolean, whole: boolean): Promise<Place> {
    let after = from;
    for (let turn = 0; (whole || turn < TURNS_A_MINUTE) && !is_stopped(); turn++) {
      const next = await this.#page(walk, after, now_ms);
      if (next === null) return { after: '', rests_until: now_ms + REST_MS };
      after = next;
      await tick();
    }
    return { after, rests_until: 0 };
  }

  /** The places of the walks; null while another node has them, or all of them rest. */
  async #take(now_ms: number): Promise<Standing['places'] | null> {
    const outcome = await this.#store.turn<Standing['places'] | null>({
      attempt: async (read) => {
        const note = await read(noteById, { id: NOTE });
        // `#leave` wrote it.
        const { until, places } = (note?.value ?? { until: 0, places: {} }) as unknown as Standing;
        const rests = (name: string): boolean => isAhead(places[name]?.rests_until ?? 0, now_ms, REST_MS);
        if (isAhead(until, now_ms, MINE_MS) || Object.keys(this.#walks).every(rests)) return { reply: null };
        const value = { until: now_ms + MINE_MS, places };
        const taken = note
          ? patch('service_notes', note, { value })
          : insert('service_notes', { id: NOTE, value }, 'ignore');
        return { reply: places, effects: [taken] };
      },
    });
    return 'reply' in outcome ? outcome.reply : null;
  }

  async #leave(places: Standing['places'], now_ms: number): Promise<void> {
    const value = { until: now_ms + MINE_MS, places };
    const effects = [apply('service_notes', NOTE, () => ({ value }))];
    await this.#store.turn({ attempt: async () => ({ reply: null, effects }) });
  }

  async #page(walk: Walk, after: string, now_ms: number): Promise<string | null> {
    const outcome = await this.#store.turn<string | null>({
      attempt: async (read) => {
        const { effects, next } = await walk(read, after, now_ms);
        return { reply: next, effects };
      },
    });
    return 'reply' in outcome ? outcome.reply : null;
  }
}
