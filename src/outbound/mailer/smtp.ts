// The mailer behind SMTP_URL (smtp:// with STARTTLS when offered, or smtps://). It adds a classification of errors:
// only a refusal of the letter itself is final; what a retry or the operator can resolve is not.

import { createTransport, type SMTPTransportOptions } from 'nodemailer';
import { failedForGood, failedForNow, type SendResult, sent } from '../send-result.ts';
import { envelopeOf, type Mailer, messageIdOf } from './mail.ts';

/** Wall-clock limits in milliseconds. */
export interface SmtpLimits {
  /** Each for the connection and for the greeting. */
  readonly connect_ms: number;
  /** Of silence on an open connection. */
  readonly silence_ms: number;
  /** Total per letter, against a server that keeps sending single bytes. */
  readonly deadline_ms: number;
}

const LIMITS: SmtpLimits = { connect_ms: 10_000, silence_ms: 20_000, deadline_ms: 60_000 };

function optionsOf(url: string, limits: SmtpLimits): SMTPTransportOptions {
  const { protocol, username, hostname } = new URL(url);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new Error('SMTP_URL must begin with smtp:// or smtps://');
  return {
    url,
    connectionTimeout: limits.connect_ms,
    greetingTimeout: limits.connect_ms,
    dnsTimeout: limits.connect_ms,
    socketTimeout: limits.silence_ms,
    // With a password, TLS is required, so that a man in the middle cannot strip STARTTLS.
    requireTLS: protocol === 'smtp:' && username !== '' && !isLoopback(hostname),
  };
}

const REACH: SmtpLimits = { connect_ms: 5_000, silence_ms: 5_000, deadline_ms: 10_000 };

/** The library's codes in words. */
const WHY: Readonly<Record<string, string>> = {
  EDNS: 'its name is not found',
  ECONNECTION: 'no connection',
  ESOCKET: 'no connection',
  ETIMEDOUT: 'it does not answer in time',
  ETLS: 'no TLS',
  EAUTH: 'it refuses the login',
  EPROTOCOL: 'it does not speak SMTP',
};

/** Checks greeting and login (if any) without sending a letter. Null on success, else the reason. */
export async function reachSmtp(url: string, limits: SmtpLimits = REACH): Promise<string | null> {
  const transport = createTransport(optionsOf(url, limits));
  const deadline = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => deadline.resolve(`it has not answered within ${limits.deadline_ms / 1_000} seconds`),
    limits.deadline_ms,
  );
  const attempt = transport.verify().then(
    () => null,
    (error: unknown) => `${WHY[String(Object(error).code)] ?? 'it fails'} (${reasonOf(error)})`,
  );
  try {
    return await Promise.race([attempt, deadline.promise]);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/**
 * A mailer over SMTP. `url` is `smtp://` or `smtps://`, with `user:password@` and nodemailer's query options where
 * needed; a password goes in clear only to this machine. Throws on another kind of URL.
 */
export function createSmtpMailer(url: string, from: string, limits: SmtpLimits = LIMITS): Mailer {
  const transport = createTransport(optionsOf(url, limits));
  return {
    async send(mail, gone) {
      const letter = envelopeOf(mail, from);
      if (letter === null) return failedForGood('an address in it is not a plain mailbox');
      const deadline = Promise.withResolvers<SendResult>();
      const giveUp = (): void => deadline.resolve(failedForNow('smtp given up'));
      const timer = setTimeout(() => deadline.resolve(failedForNow('smtp deadline')), limits.deadline_ms);
      gone?.addEventListener('abort', giveUp, { once: true });
      const attempt = transport.sendMail(letter).then(() => sent(messageIdOf(mail, from)), verdict);
      try {
        return await Promise.race([attempt, deadline.promise]);
      } finally {
        clearTimeout(timer);
        gone?.removeEventListener('abort', giveUp);
      }
    },
  };
}

/** Commands of a single letter; a 5xx to any other command concerns the connection or account. */
const LETTER_COMMANDS = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Replies that require encryption or another login (RFC 4954, 6; RFC 3207, 4): the operator resolves these. */
const LOGIN_REPLIES = new Set([530, 534, 535, 538]);
/** 503 is a bad sequence of commands, about the session; 521 and 554 at the greeting never reach a letter command. */
const SESSION_REPLY = 503;

const replyOf = (error: unknown): number => {
  const { responseCode } = Object(error);
  return typeof responseCode === 'number' ? responseCode : 0;
};

function reasonOf(error: unknown): string {
  const { code, command, response } = Object(error);
  const reply = replyOf(error);
  // Keeps only the reply codes: the reply's text may repeat the address or the letter.
  const detail = typeof response === 'string' ? (/^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(response)?.[1] ?? '') : '';
  return ['smtp', String(code ?? 'error'), ...(reply > 0 ? [reply, detail] : []), command ?? '']
    .filter((part) => part !== '')
    .join(' ');
}

function verdict(error: unknown): SendResult {
  const { command } = Object(error);
  const reply = replyOf(error);
  const reason = reasonOf(error);
  const aboutLetter = LETTER_COMMANDS.has(String(command)) && !LOGIN_REPLIES.has(reply) && reply !== SESSION_REPLY;
  return reply >= 500 && aboutLetter ? failedForGood(reason) : failedForNow(reason);
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
