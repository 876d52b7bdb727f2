// The addresses of mail about a conversation, so that a reply reaches it: sent from the agent's own mailbox, with a random
// Reply-To and Message-ID. Only hashes of both are stored, so a stolen database gives access to no conversation.
import { type Effect, insert } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Ctx } from '../../contract/context.ts';
import {
  mailboxOf,
  REPLY_TOKEN_BYTES,
  REPLY_TOKEN_MS,
  replyAddressOf,
  replyToken,
  senderName,
} from '../../domain/mail/mailbox.ts';
import { sha256Hex } from '../../outbound/hash.ts';
import type { Mail } from '../../outbound/mailer/mail.ts';

/** The address fields of a conversation's mail. */
type Addressed = Required<Pick<Mail, 'from' | 'from_name' | 'reply_to' | 'message_id' | 'in_reply_to' | 'references'>>;

export interface ReplyAddress {
  /** `<handle>+<token>@<MAIL_DOMAIN>`, new for each mail. */
  readonly address: string;
  /** The fields of the mail: `{ id, to, subject, text, ...fields }`. */
  readonly fields: Addressed;
  /** Must be committed in the same turn as the mail's `send` effect. */
  readonly effects: readonly Effect<never>[];
}

/** The subject of a letter: a conversation, or a match without one. */
export type MailSubject =
  | { readonly conversation_id: string; readonly match_id?: never }
  | { readonly match_id: string; readonly conversation_id?: never };

/** The row id of a token; its prefix keeps it apart from those of Message-IDs. */
export function tokenId(token: string): string {
  return sha256Hex(`reply-token:${token}`);
}

/** As `tokenId`; `message_id` with its brackets. */
export function messageIdRow(message_id: string): string {
  return sha256Hex(`message-id:${message_id}`);
}

/**
 * The sender, Reply-To and threading of one mail to `agent`'s human. All mails about a thing name one
 * ancestor, so that mail programs show them as one thread whichever of them was kept.
 */
export function replyAddress(
  ctx: Pick<Ctx, 'settings' | 'now_ms' | 'random'>,
  agent: Pick<Row<'agents'>, 'id' | 'handle' | 'display_name'>,
  about: MailSubject,
): ReplyAddress {
  const { mail_domain } = ctx.settings;
  const token = replyToken(ctx.random(REPLY_TOKEN_BYTES));
  const message_id = `<${replyToken(ctx.random(REPLY_TOKEN_BYTES))}@${mail_domain}>`;
  const { conversation_id = '', match_id = null } = about;
  const thread =
    match_id === null ? `<conversation.${conversation_id}@${mail_domain}>` : `<match.${match_id}@${mail_domain}>`;
  const address = replyAddressOf(agent.handle, token, mail_domain);
  const row = (id: string): Effect<never> =>
    insert('reply_tokens', {
      id,
      agent_id: agent.id,
      conversation_id,
      match_id,
      created_at: ctx.now_ms,
      expires_at: ctx.now_ms + REPLY_TOKEN_MS,
    });
  return {
    address,
    fields: {
      from: mailboxOf(agent.handle, mail_domain),
      from_name: senderName(agent.display_name) || agent.handle,
      reply_to: address,
      message_id,
      in_reply_to: thread,
      references: [thread],
    },
    effects: [row(tokenId(token)), row(messageIdRow(message_id))],
  };
}
