// The letters and text messages that turns send. They are made here only, so that each has an id and the shape of its
// channel; the row is sealed at rest, and what reads it trusts that shape.
import type { SendEffect } from '../../db/effects.ts';
import type { Ctx } from '../contract/context.ts';
import { INSTANCE, withName } from '../domain/instance.ts';
import { dressed } from '../outbound/mailer/letter-html.ts';
import type { Mail } from '../outbound/mailer/mail.ts';
import type { Sms } from '../outbound/sms/sms.ts';

/** A letter or a text message to be sent; it gets its id here. */
export type Letter =
  | ({ readonly channel: 'mail' } & Omit<Mail, 'id'>)
  | ({ readonly channel: 'sms' } & Omit<Sms, 'id'>);

/** A letter in which the service is named as it is called here. */
export function named<M extends Omit<Mail, 'id'>>(mail: M, { instance }: Pick<Ctx['settings'], 'instance'>): M {
  const own = instance.name === INSTANCE.name ? {} : { from_name: instance.name };
  const [subject, text] = [withName(mail.subject, instance.name), withName(mail.text, instance.name)];
  const html = mail.html === undefined ? {} : { html: dressed(mail.html, instance) };
  return { ...own, ...mail, subject, text, ...html };
}

/** Sends a letter with this commit: after a crash again, under the same id. It names the service as it is called here. */
export function sendLetter(
  { channel, ...message }: Letter,
  { id: freshId, now_ms, settings }: Pick<Ctx, 'id' | 'now_ms' | 'settings'>,
): SendEffect {
  const id = freshId();
  const payload =
    'subject' in message
      ? { id, ...named(message, settings) }
      : { id, ...message, text: withName(message.text, settings.instance.name) };
  return { do: 'send', id, channel, payload, created_at: now_ms };
}
