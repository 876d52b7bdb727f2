// Asks for an account's next digest, or takes the asking back.
import { Type } from 'typebox';
import type { Effect } from '../../../db/effects.ts';
import { digestTime, type NotificationSettings } from '../../domain/notification-settings.ts';
import { remind, unremind } from '../reminder.ts';
import { Id } from '../schemas/wire.ts';

/** The call of a digest. */
export const DIGEST = { name: 'notification.digest', input: Type.Object({ account_id: Id }) } as const;

/** The next digest of an account as its settings want it: asked for, or taken back. */
export function nextDigest(account_id: string, settings: NotificationSettings, now_ms: number): Effect<never> {
  if (settings.digest === 'off') return unremind(DIGEST, account_id);
  return remind(DIGEST, { account_id }, { at: digestTime(settings, now_ms), key: account_id, now_ms });
}
