// The letters and text messages that turns send. They are made here only, so that each has an id and the shape of its
// channel; the row is sealed at rest, and what reads it trusts that shape.
import type { SendEffect } from '../../db/effects.ts';
import type { Ctx } from '../contract/context.ts';
import type { Mail } from '../outbound/mailer/mail.ts';
import type { Sms } from '../outbound/sms/sms.ts';

/** A letter or a text message to be sent; it gets its id here. */
export type Letter =
  | ({ readonly channel: 'mail' } & Omit<Mail, 'id'>)
  | ({ readonly channel: 'sms' } & Omit<Sms, 'id'>);

/** Sends a letter with this commit: after a crash again, under the same id. */
export function sendLetter({ channel, ...message }: Letter, ctx: Pick<Ctx, 'id' | 'now_ms'>): SendEffect {
  const id = ctx.id();
  return { do: 'send', id, channel, payload: { id, ...message }, created_at: ctx.now_ms };
}
