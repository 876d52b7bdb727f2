// Meetings between the two sides of a conversation. The rules kept here are that one is set for a time to come, that it took place once
// and not before it began, and that neither side fills the other's days with them (rules.md 6).

import { type Fault, fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';

export const MEETING_STATUSES = ['scheduled', 'completed'] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

/** The shortest and the longest meeting, in minutes: a day is the longest. */
export const DURATION_MIN = 5;
export const DURATION_MAX = 1_440;

/** How far ahead one may be set: a year, leap years too. */
export const AHEAD_MAX_DAYS = 366;
const AHEAD_MAX_MS = AHEAD_MAX_DAYS * DAY_MS;

/** The longest address of a meeting. */
export const MEETING_URL_MAX = 2_000;

/** Meetings of a conversation that are still to come: some months of weekly ones. */
export const COMING_MAX = 20;
/** Meetings of a conversation in all: one a day for years. Setting one looks through them, so they are bounded. */
export const MEETINGS_MAX = 1_000;

/** The counter of the meetings that were ever set in a conversation. Of two set at once each read the same figure, and the one that
 * comes second decides anew. */
export function meetingsKey(conversation_id: string): string {
  return `meetings:${conversation_id}`;
}

/** Where a meeting stands. */
export function meetingStatus({ completed_at }: { readonly completed_at: number | null }): MeetingStatus {
  return completed_at === null ? 'scheduled' : 'completed';
}

/** 400 naming `starts_at` unless it is ahead, by 366 days at most; what is no time at all is refused too. */
export function startsFault(starts_at: number, now_ms: number): Fault<'invalid_request'> | null {
  const ahead_ms = starts_at - now_ms;
  if (ahead_ms > 0 && ahead_ms <= AHEAD_MAX_MS) return null;
  return invalid({ path: 'starts_at', message: `Use a time that is ahead, by ${AHEAD_MAX_DAYS} days at most.` });
}

/** What a parser drops or changes in silence. */
const DISGUISE = /[\s\p{Cc}\p{Cf}\\]/u;
const WEB = /^https?:\/\/[^/?#]/i;

/** Why an address is not one at which people meet; null where it is. */
function urlProblem(url: string): string | null {
  if (url.length > MEETING_URL_MAX) return `Give an address of at most ${MEETING_URL_MAX} characters.`;
  if (DISGUISE.test(url)) return 'Give an address without blanks, backslashes and invisible characters.';
  if (!WEB.test(url) || !URL.canParse(url)) return 'Give a full web address, such as https://meet.example.com/ropes.';
  const { username, password } = new URL(url);
  return username === '' && password === '' ? null : 'Leave user name and password out of the address.';
}

/** 400 naming `url` unless it is an address of the web without credentials. It is opened by people and never called from here, so
 * wherever it leads is theirs to judge. */
export function urlFault(url: string): Fault<'invalid_request'> | null {
  const message = urlProblem(url);
  return message === null ? null : invalid({ path: 'url', message });
}

/** 409 where a conversation has as many meetings to come, or in all, as can be. */
export function meetingLimitFault(coming: number, made: number): Fault<'conflict'> | null {
  if (coming >= COMING_MAX) {
    const text = `As many meetings as can be are still to come in this conversation: ${COMING_MAX}. Wait until one begins.`;
    return fault('conflict', text, { limit: COMING_MAX, used: coming });
  }
  if (made < MEETINGS_MAX) return null;
  return fault('conflict', `A conversation has ${MEETINGS_MAX} meetings at most.`, { limit: MEETINGS_MAX, used: made });
}

/** Why nobody can say that a meeting took place: 409 `meeting_completed` where somebody did, 409 before it begins. */
export function completeFault(
  { starts_at, completed_at }: { readonly starts_at: number; readonly completed_at: number | null },
  now_ms: number,
): Fault<'meeting_completed' | 'conflict'> | null {
  if (completed_at !== null) {
    return fault('meeting_completed', undefined, { completed_at: new Date(completed_at).toISOString() });
  }
  if (now_ms >= starts_at) return null;
  const begins_at = new Date(starts_at).toISOString();
  return fault('conflict', `The meeting has not begun; it starts at ${begins_at}.`, { starts_at: begins_at });
}
