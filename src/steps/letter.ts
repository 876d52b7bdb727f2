// The letters and text messages that turns send. They are made here only, so that each has an id and the shape of its
// channel; the row is sealed at rest, and what reads it trusts that shape.
import type { SendEffect } from '../../db/effects.ts';
import type { Ctx } from '../contract/context.ts';
import { INSTANCE, withName } from '../domain/instance.ts';
import type { Mail } from '../outbound/mailer/mail.ts';
import type { Sms } from '../outbound/sms/sms.ts';

/** A letter or a text message to be sent; it gets its id here. */
export type Letter =
  | ({ readonly channel: 'mail' } & Omit<Mail, 'id'>)
  | ({ readonly channel: 'sms' } & Omit<Sms, 'id'>);

/** Sends a letter with this commit: after a crash again, under the same id. It names the service as it is called here. */
export function sendLetter(
  { channel, ...message }: Letter,
  { id: freshId, now_ms, settings: { instance } }: Pick<Ctx, 'id' | 'now_ms' | 'settings'>,
): SendEffect {
  const id = freshId();
  const text = withName(message.text, instance.name);
  if (!('subject' in message)) {
    return { do: 'send', id, channel, payload: { id, ...message, text }, created_at: now_ms };
  }
  const own = instance.name === INSTANCE.name ? {} : { from_name: instance.name };
  const subject = withName(message.subject, instance.name);
  return { do: 'send', id, channel, payload: { id, ...own, ...message, subject, text }, created_at: now_ms };
}
