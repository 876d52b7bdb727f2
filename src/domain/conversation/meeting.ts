// Meetings between the two sides of a conversation. A meeting is scheduled for a future time, is completed once and not before its
// start, and their number is limited for both sides (rules.md 6).

import { type Fault, fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';

export const MEETING_STATUSES = ['scheduled', 'completed'] as const;
export type MeetingStatus = (typeof MEETING_STATUSES)[number];

/** The shortest and the longest meeting in minutes: five minutes, and a day. */
export const DURATION_MIN = 5;
export const DURATION_MAX = 1_440;

/** How far ahead one may be scheduled: a leap year. */
export const AHEAD_MAX_DAYS = 366;
const AHEAD_MAX_MS = AHEAD_MAX_DAYS * DAY_MS;

/** The longest address of a meeting. */
export const MEETING_URL_MAX = 2_000;

/** Upcoming meetings of a conversation: some months of weekly ones. */
export const COMING_MAX = 20;
/** Meetings of a conversation in all: one a day for years. Scheduling one reads them all, so they are limited. */
export const MEETINGS_MAX = 1_000;

/** The counter of all meetings of a conversation. Two that are scheduled at once have read the same figure, and the second decides again. */
export function meetingsKey(conversation_id: string): string {
  return `meetings:${conversation_id}`;
}

export function meetingStatus({ completed_at }: { readonly completed_at: number | null }): MeetingStatus {
  return completed_at === null ? 'scheduled' : 'completed';
}

/** 400 naming `starts_at` unless it is in the future, by 366 days at most; NaN is refused too. */
export function startsFault(starts_at: number, now_ms: number): Fault<'invalid_request'> | null {
  const ahead_ms = starts_at - now_ms;
  if (ahead_ms > 0 && ahead_ms <= AHEAD_MAX_MS) return null;
  return invalid({ path: 'starts_at', message: `Use a time that is ahead, by ${AHEAD_MAX_DAYS} days at most.` });
}

/** Characters that URL parsers silently drop or change. */
const DISGUISE = /[\s\p{Cc}\p{Cf}\\]/u;
const WEB = /^https?:\/\/[^/?#]/i;

/** Why an address is not valid for a meeting, or null. */
function urlProblem(url: string): string | null {
  if (url.length > MEETING_URL_MAX) return `Give an address of at most ${MEETING_URL_MAX} characters.`;
  if (DISGUISE.test(url)) return 'Give an address without blanks, backslashes and invisible characters.';
  if (!WEB.test(url) || !URL.canParse(url)) return 'Give a full web address, such as https://meet.example.com/ropes.';
  const { username, password } = new URL(url);
  return username === '' && password === '' ? null : 'Leave user name and password out of the address.';
}

/** 400 naming `url` unless it is a web address without credentials. People open it and the service never calls it, so its host is not checked. */
export function urlFault(url: string): Fault<'invalid_request'> | null {
  const message = urlProblem(url);
  return message === null ? null : invalid({ path: 'url', message });
}

/** 409 where a conversation has reached its limit of upcoming meetings, or of all. */
export function meetingLimitFault(coming: number, made: number): Fault<'conflict'> | null {
  if (coming >= COMING_MAX) {
    const text = `As many meetings as can be are still to come in this conversation: ${COMING_MAX}. Wait until one begins.`;
    return fault('conflict', text, { limit: COMING_MAX, used: coming });
  }
  if (made < MEETINGS_MAX) return null;
  return fault('conflict', `A conversation has ${MEETINGS_MAX} meetings at most.`, { limit: MEETINGS_MAX, used: made });
}

/** Why a meeting cannot be completed: 409 `meeting_completed` where it already is, 409 before its start. */
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
