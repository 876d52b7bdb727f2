// Which events a person gets by letter and push, and when (rules.md 7 and 11). Settings hold back letters, never the
// notifications themselves, and nothing holds back the letter about an escalation or a dispute, since silence decides there.

import { type Fault, invalid } from '../fault.ts';
import { DAY_MS } from '../time.ts';
import { type EventKind, isEventKind, specOf } from './event.ts';
import { isTimeZone, localMinute, minuteOf, nextLocal } from './local-time.ts';

export const EMAIL_CHOICES = ['all', 'important', 'none'] as const;
export const PUSH_CHOICES = ['all', 'important', 'none'] as const;
export const DIGEST_CHOICES = ['off', 'daily'] as const;

export interface QuietHours {
  /** `HH:MM` in the time zone `tz`; `from` after `to` spans midnight. */
  readonly from: string;
  readonly to: string;
  readonly tz: string;
}

export interface NotificationSettings {
  /** Which events are mailed if no other transport accepted them. */
  readonly email: (typeof EMAIL_CHOICES)[number];
  readonly digest: (typeof DIGEST_CHOICES)[number];
  /** Which events are pushed to subscribed browsers. */
  readonly push: (typeof PUSH_CHOICES)[number];
  readonly quiet_hours: QuietHours | null;
  /** Event kinds without letters, digest entries and pushes. */
  readonly mute: readonly string[];
}

/** The defaults: every event reaches the person. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  email: 'all',
  digest: 'off',
  push: 'important',
  quiet_hours: null,
  mute: [],
};

/** Whether events of this kind need a decision, move money or change the agent's rights. */
export function isImportant(kind: EventKind): boolean {
  return specOf(kind).importance !== 'normal';
}

/** Whether nothing holds back the letter about an event of this kind. */
export function isUrgent(kind: EventKind): boolean {
  return specOf(kind).importance === 'urgent';
}

/** Whether an instant is within quiet hours. */
export function isQuiet({ from, to, tz }: QuietHours, at_ms: number): boolean {
  const [start, end, now] = [minuteOf(from), minuteOf(to), localMinute(tz, at_ms)];
  return start < end ? now >= start && now < end : now >= start || now < end;
}

/** The field of an event whose letter waits for the end of the day (UTC). */
export function heldForTheDay(now_ms: number): { readonly letter_at: string } {
  return { letter_at: new Date((Math.floor(now_ms / DAY_MS) + 1) * DAY_MS).toISOString() };
}

/** Until when the letter about an event waits, in epoch milliseconds; null for one that does not wait. */
export function heldUntil({ letter_at }: Readonly<Record<string, unknown>>): number | null {
  return typeof letter_at === 'string' ? Date.parse(letter_at) : null;
}

/** When the letter about an event may be sent, in epoch milliseconds: now, after the quiet hours, at the end of the day, or never (null). */
export function mailTime(
  settings: NotificationSettings,
  kind: EventKind,
  now_ms: number,
  data: Readonly<Record<string, unknown>> = {},
): number | null {
  if (specOf(kind).own_letter?.(data)) return null;
  if (isUrgent(kind)) return Math.max(now_ms, heldUntil(data) ?? now_ms);
  return ownLetterTime(settings, kind, now_ms);
}

/** The same for a letter that is sent even if the event was delivered. */
export function ownLetterTime(settings: NotificationSettings, kind: EventKind, now_ms: number): number | null {
  const { email, mute, quiet_hours } = settings;
  if (email === 'none' || mute.includes(kind) || (email === 'important' && !isImportant(kind))) return null;
  if (quiet_hours === null || !isQuiet(quiet_hours, now_ms)) return now_ms;
  return nextLocal(quiet_hours.tz, minuteOf(quiet_hours.to), now_ms);
}

/** Eight in the morning. */
const DIGEST_MINUTE = 8 * 60;

/** When the next digest is sent: at eight, or at the end of quiet hours that include eight o'clock. UTC without a zone. */
export function digestTime({ quiet_hours }: NotificationSettings, now_ms: number): number {
  if (quiet_hours === null) return nextLocal('UTC', DIGEST_MINUTE, now_ms);
  const at_ms = nextLocal(quiet_hours.tz, DIGEST_MINUTE, now_ms);
  if (!isQuiet(quiet_hours, at_ms)) return at_ms;
  return nextLocal(quiet_hours.tz, minuteOf(quiet_hours.to), now_ms);
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

function quietFault({ from, to, tz }: QuietHours): Fault<'invalid_request'> | null {
  const fields = [
    ...(CLOCK.test(from) ? [] : [{ path: 'quiet_hours.from', message: 'Use HH:MM, from 00:00 to 23:59.' }]),
    ...(CLOCK.test(to) ? [] : [{ path: 'quiet_hours.to', message: 'Use HH:MM, from 00:00 to 23:59.' }]),
    ...(isTimeZone(tz) ? [] : [{ path: 'quiet_hours.tz', message: 'Use the name of a time zone, as Europe/Berlin.' }]),
  ];
  if (fields.length === 0 && from === to) {
    fields.push({ path: 'quiet_hours.to', message: 'Quiet hours that end where they begin never end; leave some.' });
  }
  return fields.length > 0 ? invalid(...fields) : null;
}

/**
 * The settings after a caller's changes; absent fields stay. Fault: `invalid_request` naming the field for invalid quiet
 * hours, and for muting an unknown event kind.
 */
export function settingsAfter(
  before: NotificationSettings,
  given: Partial<NotificationSettings>,
): NotificationSettings | Fault<'invalid_request'> {
  const { quiet_hours, mute } = given;
  const wrong = quiet_hours ? quietFault(quiet_hours) : null;
  if (wrong) return wrong;
  const unknown = mute?.findIndex((kind) => !isEventKind(kind)) ?? -1;
  if (unknown >= 0) return invalid({ path: `mute.${unknown}`, message: 'There is no such event.' });
  return {
    email: given.email ?? before.email,
    digest: given.digest ?? before.digest,
    push: given.push ?? before.push,
    quiet_hours: quiet_hours === undefined ? before.quiet_hours : quiet_hours,
    mute: mute === undefined ? before.mute : [...new Set(mute)],
  };
}
