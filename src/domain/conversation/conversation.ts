// Conversations: their phases, their status, and what a message may be. The rule kept here is that a thread takes words
// only while it is open (rules.md 6).

import { type Fault, invalid } from '../fault.ts';
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
