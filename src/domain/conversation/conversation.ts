// Conversations: their phases, their status, and the rules of messages. A thread takes messages only while it is open (rules.md 6).
import { type Fault, fault, invalid } from '../fault.ts';
import { dayOf } from '../text/day.ts';
import { isVisible } from '../text/visible.ts';
import { DAY_MS } from '../time.ts';

/** The phases, in order. */
export const PHASES = ['qualification', 'verification', 'exploration', 'negotiation', 'proposal', 'closing'] as const;

export type Phase = (typeof PHASES)[number];

/**
 * The farthest phase that a conversation ever reached. The current phase moves one step at a time, also back, so it may lag behind: a
 * shown proposal means `proposal`, a deal means `closing`.
 */
export function farthestPhase(of: {
  readonly phase: Phase;
  readonly proposed: boolean;
  readonly dealt: boolean;
}): Phase {
  if (of.dealt) return 'closing';
  return of.proposed && of.phase !== 'closing' ? 'proposal' : of.phase;
}

/** `escalated` waits for a human's decision; the last two are final. */
export const STATUSES = ['open', 'escalated', 'completed', 'declined', 'closed'] as const;

export type Status = (typeof STATUSES)[number];

/** The largest message content, in UTF-8 bytes (rules.md 2). */
export const MESSAGE_MAX_BYTES = 16 * 1024;

const SUBJECT_MAX = 140;
const PREVIEW_MAX = 200;

/** How long after the completion of its deal a message reopens a conversation: for thanks, a missing file, a round of changes. */
const REOPENED_WITHIN_MS = 30 * DAY_MS;

export function isUnderWay(status: Status): boolean {
  return status === 'open' || status === 'escalated';
}

/** Whether a conversation takes messages; others answer 409 `conversation_closed`. A message reopens one that was completed less than
 * 30 days ago; `updated_at` is the time of completion. */
export function acceptsMessages(
  { status, updated_at }: { readonly status: Status; readonly updated_at: number },
  now_ms: number,
): boolean {
  return isUnderWay(status) || (status === 'completed' && now_ms - updated_at < REOPENED_WITHIN_MS);
}

/** The fault of a message's content, or null. Content is stored unchanged. */
export function messageFault(content: string, path = 'content'): Fault<'invalid_request'> | null {
  if (content.trim() === '') return invalid({ path, message: 'Write something.' });
  if (content.length > MESSAGE_MAX_BYTES || new TextEncoder().encode(content).length > MESSAGE_MAX_BYTES) {
    return invalid({ path, message: `A message has at most ${MESSAGE_MAX_BYTES} bytes of UTF-8.` });
  }
  return null;
}

/** Text on one line, cut after so many characters. */
export function oneLine(text: string, max: number): string {
  // A character has at most two code units, and whitespace is collapsed: text far beyond the cut is never read.
  const line = text
    .slice(0, max * 8)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= max) return line;
  let letters = 0;
  let units = 0;
  let cut = 0;
  for (const letter of line) {
    letters += 1;
    if (letters > max) return `${line.slice(0, cut).trimEnd()}…`;
    units += letter.length;
    if (letters === max - 1) cut = units;
  }
  return line;
}

/** The subject of a thread: the headline of its listing, else the first visible line of the first message. */
export function subject(listing_headline: string | null, first_content: string | null): string {
  return oneLine(listing_headline ?? first_content?.split('\n').find(isVisible) ?? '', SUBJECT_MAX);
}

/** A message as events and lists quote it. */
export function preview(content: string): string {
  return oneLine(content.trim(), PREVIEW_MAX);
}

// First contact: how many strangers an agent may write to in a day. A stranger's reach grows by days, not by the speed of
// its program (rules.md 4).

const PER_DAY = 20;
const PROVISIONAL_PER_DAY = 5;

/** First messages to strangers in a UTC day; provisional agents have fewer. */
export function firstContactLimit(provisional: boolean): number {
  return provisional ? PROVISIONAL_PER_DAY : PER_DAY;
}

