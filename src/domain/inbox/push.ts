// What of an event is pushed to its person's browsers, and which answers can be pressed there. Only answers that
// give nothing away and need no words are offered; whatever asks for more opens its page.
import { type EventKind, isAnswerable, specOf } from './event.ts';
import { heldUntil, isImportant, isQuiet, isUrgent, type NotificationSettings } from './notification-settings.ts';

/** Browsers that an account may be pushed to. */
export const BROWSERS_MAX = 10;

/** News that came in a burst are told by their newest. */
export const PUSHED_MAX = 5;

export interface PushedAction {
  readonly action: string;
  readonly title: string;
}

/** The buttons of an event's notification. */
export function pressable(kind: EventKind): readonly PushedAction[] {
  const { actions = {} } = specOf(kind);
  if (typeof actions === 'function') return [];
  return Object.entries(actions).flatMap(([action, { button }]) => (button ? [{ action, title: button }] : []));
}

/** Whether an event is pushed now. Quiet hours hold back all but escalations and disputes; what they held is in the list, as is what a
 * letter tells at the end of the day. */
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

/** Before the second attempt, the third and so on; after the last the push is given up. */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000] as const;

/** How long to wait after so many attempts that failed; null for no longer. */
export function pushPause(attempts: number): number | null {
  return PAUSES_MS[attempts - 1] ?? null;
}
