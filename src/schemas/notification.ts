// A notification on the wire (rules.md 7), made from its event.
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { Settings } from '../contract/context.ts';
import { asksReply, type EventKind, noticeOf } from '../domain/inbox/event.ts';
import {
  DEFAULT_SETTINGS,
  DIGEST_CHOICES,
  EMAIL_CHOICES,
  type NotificationSettings,
  PUSH_CHOICES,
} from '../domain/inbox/notification-settings.ts';
import type { Language } from '../domain/language.ts';
import { eventWords } from '../domain/words/events.ts';
import { authored, textsWithin, words } from './authored.ts';
import { eventAuthor } from './event.ts';
import { described, MAY_HOLD_MORE, named, namedObject } from './named.ts';
import { Id, iso, isoOrNull, NullableTime, nullable, Time } from './wire.ts';

export const NotificationShape = authored(
  ({ kind, data }) => eventAuthor(kind, data),
  namedObject('Notification', 'an event as a text for a person', {
    id: Id,
    kind: Type.String({ description: 'the kind of the event' }),
    handle: Type.String({ description: 'handle of the agent of the inbox, at that time' }),
    data: described(
      'of the event: what title and body are made of',
      textsWithin(Type.Record(Type.String(), Type.Unknown())),
    ),
    title: words(Type.String({ description: 'in English' })),
    body: words(Type.String({ description: 'empty if the title is enough' })),
    url: Type.String({ description: 'the page for acting on it' }),
    created_at: Time,
    respond_by: described('until when it can be answered', NullableTime),
    awaits_answer: Type.Boolean(),
    answered: nullable(Type.String(), 'the action it was answered with'),
    read: Type.Boolean({ description: 'whether you read it; independent of what your agent has read' }),
  }),
);

/** `read` is the person's mark. */
export function notificationView(
  event: InboxEvent,
  read: boolean,
  { app_url }: Pick<Settings, 'app_url'>,
  language: Language | null = null,
  zone?: string,
): Static<typeof NotificationShape> {
  const { id, handle, created_at } = event;
  // Only kinds of the catalogue are written.
  const kind = event.kind as EventKind;
  const { title, body, path } = noticeOf(kind, handle, event.data, eventWords(language), zone);
  return {
    id,
    kind,
    handle,
    data: event.data,
    title,
    body,
    url: `${app_url}${path}`,
    created_at: iso(created_at),
    // A message waits for the agent; the list of conversations shows a person which are unread.
    respond_by: isoOrNull(asksReply(event) ? null : event.respond_by),
    awaits_answer: event.awaiting === 1,
    answered: event.answered?.action ?? null,
    read,
  };
}

// A person's notification settings on the wire; an account without a row has the defaults.

const Email = named(
  'EmailChoice',
  Type.Enum([...EMAIL_CHOICES], {
    description:
      'which events are mailed to you if neither a webhook nor an A2A endpoint took them; `important`: events that ask ' +
      'for a decision, move money or change the rights of your agent',
  }),
);
const Digest = named(
  'DigestChoice',
  Type.Enum([...DIGEST_CHOICES], {
    description: '`daily`: a mail at 8:00 (in the time zone of quiet_hours, else UTC) with unread notifications',
  }),
);
const Push = named(
  'PushChoice',
  Type.Enum([...PUSH_CHOICES], {
    description:
      'which events are pushed to your registered browsers; `important`: events that ask for an answer, move ' +
      'money or change the rights of your agent',
  }),
);
const Clock = Type.String({ maxLength: 5, description: 'HH:MM' });
const QUIET = {
  from: Clock,
  to: Clock,
  tz: Type.String({ maxLength: 64, description: 'a time zone, as Europe/Berlin' }),
};
const quietDescription = 'in these hours mails are delayed and nothing is pushed; null: none';
const muteDescription =
  'event kinds that are not mailed or pushed; they stay in the list and on the stream. Escalations and ' +
  'disputes are always mailed.';

/** The input of a change; absent fields stay. */
export const SETTINGS_INPUT = {
  email: Type.Optional(Email),
  digest: Type.Optional(Digest),
  push: Type.Optional(Push),
  quiet_hours: Type.Optional(
    nullable(
      namedObject('QuietHoursInput', 'the hours of a day in which no mail is sent', {
        ...QUIET,
        tz: Type.Optional(Type.String({ maxLength: 64, description: 'default: UTC' })),
      }),
      quietDescription,
    ),
  ),
  mute: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, description: muteDescription })),
};

export const SettingsShape = namedObject('NotificationSettings', 'notification preferences of a person', {
  email: Email,
  digest: Digest,
  push: Push,
  quiet_hours: nullable(
    namedObject('QuietHours', 'the hours of a day in which no mail is sent', QUIET),
    quietDescription,
  ),
  mute: Type.Array(Type.String(), { description: muteDescription }),
});

export function settingsOf(row: Row<'notification_settings'> | null): NotificationSettings {
  if (row === null) return DEFAULT_SETTINGS;
  const { email, digest, push, quiet_hours, mute } = row;
  return { email, digest, push, quiet_hours, mute };
}

export function settingsView({
  email,
  digest,
  push,
  quiet_hours,
  mute,
}: NotificationSettings): Static<typeof SettingsShape> {
  return { email, digest, push, quiet_hours, mute: [...mute] };
}

// Browsers with a push subscription, on the wire.

export const PushedBrowser = namedObject('PushedBrowser', 'a browser that gets push notifications', {
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

/** As `PushSubscription.toJSON` gives it (Push API, 8). */
export const SubscriptionInput = namedObject(
  'PushSubscriptionInput',
  'the result of `pushManager.subscribe`',
  {
    endpoint: Type.String({ minLength: 1, maxLength: 2_048 }),
    keys: Type.Object({ p256dh: Bytes, auth: Bytes }, MAY_HOLD_MORE),
  },
  MAY_HOLD_MORE,
);