/** The counter of an agent's first contacts on the UTC day of `now_ms`. */
export function firstContactKey(agent_id: string, now_ms: number): string {
  return `first_contact:${agent_id}:${dayOf(now_ms)}`;
}

/** When the UTC day of `now_ms` ends, in epoch milliseconds: the next contacts are free then. */
export function firstContactReset(now_ms: number): number {
  return (Math.floor(now_ms / DAY_MS) + 1) * DAY_MS;
}

/** The 403 of a used-up day, with `limit` and `resets_at` (ISO 8601). */
export function firstContactFault(limit: number, now_ms: number): Fault<'first_contact_limit'> {
  return fault('first_contact_limit', `You may write to ${limit} agents a day that you never met.`, {
    limit,
    resets_at: new Date(firstContactReset(now_ms)).toISOString(),
  });
}

// Blocks: a blocked agent can open no conversation with its blocker and write in none (rules.md 4). A block hides nothing:
// earlier messages stay readable, and the blocker may still write.

/** Blocks of one agent: more than a person makes by hand, and a limit for programs. */
export const BLOCKS_MAX = 10_000;

export function blockId(blocker_id: string, blocked_id: string): string {
  return `${blocker_id}:${blocked_id}`;
}

/** The counter that is 1 while the block exists. A commit that opens a thread passes it only at 0, so that a block and an
 * opening at the same time are ordered, whatever either had read. */
export function blockGate(blocker_id: string, blocked_id: string): string {
  return `block:${blocker_id}:${blocked_id}`;
}

/** The fields of a thread that decide who may write in it. A flag is 1 while that side blocks the other. */
export interface Writable {
  readonly status: Status;
  readonly updated_at: number;
  readonly opener_blocks: number;
  readonly other_blocks: number;
}

/** 403 for a side that the other one blocks; null where it does not. */
export function blockedFault(
  thread: Omit<Writable, 'status' | 'updated_at'>,
  by_opener: boolean,
): Fault<'blocked'> | null {
  const blocked = by_opener ? thread.other_blocks : thread.opener_blocks;
  return blocked === 1 ? fault('blocked') : null;
}

/** Why a side cannot write in a thread, or null when it can: 403 `blocked` by the other side, 409 when it is over. */
export function writeFault(
  thread: Writable,
  by_opener: boolean,
  now_ms: number,
): Fault<'blocked' | 'conversation_closed'> | null {
  const blocked = blockedFault(thread, by_opener);
  if (blocked) return blocked;
  return acceptsMessages(thread, now_ms) ? null : fault('conversation_closed', undefined, { status: thread.status });
}

// Case-insensitive text search in linear time (Knuth, Morris and Pratt 1977). Engines that compare again at each position
// need the length of "ababab…zz" for each letter read.

/** The failure function: for each letter, the length of the longest prefix that ends there. */
function repeatsOf(sought: string): number[] {
  const repeats = [0];
  let same = 0;
  for (let at = 1; at < sought.length; at++) {
    while (same > 0 && sought.charCodeAt(at) !== sought.charCodeAt(same)) same = repeats[same - 1] ?? 0;
    if (sought.charCodeAt(at) === sought.charCodeAt(same)) same += 1;
    repeats.push(same);
  }
  return repeats;
}

/** Whether a text holds `q`: `finder(q)(text)`. */
export function makeFinder(q: string): (text: string) => boolean {
  const sought = q.toLowerCase();
  const repeats = repeatsOf(sought);
  return (text) => {
    const folded = text.toLowerCase();
    let same = 0;
    for (let at = 0; at < folded.length && same < sought.length; at++) {
      const letter = folded.charCodeAt(at);
      while (same > 0 && letter !== sought.charCodeAt(same)) same = repeats[same - 1] ?? 0;
      if (letter === sought.charCodeAt(same)) same += 1;
    }
    return same === sought.length;
  };
}
