// Browsers that are pushed to, on the wire.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import { MAY_HOLD_MORE, namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableTime, Time } from './wire.ts';

export const PushedBrowser = namedObject('PushedBrowser', 'a browser that a person is pushed to', {
  id: Id,
  name: Type.String(),
  created_at: Time,
  last_pushed_at: NullableTime,
});

export function browserView({
  id,
  name,
  created_at,
  taken_at,
}: Row<'push_subscriptions'>): Static<typeof PushedBrowser> {
  return { id, name, created_at: iso(created_at), last_pushed_at: isoOrNull(taken_at) };
}

const Bytes = Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 100, description: 'base64url' });

/** As a `PushSubscription` writes itself (Push API, 8). */
export const SubscriptionInput = namedObject(
  'PushSubscriptionInput',
  'what `pushManager.subscribe` gave',
  {
    endpoint: Type.String({ minLength: 1, maxLength: 2_048 }),
    keys: Type.Object({ p256dh: Bytes, auth: Bytes }, MAY_HOLD_MORE),
  },
  MAY_HOLD_MORE,
);
