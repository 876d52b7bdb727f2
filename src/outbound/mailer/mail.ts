// The port through which letters leave, and how a letter becomes RFC 5322. Both adapters compose here, so what the
// outbox shows is what a mail server would get, and the same id always makes the same Message-ID.

import { createTransport, type SendMailOptions } from 'nodemailer';
import { isFault } from '../../domain/fault.ts';
import { emailDomain, parseEmail } from '../../domain/mail/email.ts';
import { messageTime } from '../message-time.ts';
import type { SendResult } from '../send-result.ts';
import { LOOP_HEADER } from './mark.ts';

/** One letter. `id` is a uuidv7; `to`, `from` and `reply_to` are bare addresses; `text` is plain text with `\n`, `html` the same for
 * programs that show it. */
export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly from?: string;
  /** The sender's display name; by default the service's. */
  readonly from_name?: string;
  readonly reply_to?: string;
  /** With angle brackets. By default derived from the letter's id. */
  readonly message_id?: string;
  readonly in_reply_to?: string;
  readonly references?: readonly string[];
  /** Unsubscribes from letters like this one: an http(s) or mailto URL (RFC 2369). */
  readonly unsubscribe?: string;
  /** A POST to that URL unsubscribes at once, without cookie or confirmation (RFC 8058). */
  readonly one_click?: true;
}

export interface Mailer {
  /** Sends a letter. Safe to repeat with the same id: receivers recognise copies by Message-ID.
   * `gone` aborts. */
  send(mail: Mail, gone?: AbortSignal): Promise<SendResult>;
}

/** The Message-ID of a letter: its id at the sender's domain (RFC 5322, 3.6.4). */
export function messageIdOf(mail: Mail, from: string): string {
  return mail.message_id ?? `<${mail.id}@${emailDomain(mail.from ?? from)}>`;
}

/** A message id with one dot-atom on each side (RFC 5322, 3.6.4), which excludes header injection. */
const MESSAGE_ID = /^<[\w!#$%&'*+/=?^`{|}~.-]{1,200}@[\w.-]{1,253}>$/;
/** Characters that could end a header's URL must be percent-encoded. */
const UNSUBSCRIBE = /^(?:https?:\/\/|mailto:)[\x21-\x3b\x3d\x3f-\x7e]{1,1000}$/;

/** Whether all non-text header values have their header's syntax. */
function fitsHeaders(mail: Mail, sender: string): boolean {
  const addresses = [mail.to, sender, mail.reply_to ?? sender];
  const ids = [mail.message_id, mail.in_reply_to, ...(mail.references ?? [])];
  return (
    addresses.every((address) => !isFault(parseEmail(address))) &&
    ids.every((id) => id === undefined || MESSAGE_ID.test(id)) &&
    (mail.unsubscribe === undefined || UNSUBSCRIBE.test(mail.unsubscribe))
  );
}

/** A word without spaces cannot be folded, and a line is at most 998 octets (RFC 5322, 2.1.1). */
const HEADER_TEXT_MAX = 240;

/** Puts a header's text on one line: replacing line breaks excludes header injection. */
const oneLine = (text: string): string =>
  [...text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')].slice(0, HEADER_TEXT_MAX).join('').trim();

/**
 * A letter in nodemailer's terms, or null when an address is not one plain mailbox: an address list or a line break in
 * it would reach unintended people. The same holds for message ids. `from` is the service's own address, used when
 * the letter names none.
 */
export function envelopeOf(mail: Mail, from: string): SendMailOptions | null {
  const sender = mail.from ?? from;
  if (!fitsHeaders(mail, sender)) return null;
  return {
    envelope: { from: sender, to: [mail.to] },
    from: { name: oneLine(mail.from_name ?? '') || 'Meshwork', address: sender },
    to: { name: '', address: mail.to },
    ...(mail.reply_to === undefined ? {} : { replyTo: { name: '', address: mail.reply_to } }),
    ...(mail.in_reply_to === undefined ? {} : { inReplyTo: mail.in_reply_to }),
    ...(mail.references === undefined ? {} : { references: [...mail.references] }),
    ...(mail.unsubscribe === undefined ? {} : { list: { unsubscribe: mail.unsubscribe } }),
    subject: oneLine(mail.subject),
    text: mail.text,
    // The same letter has the same bytes each time.
    ...(mail.html === undefined ? {} : { html: mail.html, baseBoundary: mail.id }),
    // Quoted-printable keeps a code alone on its line in the raw letter whatever script surrounds it.
    textEncoding: 'quoted-printable',
    messageId: messageIdOf(mail, from),
    date: new Date(messageTime(mail.id)),
    headers: {
      // Asks vacation responders to stay silent (RFC 3834), and Exchange, which does not know that header.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      // Identifies the service's own letters when a mail rule returns them.
      [LOOP_HEADER]: emailDomain(sender),
      ...(mail.one_click === undefined ? {} : { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
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
