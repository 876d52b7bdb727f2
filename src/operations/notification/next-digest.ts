// Asks for an account's next digest, or takes the asking back.
import type { Effect } from '../../../db/effects.ts';
import { digestTime, type NotificationSettings } from '../../domain/notification-settings.ts';

/** One reminder an account: asked for again it moves. */
export function nextDigest(account_id: string, settings: NotificationSettings, now_ms: number): Effect<never> {
  const id = `digest:${account_id}`;
  if (settings.digest === 'off') return { do: 'unremind', id };
  const call = { operation: 'notification.digest', input: { account_id }, now: false } as const;
  return { do: 'remind', id, at: digestTime(settings, now_ms), ...call, created_at: now_ms };
}
