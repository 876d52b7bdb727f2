// The port through which letters leave, and how a letter becomes RFC 5322. Both adapters compose here, so what the
// outbox shows is what a mail server would get, and the same id always makes the same Message-ID.

import { createTransport, type SendMailOptions } from 'nodemailer';
import { emailDomain, parseEmail } from '../../domain/email.ts';
import { isFault } from '../../domain/fault.ts';
import { messageTime } from '../message-time.ts';
import type { SendResult } from '../send-result.ts';

/** One letter. `id` is a uuidv7; `to`, `from` and `reply_to` are bare addresses; `text` is plain text with `\n`. */
export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly from?: string;
  readonly reply_to?: string;
}

export interface Mailer {
  /** Sends one letter once. Safe to repeat with the same id: the receiver can tell the copies by their Message-ID. */
  send(mail: Mail): Promise<SendResult>;
}

/** The Message-ID of a letter: its id at the sender's domain (RFC 5322, 3.6.4). */
export function messageIdOf(mail: Mail, from: string): string {
  return `<${mail.id}@${emailDomain(mail.from ?? from)}>`;
}

/**
 * A letter in nodemailer's terms, or null when an address is not one plain mailbox: an address list or a line break in
 * it would reach people whom nobody meant. `from` is the service's own address, used when the letter names none.
 */
export function envelopeOf(mail: Mail, from: string): SendMailOptions | null {
  const sender = mail.from ?? from;
  const addresses = [mail.to, sender, mail.reply_to ?? sender];
  if (addresses.some((address) => isFault(parseEmail(address)))) return null;
  return {
    envelope: { from: sender, to: [mail.to] },
    from: { name: 'Meshwork', address: sender },
    to: { name: '', address: mail.to },
    ...(mail.reply_to === undefined ? {} : { replyTo: { name: '', address: mail.reply_to } }),
    subject: mail.subject.replace(/\s+/g, ' ').trim(),
    text: mail.text,
    // Quoted-printable keeps a code alone on its line in the raw letter whatever script surrounds it.
    textEncoding: 'quoted-printable',
    messageId: messageIdOf(mail, from),
    date: new Date(messageTime(mail.id)),
    // Asks vacation responders to stay silent (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A letter as RFC 5322 bytes with CRLF, or null as `envelopeOf` says. */
export async function composeMail(mail: Mail, from: string): Promise<Uint8Array | null> {
  const options = envelopeOf(mail, from);
  if (options === null) return null;
  const { message } = await composer.sendMail(options);
  if (!Buffer.isBuffer(message)) throw new Error('the composer was asked for a buffer');
  return message;
}

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
