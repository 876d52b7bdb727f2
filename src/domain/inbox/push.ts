// Which events are pushed to a person's browsers, and which answers have a button there: only answers without cost and
// without text; for others the push opens their page.
import type { EventWords } from '../words/en/events.ts';
import { type EventKind, isAnswerable, specOf } from './event.ts';
import { heldUntil, isImportant, isQuiet, isUrgent, type NotificationSettings } from './notification-settings.ts';

/** Browsers with a push subscription of an account. */
export const BROWSERS_MAX = 10;

/** Of a burst of events, only the newest are pushed. */
export const PUSHED_MAX = 5;

export interface PushedAction {
  readonly action: string;
  readonly title: string;
}

/** The buttons of an event's notification. */
export function pressable(kind: EventKind, words: EventWords): readonly PushedAction[] {
  const { actions = {} } = specOf(kind);
  if (typeof actions === 'function') return [];
  return Object.entries(actions).flatMap(([action, { button }]) =>
    button ? [{ action, title: words.buttons[button] }] : [],
  );
}

/** Whether an event is pushed now. Quiet hours hold back all but escalations and disputes; held events, and those of a letter at the end
 * of the day, are in the list only. */
export function isPushedNow(
  settings: NotificationSettings,
  kind: EventKind,
  now_ms: number,
  data: Readonly<Record<string, unknown>> = {},
): boolean {
  const { push, mute, quiet_hours } = settings;
  if (push === 'none' || heldUntil(data) !== null) return false;
  if (isUrgent(kind)) return true;
  if (mute.includes(kind)) return false;
  if (push === 'important' && !isImportant(kind) && !isAnswerable(kind)) return false;
  return quiet_hours === null || !isQuiet(quiet_hours, now_ms);
}

/** The pauses before the second attempt, the third and so on; after the last the push is given up. */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const;

/** The pause after so many failed attempts; null when the push is given up. */
export function pushPause(attempts: number): number | null {
  return PAUSES_MS[attempts - 1] ?? null;
}
