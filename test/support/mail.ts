// Mail for tests: letters of conversations as they leave, answers as mail programs write them, and the door they come in.
import { replyAddress } from '../../src/steps/mail/reply-address.ts';
import type { TestAnswer, TestService } from './testbed.ts';
import { ctxOf } from './threads.ts';

export interface Eml {
  readonly from: string;
  readonly to: string;
  readonly subject?: string;
  readonly text?: string;
  /** The local part of the Message-ID; a fresh one unless said, none when empty. */
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let mails = 0;

/** A plain mail with CRLF, one character for each byte. */
export function eml({ from, to, subject = 'Re: A rope', text = 'Tomorrow is fine.', id, headers = {} }: Eml): string {
  mails += 1;
  const name = id ?? `mail-${mails}`;
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Mon, 15 Jun 2026 12:00:00 +0000',
    ...(name === '' ? [] : [`Message-ID: <${name}@mail.example.org>`]),
    ...Object.entries({ 'Content-Type': 'text/plain; charset=utf-8', ...headers }).map(
      ([key, value]) => `${key}: ${value}`,
    ),
    '',
    ...text.split('\n'),
  ];
  return Buffer.from(lines.join('\r\n'), 'utf8').toString('latin1');
}

/** A letter of a conversation to an agent's human: where an answer goes, and its Message-ID. */
export async function letterOf(
  t: TestService,
  agent: { readonly id: string; readonly handle: string },
  conversation_id: string,
): Promise<{ address: string; message_id: string }> {
  const ctx = { ...ctxOf(t, 'any'), random: (bytes: number) => t.service.world.random(bytes) };
  const { address, fields, effects } = replyAddress(ctx, { ...agent, display_name: agent.handle }, { conversation_id });
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  return { address, message_id: fields.message_id };
}

/** Hands a raw mail in over HTTP; `to` is the envelope's recipient. */
export function handIn(
  t: TestService,
  raw: string,
  envelope: { to?: string; from?: string; client_ip?: string } = {},
): Promise<TestAnswer> {
  const headers: Record<string, string> = { 'X-Internal-Token': t.internal_token };
  if (envelope.to !== undefined) headers['X-Envelope-To'] = envelope.to;
  if (envelope.from !== undefined) headers['X-Envelope-From'] = envelope.from;
  if (envelope.client_ip !== undefined) headers['X-Client-IP'] = envelope.client_ip;
  return t.call('POST', '/internal/mail/inbound', { headers, raw: { type: 'message/rfc822', text: raw } });
}
