// Counts an agent's conversations and its answers in them. Threads have no size limit, so messages are read in batches of their own.

import type { Slice } from '../../../db/queries/analytics.ts';
import {
  activeJoined,
  activeOpened,
  begunByAgent,
  begunByOthers,
  endOfJoined,
  endOfOpened,
  numberJoined,
  numberOpened,
  repliesAsOpener,
  repliesAsOther,
  writtenAt,
} from '../../../db/queries/talk-figures.ts';
import type { Read } from '../../../db/store.ts';
import type { Days } from '../../domain/analytics/analytics.ts';
import type { Tally } from '../../domain/analytics/tally.ts';
import { farthestPhase } from '../../domain/conversation/conversation.ts';
import { idAt } from '../../domain/id-time.ts';
import { beginOf, dayOf } from '../../domain/text/day.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { nextRound } from '../next-round.ts';
import { SLICE, walk } from './walk.ts';

/** The longest time from a call's start to the making of its ids. */
export const BEHIND_MS = HOUR_MS;
/** Behind all positions of a thread. */
const ALL = Number.MAX_SAFE_INTEGER;

export interface Room {
  /** Rows of each kind and side, except of conversations. */
  readonly rows: number;
  /** Conversations of each side whose phases and messages are read. */
  readonly talks: number;
  /** Messages, of both sides together. */
  readonly messages: number;
}

/** The state of a count. */
export interface Counting {
  readonly read: Read;
  readonly agent_id: string;
  readonly days: Days;
  readonly tally: Tally;
  readonly room: Room;
}

interface Thread {
  readonly id: string;
  readonly last_n: number;
}

/** A batch of messages: of the threads from one id to another, at positions from one on, before another. */
interface Bite {
  readonly from: string;
  readonly until: string;
  readonly from_n: number;
  readonly until_n: number;
  readonly messages: number;
}

/** The messages of one long thread, from the newest on. */
function bitesOfOne({ id, last_n }: Thread): Bite[] {
  return Array.from({ length: Math.ceil(last_n / SLICE) }, (_, n) => {
    const until_n = last_n + 1 - n * SLICE;
    const from_n = Math.max(1, until_n - SLICE);
    return { from: id, until: `${id}~`, from_n, until_n, messages: until_n - from_n };
  });
}

/** The messages of threads, the newest thread first: long ones in parts, short ones together. */
export function bitesOf(threads: readonly Thread[]): Bite[] {
  const bites: Bite[] = [];
  for (const thread of threads) {
    const last = bites.at(-1);
    if (thread.last_n > SLICE) bites.push(...bitesOfOne(thread));
    else if (last && last.until_n === ALL && last.messages + thread.last_n <= SLICE) {
      bites[bites.length - 1] = { ...last, from: thread.id, messages: last.messages + thread.last_n };
    } else {
      bites.push({ from: thread.id, until: `${thread.id}~`, from_n: 1, until_n: ALL, messages: thread.last_n });
    }
  }
  return bites;
}

const SIDES = [
  { end: endOfOpened, number: numberOpened, begun: begunByAgent, active: activeOpened, replies: repliesAsOpener },
  { end: endOfJoined, number: numberJoined, begun: begunByOthers, active: activeJoined, replies: repliesAsOther },
] as const;

/** Counts the agent's answers in some threads, over at most `left` messages; returns the rest of `left`, null when there were more. */
async function countReplies(
  { read, agent_id, days: { from_ms, until_ms }, tally }: Counting,
  replies: (typeof SIDES)[number]['replies'],
  threads: readonly Thread[],
  left: number,
): Promise<number | null> {
  let rest = left;
  for (const { messages, ...bite } of bitesOf(threads)) {
    // In a long thread, messages older than the span are skipped.
    if (bite.until_n !== ALL) {
      const newest = await read(writtenAt, { conversation_id: bite.from, n: bite.until_n - 1 });
      if (newest && newest.at < from_ms) continue;
    }
    rest -= messages;
    if (rest < 0) return null;
    for (const row of await read(replies, { agent_id, from_ms, until_ms, ...bite })) {
      tally.addReplies({ ...row, day: dayOf(row.day * DAY_MS) });
    }
    await nextRound();
  }
  return rest;
}

/** Counts the conversations of a slice that began in the span, by the farthest phase of each. */
async function countBegun(
  { read, agent_id, days: { from_ms, until_ms }, tally }: Counting,
  begun: (typeof SIDES)[number]['begun'],
  slice: Slice<string>,
): Promise<void> {
  for (const { phase, proposed, dealt, ...row } of await read(begun, { agent_id, from_ms, until_ms, ...slice })) {
    const farthest = farthestPhase({ phase, proposed: proposed > 0, dealt: dealt > 0 });
    tally.addConversations({ ...row, phase: farthest, day: dayOf(row.day * DAY_MS) });
  }
}

/** Adds the number of conversations of the span whose ids come before one, by the day of their ids. */
async function addOlder(
  { read, agent_id, days, tally }: Counting,
  number: (typeof SIDES)[number]['number'],
  before: string,
): Promise<void> {
  for (const day of days.all) {
    const [from, next] = [idAt(beginOf(day)), idAt(beginOf(day) + DAY_MS)];
    if (from >= before) return;
    const found = await read(number, { agent_id, from, until: next < before ? next : before });
    tally.add('conversations', { day, listing_id: null, n: found?.n ?? 0 });
    await nextRound();
  }
}

/** Counts all conversations that began in the span, and of the newest ones phases and answers. Returns which of the latter had more. */
export async function countTalks(counting: Counting): Promise<{ by_phase: boolean; replies: boolean }> {
  const { read, agent_id, days, room } = counting;
  const begin = idAt(days.from_ms);
  const cut = { by_phase: false, replies: false };
  let left: number | null = room.messages;
  for (const { end, number, begun, active, replies } of SIDES) {
    const newest = idAt(days.until_ms + BEHIND_MS);
    let reached = newest;
    // Old conversations too: answers may have been given in them since.
    const ends = (until: string, skip: number) => read(end, { agent_id, from: '', until, skip });
    const more = await walk({ from: '', until: newest, end: ends }, room.talks, async (from, until) => {
      reached = from;
      if (until > begin) await countBegun(counting, begun, { from, until });
      if (left === null) return;
      const threads = await read(active, { agent_id, from_ms: days.from_ms, from, until });
      const talks = threads.filter(({ last_n }) => last_n > 1);
      left = await countReplies(counting, replies, talks, left);
    });
    if (more) cut.replies = true;
    if (!more || reached <= begin) continue;
    cut.by_phase = true;
    await addOlder(counting, number, reached);
  }
  return { ...cut, replies: cut.replies || left === null };
}
