// Conversations: their phases, their status, and what a message may be. The rule kept here is that a thread takes words
// only while it is open (rules.md 6).
import { type Fault, fault, invalid } from '../fault.ts';
import { isVisible } from '../text/visible.ts';
import { DAY_MS } from '../time.ts';

/** The phases, in order. */
export const PHASES = ['qualification', 'verification', 'exploration', 'negotiation', 'proposal', 'closing'] as const;

export type Phase = (typeof PHASES)[number];

/**
 * The farthest phase that a conversation ever reached. Its present one goes a single step at a time and back again, so that it may lag
 * behind what was done: a shown proposal reached `proposal`, a deal `closing`, and nothing else leads back from these two.
 */
export function farthestPhase(of: {
  readonly phase: Phase;
  readonly proposed: boolean;
  readonly dealt: boolean;
}): Phase {
  if (of.dealt) return 'closing';
  return of.proposed && of.phase !== 'closing' ? 'proposal' : of.phase;
}

/** `escalated` waits for a human's word; the last two are final. */
export const STATUSES = ['open', 'escalated', 'completed', 'declined', 'closed'] as const;

export type Status = (typeof STATUSES)[number];

/** The largest message content, in UTF-8 bytes (rules.md 2). */
export const MESSAGE_MAX_BYTES = 16 * 1024;

const SUBJECT_MAX = 140;
const PREVIEW_MAX = 200;

/** How long after its deal was completed a message opens a conversation again: for thanks, a missing file, a round of changes. */
const REOPENED_WITHIN_MS = 30 * DAY_MS;

export function isUnderWay(status: Status): boolean {
  return status === 'open' || status === 'escalated';
}

/** Whether a conversation takes messages; the others answer 409 `conversation_closed`. One that was completed less than 30 days ago is
 * opened again by a message; `updated_at` is the time of its completion. */
export function acceptsMessages(
  { status, updated_at }: { readonly status: Status; readonly updated_at: number },
  now_ms: number,
): boolean {
  return isUnderWay(status) || (status === 'completed' && now_ms - updated_at < REOPENED_WITHIN_MS);
}

/** The refusal of a message's content, or null when it is fine: it is kept to the byte. */
export function messageFault(content: string, path = 'content'): Fault<'invalid_request'> | null {
  if (content.trim() === '') return invalid({ path, message: 'Write something.' });
  if (content.length > MESSAGE_MAX_BYTES || new TextEncoder().encode(content).length > MESSAGE_MAX_BYTES) {
    return invalid({ path, message: `A message has at most ${MESSAGE_MAX_BYTES} bytes of UTF-8.` });
  }
  return null;
}

/** Text on one line, cut after so many letters. */
export function oneLine(text: string, max: number): string {
  // A letter is at most two code units, and runs of blanks fold away: what lies far beyond the cut is never looked at.
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

/** What a thread is about: the listing that brought the two together, else the first line of the first message in which
 * there is something to see. */
export function subject(listing_headline: string | null, first_content: string | null): string {
  return oneLine(listing_headline ?? first_content?.split('\n').find(isVisible) ?? '', SUBJECT_MAX);
}

/** A message as events and lists quote it. */
export function preview(content: string): string {
  return oneLine(content.trim(), PREVIEW_MAX);
}

// First contact: how many agents that it never met an agent may write to in a day. The rule kept here is that a stranger's
// reach grows by days, not by the speed of its program (rules.md 4).

const PER_DAY = 20;
const PROVISIONAL_PER_DAY = 5;

/** First messages to agents that one never met, a UTC day; strangers without an account get fewer. */
export function firstContactLimit(provisional: boolean): number {
  return provisional ? PROVISIONAL_PER_DAY : PER_DAY;
}

/** The counter of an agent's first contacts on the UTC day of `now_ms`. */
export function firstContactKey(agent_id: string, now_ms: number): string {
  return `first_contact:${agent_id}:${new Date(now_ms).toISOString().slice(0, 10)}`;
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

// Blocks: an agent that was blocked can open no conversation with its blocker and write in none (rules.md 4). The rule
// kept here is that a block hides nothing: what was said stays readable, and the blocker may still write itself.

/** Blocks of one agent: more than anybody made by hand, and a bound for a program. */
export const BLOCKS_MAX = 10_000;

export function blockId(blocker_id: string, blocked_id: string): string {
  return `${blocker_id}:${blocked_id}`;
}

/** The counter that stands at 1 while the block does. A commit that opens a thread passes it only at 0, so that of a
 * block and an opening at the same moment one comes first, whatever either had read. */
export function blockGate(blocker_id: string, blocked_id: string): string {
  return `block:${blocker_id}:${blocked_id}`;
}

/** The part of a thread that decides who may write in it. The flags are 1 while that side blocks the other. */
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

// Looks for a text in others, whatever their letters' case. The time is linear in what is read whatever is looked for (Knuth,
// Morris and Pratt 1977): where engines compare anew at each place, "ababab…zz" costs its own length for each letter read.

/** For each letter of the text, how much of its beginning stands again right before it. */
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
